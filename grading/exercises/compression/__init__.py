"""Chapter 15: small models."""
