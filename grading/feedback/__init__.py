"""Feedback for a student: the record of a result, and the card that shows it."""
