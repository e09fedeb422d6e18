"""Evaluates a fine-tuned classifier: measures, errors, and the attention behind its answers."""
