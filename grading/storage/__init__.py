"""Atomic writes, temporary folders, a cache, and the project's folder."""
