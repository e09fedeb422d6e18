"""Translators, and the language that they learn."""
