"""Compares this project with its peers on the same work, in one run, by ratios."""
