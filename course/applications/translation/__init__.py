"""Translators, and the toy language that they learn."""
