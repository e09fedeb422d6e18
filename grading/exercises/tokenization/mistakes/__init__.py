"""The mistakes that students make with text: each a few lines of wrong code, a sentence and a hint."""

from grading.exercises.tokenization.mistakes import merges, packing, pieces, words

__all__ = ["merges", "packing", "pieces", "words"]
