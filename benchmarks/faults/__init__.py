"""Faults put into the code on purpose, one at a time, and which tests see them.

Each fault goes into a copy of this project, on which the tests run that could notice it; without a fault they pass. A
fault that no test sees is a gap in the tests.
"""

from benchmarks.faults.trying import measure

__all__ = ["measure"]
