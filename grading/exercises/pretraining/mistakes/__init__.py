"""The mistakes that students make with pretraining: each a few lines of wrong code, a sentence and a hint."""

from grading.exercises.pretraining.mistakes import decay, joint_loss, masked_texts, schedule

__all__ = ["decay", "joint_loss", "masked_texts", "schedule"]
