"""Chapter 10: writing."""
