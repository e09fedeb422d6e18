"""Reads a folder of submissions into the cells of their notebooks; nothing in a submission is trusted or run.

`find` lists the submissions, one per student, in a folder or in the download from a school's system.
`read_notebooks` reads the notebooks of a submission, in memory and within limits, from plain files and archives, intact
or damaged.
"""

from grading.submission.finding import Found, find, find_submissions
from grading.submission.notebook import Cell, DamagedSubmission, Limits, Notebook
from grading.submission.reading import HandedIn, notebooks_of, read_files, read_notebooks
from grading.submission.submission_file import Person, SubmissionFile
from grading.submission.systems.plain import one_submission

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
    "one_submission",
    "read_files",
    "read_notebooks",
]
