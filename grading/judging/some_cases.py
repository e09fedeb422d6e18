"""A known mistake that is made in some of the cases, such as in one of two orders, and not in the others."""

from __future__ import annotations

from grading.judging.behaviour.observation import parts
from grading.judging.comparison import compare
from grading.judging.exercise import Check
from grading.judging.probing import Outcome, agree, problem


def shows_in_some_cases(check: Check, given: Outcome, mistaken: Outcome, right: Outcome) -> bool:
    """Whether each part of an answer is either right or what the mistake gives, and not all are right.

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
