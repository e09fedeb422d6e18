"""The path of the small encoder that comes with the course, which was pretrained on the sample alone."""

from __future__ import annotations

from course.storage.bundled import DATASETS

# In the format of Hugging Face's library; `course.weights` reads it, and its README.md says what it can do.
SAMPLE_ENCODER = DATASETS / "sample_encoder"
