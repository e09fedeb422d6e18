"""Whole trainings, from text to a measured classifier, that anyone can repeat. Their results are in README.md."""
