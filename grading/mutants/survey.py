"""Tries the mutants of exercises in parallel, and counts which are killed, equivalent or surviving."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field

from grading.judging.exercise import Chapter, Mistake
from grading.lessons.answers import find_answers
from grading.mutants.equivalent import Equal, equivalent_mutants, unused
from grading.mutants.journal import Journal
from grading.mutants.known import KnownMistakes
from grading.mutants.making import Mutant, mutants_of
from grading.mutants.rewriting import rewrites_of
from grading.mutants.trial import Trial, TrialBench
from grading.release.library import lesson_of
from grading.storage.project import PROJECT


@dataclass
class Survey:
    """The results for the mutants of one exercise.

    Attributes:
        seen: how many were killed by a check.
        equal: how many passed all checks and are listed as equivalent.
        survivors: the changes of surviving mutants, which passed all checks and are not listed.
        wrongly_equal: entries of equivalent mutants all of which were killed.
        unknown: changes that are listed as equivalent, but are no longer mutants.
        mistakes: the changes that are known mistakes, too, with the sentences of these.
    """

    exercise: str
    seen: int = 0
    equal: int = 0
    survivors: list[str] = field(default_factory=list)
    wrongly_equal: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    mistakes: dict[str, str] = field(default_factory=dict)

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
    """Try the mutants of some exercises of a chapter, and yield the result of each exercise as soon as it is known.

    Mutants with a result from an earlier survey are not tried again: see `Journal`.

    Args:
        of: the chapter.
        names: the exercises.
        secret: seeds the inputs of the checks.
        one_in: 10 for a tenth of the mutants. The secret chooses which.
        jobs: how many mutants to try at a time; by default, one per processor.
        progress: called with the numbers of mutants `completed` and in `total`.
    """
    teaching = find_answers(lesson_of(of.number, PROJECT))
    made = mutants_by_exercise(of, names)
    known = equivalent_mutants(of)
    of.load_mistakes()
    chosen = {name: [one for one in mutants if _is_chosen(one, secret, one_in)] for name, mutants in made.items()}
    done, total = 0, sum(map(len, chosen.values()))
    with _trying(of, secret, jobs) as trials:
        for name, mutants in chosen.items():
            result = Survey(name)
            own = [one for one in known if one.exercise == name]
            result.unknown += [one.change for one in unused(own, made[name])]
            mistakes = KnownMistakes(teaching, of.exercises[name].mistakes)
            killed = {}
            for trial in trials(mutants):
                done += 1
                progress(completed=done, total=total)
                listed = [one for one in known if one.covers(trial.mutant)]
                _count(trial, listed, mistakes.named(trial.mutant), result)
                if not trial.survived:
                    killed[trial.mutant.change] = trial.seen_by
            for one in own:
                seen_by = [killed.get(mutant.change) for mutant in made[name] if one.covers(mutant)]
                if seen_by and all(seen_by):
                    result.wrongly_equal.append(f"{one.change} (killed by {seen_by[0]})")
            yield result


def rewrites_with_all_points(of: Chapter) -> dict[str, tuple[int, list[str]]]:
    """For each exercise, the number of rewrites of its answer, and those that fail a check."""
    teaching = find_answers(lesson_of(of.number, PROJECT))
    made = [rewrite for answer in teaching.answers for rewrite in rewrites_of(teaching, answer)]
    with _trying(of, b"rewrites") as tried:
        trials = list(tried(made))
    results: dict[str, tuple[int, list[str]]] = {}
    for name in of.exercises:
        own = [trial for trial in trials if trial.mutant.exercise == name]
        results[name] = len(own), [f"{one.mutant.change} (fails {one.seen_by})" for one in own if not one.survived]
    return results


def mutants_by_exercise(of: Chapter, names: Collection[str]) -> dict[str, list[Mutant]]:
    teaching = find_answers(lesson_of(of.number, PROJECT))
    return {answer.task.name: mutants_of(teaching, answer) for answer in teaching.answers if answer.task.name in names}


def _is_chosen(mutant: Mutant, secret: bytes, one_in: int) -> bool:
    text = secret + f"/{mutant.exercise}/{mutant.change}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "little") % one_in == 0


@contextmanager
def _trying(
    of: Chapter, secret: bytes, jobs: int | None = None
) -> Iterator[Callable[[Collection[Mutant]], Iterator[Trial]]]:
    """A function that tries mutants in parallel, or yields their journaled results."""
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


def _count(trial: Trial, listed: list[Equal], mistake: Mistake | None, counts: Survey) -> None:
    change = trial.mutant.change
    if mistake:
        counts.mistakes[change] = mistake.sentence
        change += f"; a known mistake: {mistake.sentence}"
    if not trial.survived:
        counts.seen += 1
    elif listed and not mistake:  # a mistake is never equivalent, whatever an entry with `…` covers
        counts.equal += 1
    else:
        counts.survivors.append(change)
