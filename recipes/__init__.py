"""Whole trainings, from text to a measured model, that anyone can repeat. README.md has the results of that on AG News;
the card of the encoder in datasets/ has those of the other."""
