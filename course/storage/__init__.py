"""Atomic writes, and the files that commands write."""
