"""Checks, builds, releases and grades the course. `python -m grading --help` lists the commands."""

import os

# TensorFlow greets with a page on the devices that it does not find; below a student's cell it only frightens.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
