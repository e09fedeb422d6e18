"""Turns a notebook's cells into the source text that the sandbox runs. Reads syntax trees; runs nothing.

`extract` cuts each exercise's definition out of the notebook, with everything that it refers to and nothing else.
`ready_made_names` lists the ready-made solutions to which a text refers, for the instructor's report.
"""

from grading.extraction.definitions import ExerciseSource, Extraction, Origin, extract
from grading.extraction.ready_made import ready_made_names

__all__ = ["ExerciseSource", "Extraction", "Origin", "extract", "ready_made_names"]
