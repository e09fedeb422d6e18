"""Grades what a class handed in: one submission after the other, on this machine or on a cluster."""
