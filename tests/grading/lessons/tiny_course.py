"""A course of one tiny module and one tiny lesson, for tests of what is made from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from grading.judging.exercise import Chapter

MODULE = '''\
"""Numbers on the same scale."""

from __future__ import annotations

import math
from collections.abc import Sequence

from course.rounding import half_up

# Below this, two numbers are the same.
_EPSILON = 1e-9


def _mean(values: Sequence[float]) -> float:
    """The sum over the count. Nobody has to write it."""
    return math.fsum(values) / len(values)


def _spread(values: Sequence[float]) -> float:
    """The √ of the mean square."""
    return math.sqrt(_squares(values) / len(values))


def _squares(values: Sequence[float]) -> float:
    return math.fsum(value * value for value in values)


def centered(values: Sequence[float], *, digits: int = 3) -> list[float]:  # the same length
    """Moves numbers so that their mean is 0.

    Example: 1 and 3 become -1 and 1.
    """
    # The secret is to subtract the mean.
    middle = _mean(values)
    return [half_up(value - middle, digits) for value in values]
    # And that was it.


@staticmethod
def _unused() -> None: ...


class Scaler:
    """Brings numbers to a spread of 1."""

    def __init__(self, shift: float = 0.0) -> None:
        self.shift = shift

    def fit(self, values: Sequence[float]) -> Scaler:
        """Learns the spread."""
        self.spread = self._floored(_spread(centered(values)))
        return self

    def _floored(self, spread: float) -> float:
        return max(spread, _EPSILON)

    def describe(self) -> str:
        return f"shifts by {self.shift}"
'''

LESSON = """\
---
title: Tiny
chapter: 2
---

# Tiny

Some *words* first.

```python
numbers = [1.0, 3.0]
```

```python exercise="course.scaling.centered" difficulty="1/5" minutes=5
```

```python
print(centered(numbers))
```

```python gpu=true
raise RuntimeError("there is no GPU here")
```

```python exercise="course.scaling.Scaler" methods="fit" helpers="_spread _squares _floored" difficulty="2/5" minutes=7
```

Well done.
"""

# Stands in for the grader in a notebook's kernel: says what it was called with.
CHECK = """\
def check(thing):
    print("checking", thing.__name__)
"""


def write_course(root: Path, module: str = MODULE, lesson: str = LESSON) -> Path:
    """Writes the course to an empty folder, and returns the lesson's path."""
    files = {
        "course/__init__.py": "",
        "course/scaling.py": module,
        "course/rounding.py": "def half_up(value, digits):\n    return round(value, digits)\n",
        "course/unrelated.py": "answer = 42\n",
        "grading/__init__.py": "",
        "grading/student_kernel/__init__.py": "",
        "grading/student_kernel/check.py": CHECK,
        "grading/exercises/__init__.py": "",
        "grading/exercises/scaling/__init__.py": "",
        "grading/exercises/scaling/checks.py": "import course.scaling\n",
        "grading/exercises/scaling/mistakes.py": "import course.scaling\n",
        "notebooks/source/02_scaling.md": lesson,
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root / "notebooks" / "source" / "02_scaling.md"


def registered_chapter(names: tuple[str, ...] = ("centered", "Scaler")) -> Chapter:
    """The chapter as its checks would register it: 2.5 points for each exercise."""
    chapter = Chapter(2, "Tiny", "course.scaling")
    for name in names:
        exercise = chapter.exercise(name)
        exercise.check("returns zeros", points=2.5)(_probe)
    return chapter


def _probe(implementation: object, random: np.random.RandomState) -> np.ndarray:
    return np.zeros(3)
