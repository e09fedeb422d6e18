"""What a student is told of a verdict: its record, and the card that shows it."""
