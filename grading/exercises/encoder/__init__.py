"""Chapter 4: the encoder."""
