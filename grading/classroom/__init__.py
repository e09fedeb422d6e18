"""Grades the submissions of a class, on this machine or on a cluster."""
