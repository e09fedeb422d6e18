"""The whole hunt: tries every callable of every bundle in place of every exercise that students have still to write."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType

from grading.exercises.registry import chapters
from grading.extraction.cells import parse
from grading.hunt.behaviour import Stand
from grading.hunt.findings import BEHAVIOUR, SHAPE, Finding
from grading.hunt.harmless import harmless
from grading.hunt.held import Held, definitions, held_in, in_place, load
from grading.hunt.shapes import runs
from grading.judging.exercise import Chapter
from grading.judging.expectations import LiveExpectations
from grading.lessons.answers import Answer, find_answers
from grading.lessons.notebook import make_notebooks
from grading.release.imports import Module
from grading.release.library import lesson_of
from grading.storage.project import PROJECT
from grading.storage.temporary import temporary_folder

# Any code shares runs with shorter answers, so these are only tested by behaviour.
_FEWEST_RUNS = 5
_ALIKE = 1 / 3

# The modules of bundles, by dotted name, by chapter.
Bundles = Mapping[int, Mapping[str, Module]]


@dataclass
class Hunted:
    """The result of the hunt for one chapter's exercises.

    Attributes:
        chapter: the chapter's number.
        callables: how many callables of this chapter's bundle and of earlier ones were tried.
        calls: how many calls were tried.
        findings: callables that earn half of an exercise's points, or share a third of an answer's runs.
    """

    chapter: int
    callables: int = 0
    calls: int = 0
    findings: list[Finding] = field(default_factory=list)


def hunt(bundles: Bundles, progress: Callable[..., None] = lambda **_: None) -> Iterator[Hunted]:
    """Try the callables of bundles in place of the exercises of their chapter and of all later ones.

    A callable in several bundles is tried once in place of each exercise: in the version of the latest bundle that the
    exercise's students can have, which includes the most answers of earlier chapters.

    Args:
        bundles: the results of `released_modules`.
        progress: called with the numbers of chapters `completed` and in `total`.
    """
    later = [of for number, of in chapters().items() if number >= min(bundles)]
    known: dict[tuple[str, str], tuple[int, Held]] = {}
    loaded: dict[int, Mapping[str, ModuleType]] = {}
    with temporary_folder() as folder:
        for done, of in enumerate(later):
            progress(completed=done, total=len(later))
            if of.number in bundles:
                loaded[of.number] = load(bundles[of.number], folder / str(of.number))
                held = held_in(loaded[of.number], bundles[of.number])
                known |= {(one.name, one.text): (of.number, one) for one in held}
            result = Hunted(of.number, len(known))
            stands = _stands(of, folder / "scratch")
            for number, modules in loaded.items():
                from_there = [held for latest, held in known.values() if latest == number]
                result.findings += _by_behaviour(stands, from_there, modules)
            result.calls = sum(stand.calls for stand in stands)
            result.findings += _by_shape(of, {number: bundles[number] for number in bundles if number <= of.number})
            yield result
        progress(completed=len(later), total=len(later))


def _stands(of: Chapter, scratch: Path) -> list[Stand]:
    scratch.mkdir(exist_ok=True)
    expectations = LiveExpectations(of)
    with harmless():
        return [Stand(exercise, expectations, scratch) for exercise in of.exercises.values()]


def _by_behaviour(stands: list[Stand], tried: list[Held], modules: Mapping[str, ModuleType]) -> list[Finding]:
    """The callables of one bundle that earn half of an exercise's points."""
    with harmless(), in_place(modules):
        likely = [(stand, held, ways) for held in tried for stand in stands if (ways := stand.likely(held))]
    with harmless():  # with the project's own library in place
        for stand in {id(stand): stand for stand, _, _ in likely}.values():
            stand.prepare()
    with harmless(), in_place(modules):
        earners = [stand.earner(held, ways) for stand, held, ways in likely]
    return [
        Finding(BEHAVIOUR, earner.exercise, earner.held, earner.share, earner.written) for earner in earners if earner
    ]


def _by_shape(of: Chapter, bundles: Bundles) -> list[Finding]:
    """The definitions, in the bundles and in their notebooks' given code, that share a third of an answer's runs."""
    answers = {
        answer.task.name: _runs_of_answer(answer) for answer in find_answers(lesson_of(of.number, PROJECT)).answers
    }
    sources = {(name, module.source) for modules in bundles.values() for name, module in modules.items()}
    sources |= {(f"chapter {number}", source) for number in bundles for source in _given_code(number)}
    found: dict[tuple[str, str], Finding] = {}
    for name, source in sorted(sources):
        for place, shape in _shapes(source).items():
            for exercise, own in answers.items():
                share = len(own & shape) / len(own) if len(own) >= _FEWEST_RUNS else 0.0
                if share >= _ALIKE:
                    held = f"{name}.{place}"
                    found[exercise, held] = Finding(SHAPE, exercise, held, share, held)
    return list(found.values())


def _runs_of_answer(answer: Answer) -> frozenset[int]:
    functions = [*answer.bodies.values(), *answer.hidden, *(helper.node for helper in answer.helpers)]
    return runs(statement for function in functions for statement in getattr(function, "body", [function]))


@cache
def _shapes(source: str) -> dict[str, frozenset[int]]:
    """The runs in the body of each definition of a piece of code."""
    return {name: runs(getattr(node, "body", [])) for name, node in definitions(source).items()}


@cache
def _given_code(number: int) -> list[str]:
    """The code cells of a chapter's notebook that are valid Python."""
    notebook, _ = make_notebooks(lesson_of(number, PROJECT))
    return [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "code" and isinstance(parse(cell.source), ast.Module)
    ]
