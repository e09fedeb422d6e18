"""Tries the mutants of exercises side by side, and counts what came of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

from grading.judging.exercise import Chapter
from grading.lessons.answers import find_answers
from grading.mutants.equal import equal_mutants
from grading.mutants.making import Mutant, mutants_of
from grading.mutants.trial import Trial, TrialBench
from grading.release.library import lesson_of
from grading.storage.project import PROJECT


@dataclass
class Survey:
    """What came of the mutants of one exercise.

    Attributes:
        seen: how many fail a check.
        equal: how many pass all, and are said to be as right as the reference.
        survivors: what was changed in the others that pass all.
        wrongly_equal: what is said to make no difference, and fails a check.
        unknown: what is said to make no difference, and is no mutant any more.
    """

    exercise: str
    seen: int = 0
    equal: int = 0
    survivors: list[str] = field(default_factory=list)
    wrongly_equal: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    @property
    def tried(self) -> int:
        return self.seen + self.equal + len(self.survivors)


def survey(
    of: Chapter,
    names: Collection[str],
    secret: bytes,
    one_in: int = 1,
    jobs: int | None = None,
    progress: Callable[..., None] = lambda **_: None,
) -> list[Survey]:
    """Tries the mutants of some exercises of a chapter.

    Args:
        of: the chapter.
        names: the exercises.
        secret: seeds the inputs of the checks.
        one_in: 10 for a tenth of the mutants. The secret chooses which.
        jobs: how many at a time; by default as many as there are processors.
        progress: is told how many are `completed`, and of how many in `total`.
    """
    made = _mutants(of, names)
    reasons = equal_mutants(of)
    chosen = [mutant for mutants in made.values() for mutant in mutants if _is_chosen(mutant, secret, one_in)]
    surveys = {name: Survey(name) for name in made}
    for name, change in reasons:
        if name in made and change not in {mutant.change for mutant in made[name]}:
            surveys[name].unknown.append(change)
    for trial in _trials(of, chosen, secret, jobs or os.cpu_count() or 1, progress):
        _count(trial, (trial.mutant.exercise, trial.mutant.change) in reasons, surveys[trial.mutant.exercise])
    return list(surveys.values())


def _mutants(of: Chapter, names: Collection[str]) -> dict[str, list[Mutant]]:
    teaching = find_answers(lesson_of(of.number, PROJECT))
    return {one.task.name: mutants_of(teaching, one) for one in teaching.answers if one.task.name in names}


def _is_chosen(mutant: Mutant, secret: bytes, one_in: int) -> bool:
    text = secret + f"/{mutant.exercise}/{mutant.change}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "little") % one_in == 0


def _trials(
    of: Chapter, chosen: list[Mutant], secret: bytes, jobs: int, progress: Callable[..., None]
) -> Iterator[Trial]:
    with TrialBench(of, secret) as bench, ThreadPoolExecutor(jobs) as executor:
        try:
            futures = [executor.submit(bench.attempt, mutant) for mutant in chosen]
            for done, future in enumerate(as_completed(futures), 1):
                progress(completed=done, total=len(chosen))
                yield future.result()
        finally:
            executor.shutdown(cancel_futures=True)


def _count(trial: Trial, is_equal: bool, counts: Survey) -> None:
    if not trial.survived:
        counts.seen += 1
        if is_equal:
            counts.wrongly_equal.append(f"{trial.mutant.change} (seen by {trial.seen_by})")
    elif is_equal:
        counts.equal += 1
    else:
        counts.survivors.append(trial.mutant.change)
