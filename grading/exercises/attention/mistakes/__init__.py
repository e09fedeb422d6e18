"""The mistakes that students make with attention: each a few lines of wrong code, a sentence and a hint."""

from grading.exercises.attention.mistakes import dot_product, heads, layer, masks

__all__ = ["dot_product", "heads", "layer", "masks"]
