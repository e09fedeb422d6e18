"""Taggers: texts in, names out. Reading, training, storage and display, and a baseline to beat."""
