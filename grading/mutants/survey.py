"""Tries the mutants of exercises side by side, and counts what came of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field

from grading.judging.exercise import Chapter
from grading.lessons.answers import find_answers
from grading.mutants.equivalent import Equal, equivalent_mutants, unused
from grading.mutants.journal import Journal
from grading.mutants.making import Mutant, mutants_of
from grading.mutants.rewriting import rewrites_of
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
        wrongly_equal: what is said to make no difference, by its own name, and fails a check.
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
) -> Iterator[Survey]:
    """Tries the mutants of some exercises of a chapter, and gives what came of each exercise as soon as it is known.

    What is known of a mutant from an earlier survey is not tried again: see `Journal`.

    Args:
        of: the chapter.
        names: the exercises.
        secret: seeds the inputs of the checks.
        one_in: 10 for a tenth of the mutants. The secret chooses which.
        jobs: how many at a time; by default as many as there are processors.
        progress: is told how many are `completed`, and of how many in `total`.
    """
    made = mutants_by_exercise(of, names)
    known = equivalent_mutants(of)
    chosen = {name: [one for one in mutants if _is_chosen(one, secret, one_in)] for name, mutants in made.items()}
    done, total = 0, sum(map(len, chosen.values()))
    with _trying(of, secret, jobs) as trials:
        for name, mutants in chosen.items():
            found = Survey(name)
            found.unknown += [one.change for one in unused((one for one in known if one.exercise == name), made[name])]
            for trial in trials(mutants):
                done += 1
                progress(completed=done, total=total)
                _count(trial, [one for one in known if one.covers(trial.mutant)], found)
            yield found


def rewrites_with_all_points(of: Chapter, jobs: int | None = None) -> dict[str, tuple[int, list[str]]]:
    """Of each exercise, in how many other ways its answer was written, and which of them fail a check."""
    teaching = find_answers(lesson_of(of.number, PROJECT))
    made = [rewrite for answer in teaching.answers for rewrite in rewrites_of(teaching, answer)]
    with _trying(of, b"rewrites", jobs) as tried:
        trials = list(tried(made))
    found: dict[str, tuple[int, list[str]]] = {}
    for name in of.exercises:
        own = [trial for trial in trials if trial.mutant.exercise == name]
        found[name] = len(own), [f"{one.mutant.change} (fails {one.seen_by})" for one in own if not one.survived]
    return found


def mutants_by_exercise(of: Chapter, names: Collection[str]) -> dict[str, list[Mutant]]:
    teaching = find_answers(lesson_of(of.number, PROJECT))
    return {one.task.name: mutants_of(teaching, one) for one in teaching.answers if one.task.name in names}


def _is_chosen(mutant: Mutant, secret: bytes, one_in: int) -> bool:
    text = secret + f"/{mutant.exercise}/{mutant.change}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "little") % one_in == 0


@contextmanager
def _trying(of: Chapter, secret: bytes, jobs: int | None) -> Iterator[Callable[[Collection[Mutant]], Iterator[Trial]]]:
    """A function that tries mutants side by side, or remembers what came of them."""
    with (
        Journal(of, secret) as journal,
        TrialBench(of, secret) as bench,
        ThreadPoolExecutor(jobs or os.cpu_count() or 1) as executor,
    ):

        def trials(mutants: Collection[Mutant]) -> Iterator[Trial]:
            futures = []
            for mutant in mutants:
                seen_by = journal.seen_by(mutant)
                if seen_by is None:
                    futures.append(executor.submit(bench.attempt, mutant, journal.likely(mutant)))
                else:
                    yield Trial(mutant, seen_by)
            for future in as_completed(futures):
                trial = future.result()
                journal.note(trial.mutant, trial.seen_by)
                yield trial

        try:
            yield trials
        finally:
            executor.shutdown(cancel_futures=True)


def _count(trial: Trial, known: list[Equal], counts: Survey) -> None:
    if not trial.survived:
        counts.seen += 1
        if any(one.is_exact for one in known):
            counts.wrongly_equal.append(f"{trial.mutant.change} (seen by {trial.seen_by})")
    elif known:
        counts.equal += 1
    else:
        counts.survivors.append(trial.mutant.change)
