"""From a folder of submissions to the cells of their notebooks; nothing that stands in one is trusted or run.

`find` says what was handed in, one entry a student, from a folder or from what a school's system
hands over. `read_notebooks` reads an entry's notebooks, in memory and within limits, from plain files and from
archives, whole or damaged.
"""

from grading.submission.finding import Found, find, find_submissions
from grading.submission.notebook import Cell, DamagedSubmission, Limits, Notebook
from grading.submission.reading import HandedIn, notebooks_of, read_files, read_notebooks
from grading.submission.submission_file import Person, SubmissionFile

__all__ = [
    "Cell",
    "DamagedSubmission",
    "Found",
    "HandedIn",
    "Limits",
    "Notebook",
    "Person",
    "SubmissionFile",
    "find",
    "find_submissions",
    "notebooks_of",
    "read_files",
    "read_notebooks",
]
