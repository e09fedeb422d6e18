"""The mistakes that students make with masked words: each a few lines of wrong code, a sentence and a hint."""

from grading.exercises.masked_lm.mistakes import calls, head, loss, replacement, selection, unigrams

__all__ = ["calls", "head", "loss", "replacement", "selection", "unigrams"]
