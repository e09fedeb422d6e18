"""What happens to notebooks on their way to a grader, made by code from a right one, and what each must still get."""

from benchmarks.submissions.damage import cells, files, solutions, tools
from benchmarks.submissions.damage.kind import DAMAGES, Damage

__all__ = ["DAMAGES", "Damage", "cells", "files", "solutions", "tools"]
