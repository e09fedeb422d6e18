"""Chapter 14: ranking."""
