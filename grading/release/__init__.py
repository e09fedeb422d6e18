"""The bundle that students get: a chapter's notebook, and the library and the checks without any answer."""

from grading.release.autograders import release_for
from grading.release.bundle import bundle_contents, release
from grading.release.freezing import workers
from grading.release.library import answers_before, blanked_library

__all__ = ["answers_before", "blanked_library", "bundle_contents", "release", "release_for", "workers"]
