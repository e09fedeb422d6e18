"""What a wrong answer has in common with the right one, and what it depends on: for mistakes that nobody has listed."""
