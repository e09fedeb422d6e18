"""Measures the checks: small changes of every reference, each of which some check should see."""
