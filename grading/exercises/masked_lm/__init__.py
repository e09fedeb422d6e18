"""Chapter 5: masked words."""
