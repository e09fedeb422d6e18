"""Shrink a classifier: a student with fewer blocks that learns from it, and weights in 8 bits."""
