"""Matching and ranking around the lessons: texts to find, candidates, training, and recorded results."""
