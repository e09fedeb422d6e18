"""The mistakes that students make with next sentences: each a few lines of wrong code, a sentence and a hint."""

from grading.exercises.next_sentence.mistakes import head, loss, pairs

__all__ = ["head", "loss", "pairs"]
