"""Trained models as files that other programs read: phones, servers, Hugging Face's library."""

from course.export.exporting import FORMATS, Exported, export

__all__ = ["FORMATS", "Exported", "export"]
