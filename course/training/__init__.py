"""Trainings of minutes to days: pretraining and fine-tuning, with checkpoints from which they resume."""
