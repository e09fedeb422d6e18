"""Marks for the systems in which instructors keep them: nbgrader's gradebook, Canvas, Moodle, Gradescope, PrairieLearn.

`marks` computes each student's mark under the instructor's `Policy`; all other modules only write it.
"""

from grading.gradebook.autograders import gradescope, prairielearn, write_results
from grading.gradebook.lateness import read_lateness
from grading.gradebook.plain_text import counted_record, feedback_text
from grading.gradebook.policy import Mark, Policy, marks
from grading.gradebook.spreadsheets import canvas_csv, moodle_csv, plain_csv

__all__ = [
    "Mark",
    "Policy",
    "canvas_csv",
    "counted_record",
    "feedback_text",
    "gradescope",
    "marks",
    "moodle_csv",
    "plain_csv",
    "prairielearn",
    "read_lateness",
    "write_results",
]
