"""Chapter 13: matching."""
