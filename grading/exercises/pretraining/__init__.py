"""Chapter 7: pretraining."""
