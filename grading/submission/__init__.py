"""From a folder of submissions to the cells of their notebooks; nothing that stands in one is trusted or run.

`find_submissions` lists what was handed in, one entry a student. `read_notebooks` reads an entry's notebooks,
in memory and within limits, from plain files and from archives, whole or damaged.
"""

from grading.submission.finding import SubmissionFile, find_submissions
from grading.submission.notebook import Cell, DamagedSubmission, Limits, Notebook
from grading.submission.reading import read_notebooks

__all__ = [
    "Cell",
    "DamagedSubmission",
    "Limits",
    "Notebook",
    "SubmissionFile",
    "find_submissions",
    "read_notebooks",
]
