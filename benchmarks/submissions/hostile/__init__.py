"""Submissions that must gain nothing and harm nobody, and a class that they sit in."""
