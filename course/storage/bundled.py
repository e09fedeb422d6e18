"""The path of the data that comes with the course."""

from __future__ import annotations

from pathlib import Path

DATASETS = Path(__file__).resolve().parents[2] / "datasets"
