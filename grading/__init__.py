"""Checks, builds, releases and grades the course. `python -m grading --help` lists the commands."""

from course.environment import quiet_tensorflow

quiet_tensorflow()
