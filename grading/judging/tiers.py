"""How an answer shows a known mistake: in two tiers of evidence, or in some of the cases alone.

Of the tiers, float32 values decide, and all that follows from them must be wrong, too. The same mistake, written in
another way, gives the same in float32. In half precision it is rounded elsewhere, its gradients may take another path,
and its dtypes may be others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.judging.behaviour.observation import is_float, numbers_of, parts
from grading.judging.comparison import compare
from grading.judging.exercise import Check
from grading.judging.probing import SAME_MISTAKE, Outcome, agree, problem
from grading.judging.proxies import BY_ARGUMENT, DTYPES_OF_WEIGHTS, LIST_OF_DTYPES, OF_WEIGHTS

# How far from a mistake's numbers another way to write it may lead, as a share of how far they are from right.
_NEAR = 1e-2


def shows_mistake(check: Check, given: Outcome, mistaken: Outcome, right: Outcome) -> bool | None:
    """Whether an answer shows a known mistake.

    Args:
        check: a check without a judge, which fails on the answer.
        given: what the student's code gave.
        mistaken: what the mistake gives.
        right: what the reference gives.

    Returns:
        True if float32 values of both are wrong in the same way, None if the answer says nothing against the mistake,
        and False if it does.
    """
    if given.failure or mistaken.failure or right.failure:
        return False
    of_given, of_mistake = (list(parts(outcome.value, right.value)) for outcome in (given, mistaken))
    if [name for name, *_ in of_given] != [name for name, *_ in of_mistake]:
        return False
    shown: bool | None = None
    for (name, one, wanted), (_, other, _) in zip(of_given, of_mistake, strict=True):
        is_wrong, is_mistaken = (compare(value, wanted, check.tolerance) is not None for value in (one, other))
        if compare(one, other, max(check.tolerance, SAME_MISTAKE)) is None:
            shown = shown or (True if is_wrong and is_mistaken and not _follows(name, one, other) else None)
        elif not (is_wrong and is_mistaken and (_follows(name, one, other) or _is_near(one, other, wanted))):
            return False
    return shown


def shows_in_some_cases(check: Check, given: Outcome, mistaken: Outcome, right: Outcome) -> bool:
    """Whether a mistake is made in some cases: each part is right or what the mistake gives, and not all are right.

    Where code has raised there are no parts, and all of it must be as with the mistake. Of a verdict, it is enough
    that the mistake has a bad one, too: what it says depends on all cases together.
    """
    if check.judge is not None:
        return problem(check, mistaken, right) is not None
    if given.failure or mistaken.failure or right.failure:
        return agree(check, given, mistaken)
    of_given, of_mistake = (list(parts(outcome.value, right.value)) for outcome in (given, mistaken))
    if [name for name, *_ in of_given] != [name for name, *_ in of_mistake]:
        return False
    wrong = [
        (one, other)
        for (_, one, wanted), (_, other, _) in zip(of_given, of_mistake, strict=True)
        if compare(one, wanted, check.tolerance) is not None
    ]
    return bool(wrong) and all(compare(one, other, check.tolerance) is None for one, other in wrong)


def _follows(name: str, *values: Any) -> bool:
    """Whether a part of an answer follows from others, or is rounded, and so decides nothing."""
    is_named = name.startswith(BY_ARGUMENT) or name in (OF_WEIGHTS, LIST_OF_DTYPES, DTYPES_OF_WEIGHTS)
    arrays = [value for value in values if isinstance(value, np.ndarray)]
    return is_named or any(is_float(array) and array.dtype.itemsize < 4 for array in arrays)


def _is_near(one: Any, other: Any, wanted: Any) -> bool:
    given, mistaken, right = map(_fractions, (one, other, wanted))
    if given is None or mistaken is None or right is None or not given.shape == mistaken.shape == right.shape:
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        return bool(np.linalg.norm(given - mistaken) <= _NEAR * np.linalg.norm(mistaken - right))


def _fractions(value: Any) -> np.ndarray | None:
    is_fraction = isinstance(value, float) or (isinstance(value, np.ndarray) and is_float(value))
    return numbers_of(value) if is_fraction else None
