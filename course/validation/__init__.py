"""Checks of the arguments of functions. Each error says what was given, what was expected, and what to do."""
