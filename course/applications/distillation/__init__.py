"""Makes small models of a classifier: a student that learns from it, and weights in 8 bits."""
