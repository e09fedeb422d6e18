"""Chapter 1: text to ids."""
