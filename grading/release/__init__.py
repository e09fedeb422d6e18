"""The bundle that students get: a chapter's notebook, and the library and the checks without any answer."""

from grading.release.bundle import release
from grading.release.freezing import workers
from grading.release.library import answers_before, blanked_library

__all__ = ["answers_before", "blanked_library", "release", "workers"]
