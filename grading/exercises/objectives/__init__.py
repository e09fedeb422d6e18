"""Chapter 11: objectives."""
