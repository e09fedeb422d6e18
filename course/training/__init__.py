"""Trainings of minutes to days: pretraining and fine-tuning, kept on disk as they go, and resumed where they ended."""
