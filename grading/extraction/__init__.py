"""Turns a notebook's cells into the source text that the sandbox runs. Reads syntax trees; runs nothing.

`extract` cuts each exercise's definition out of the notebook, with everything that it refers to and nothing else.
"""

from grading.extraction.definitions import ExerciseSource, Extraction, extract

__all__ = ["ExerciseSource", "Extraction", "extract"]
