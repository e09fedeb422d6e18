"""What a fine-tuned classifier is worth: its measures, where it errs, and what it looked at."""
