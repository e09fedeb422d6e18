"""Faults put into the code on purpose, one at a time, and which tests see them.

Each is put into a copy of this project, on which those tests are run that could notice; without any fault they pass. A
fault that no test sees is a gap in the tests.
"""

from benchmarks.faults.trying import measure

__all__ = ["measure"]
