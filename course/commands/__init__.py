"""The commands of `python -m course`, one a file. Each only reads its arguments and says what came of it."""
