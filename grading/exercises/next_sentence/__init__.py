"""Chapter 6: the next sentence."""
