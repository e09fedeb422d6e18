"""Chapter 12: names."""
