"""Chapter 9: positions."""
