"""Published BERT weights: loads them into a `BertEncoder`, saves them for other libraries, and compares layers."""

from course.weights.comparison import Difference, first_difference
from course.weights.hugging_face import (
    Checkpoint,
    load_hugging_face,
    load_masked_lm,
    read_hugging_face,
    save_hugging_face,
    save_hugging_face_classifier,
)
from course.weights.keras_hub import load_keras_hub
from course.weights.parameters import WeightsError, assign, parameters

__all__ = [
    "Checkpoint",
    "Difference",
    "WeightsError",
    "assign",
    "first_difference",
    "load_hugging_face",
    "load_keras_hub",
    "load_masked_lm",
    "parameters",
    "read_hugging_face",
    "save_hugging_face",
    "save_hugging_face_classifier",
]
