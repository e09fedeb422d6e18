"""The mistakes that students make with the encoder: each a few lines of wrong code, a sentence and a hint."""

from grading.exercises.encoder.mistakes import block, encoder, feed_forward, functions

__all__ = ["block", "encoder", "feed_forward", "functions"]
