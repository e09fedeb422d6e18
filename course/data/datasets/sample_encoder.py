"""Where the small encoder is that comes with the course: it has read the sample, and nothing else."""

from __future__ import annotations

from course.storage.bundled import DATASETS

# A folder as Hugging Face's library writes them; `course.weights` reads it, and its README.md says what it can do.
SAMPLE_ENCODER = DATASETS / "sample_encoder"
