"""Checks of what a function is given. Each error says what was given, what was wanted, and what to do."""
