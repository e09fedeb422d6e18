"""Lesson text becomes notebooks: the one that a student opens, and the same one solved and executed."""
