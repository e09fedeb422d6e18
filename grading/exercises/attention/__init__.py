"""Chapter 3: attention."""
