"""Observations of what a wrong solution does, for mistakes that nobody has listed.

`observe` makes them. Each other module answers one question about a wrong answer, or serves those that do.
"""
