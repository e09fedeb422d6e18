"""Where the small encoder is that comes with the course: it has read the sample, and nothing else."""

from __future__ import annotations

from pathlib import Path

# A folder as Hugging Face's library writes them; `course.weights` reads it, and its README.md says what it can do.
SAMPLE_ENCODER = Path(__file__).parents[2] / "datasets" / "sample_encoder"
