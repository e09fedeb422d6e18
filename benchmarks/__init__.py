"""Measurements of this project beside its peers: the same work, in one run, as a ratio."""
