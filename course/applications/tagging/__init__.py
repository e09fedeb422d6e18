"""Taggers: texts in, names out. How they read, learn, are kept, and show what they found; and a baseline to beat."""
