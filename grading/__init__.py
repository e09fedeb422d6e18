"""Checks, builds, releases and grades the course. `python -m grading --help` lists the commands."""
