"""Chapter 8: AG News."""
