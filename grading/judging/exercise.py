"""What an exercise is: a definition of the library, its checks, and the mistakes that it knows.

A check is a *probe*: a function from an implementation to arrays. The same probe runs on the reference (what is
expected), on the student's code (what came back), and on each known mistake (what it would mean).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

from grading.errors import GradingError
from grading.judging.changes import Change, changed_code, changed_definition
from grading.sandbox.allowlist import allowlist

# A probe gets a handle on an implementation and a source of random numbers, and returns arrays.
Probe = Callable[..., Any]
# A judge looks at a probe's arrays where there is no reference to agree with; it returns what is wrong, or None.
Judge = Callable[[Any], str | None]

DEFAULT_TOLERANCE = 1e-5


@dataclass(frozen=True)
class Check:
    """One thing that must hold.

    Attributes:
        key: the probe's name; unique in its exercise.
        title: ends the sentence "Your code ...".
        points: what it earns.
        probe: runs the implementation.
        judge: decides on the arrays by itself; where it is None, they must agree with the reference's.
        tolerance: absolute and relative tolerance of that agreement.
        slow: whether it takes much longer than the exercise's other checks. A release runs it on a known mistake only
            where those leave open which mistake it is.
    """

    key: str
    title: str
    points: float
    probe: Probe
    judge: Judge | None
    tolerance: float
    slow: bool = False


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation with a name.

    Attributes:
        name: unique in its exercise.
        sentence: what is wrong, as the student is told.
        hint: what to look at; unfolds on demand and never gives the line away.
        make: makes the wrong code; None in a release, which has none.
        change: of the library's code, if that alone makes the wrong code; see `Exercise.mistake`.
        code: says which definitions of the library it changes, with their code; None where there is no such change.
    """

    name: str
    sentence: str
    hint: str
    make: Callable[[], Any] | None = None
    change: Change = field(default_factory=dict, hash=False)
    code: Callable[[], dict[str, str]] | None = None

    @cached_property
    def implementation(self) -> Any:
        """The wrong code, made when it is first asked for."""
        assert self.make
        return self.make()


@dataclass
class Exercise:
    """A definition of the library that students write. The library itself is imported when it is first asked for.

    Attributes:
        name: what it is called.
        module: the dotted name of the library's module that defines it.
        ready_made: dotted names that would be the answer. An answer that uses one is not checked.
        named_weights: makes a layer and says, by path of attributes, whether later chapters would find its weights;
            None where they look for none.
    """

    name: str
    module: str
    ready_made: tuple[str, ...] = ()
    checks: list[Check] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    named_weights: Callable[[Any], dict[str, bool]] | None = None

    @cached_property
    def reference(self) -> Any:
        """The library's own definition, which stays the one that was found first.

        Raises:
            GradingError: the library has none of that name.
        """
        library = importlib.import_module(self.module)
        if not hasattr(library, self.name):
            raise GradingError(f"{self.module} defines no {self.name}; write it there, or correct the exercise's name")
        return getattr(library, self.name)

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks)

    def check(
        self,
        title: str,
        *,
        points: float,
        judge: Judge | None = None,
        tolerance: float = DEFAULT_TOLERANCE,
        slow: bool = False,
    ) -> Callable[[Probe], Probe]:
        """Registers the decorated probe as a check of this exercise."""

        def register(probe: Probe) -> Probe:
            key = probe.__name__
            if any(check.key == key for check in self.checks):
                raise ValueError(f"{self.name} has two checks called {key}; give each probe a name of its own")
            self.checks.append(Check(key, title, points, probe, judge, tolerance, slow))
            return probe

        return register

    def has_named_weights(self, look: Callable[[Any], dict[str, bool]]) -> Callable[[Any], dict[str, bool]]:
        """Registers the decorated function as what later chapters look for. It earns nothing: names are no answer."""
        self.named_weights = look
        return look

    def mistake(self, name: str, sentence: str, *, hint: str, change: Change | None = None, instead: str = "") -> None:
        """Registers a known mistake of this exercise: a change of the library's own code.

        Args:
            name: unique in the exercise.
            sentence: what is wrong, as the student is told.
            hint: what to look at.
            change: texts that stand in the code exactly once, and what stands there instead.
            instead: the source of functions or methods that take the place of those of the same name.
        """

        whose = f"{self.name}, {name}"

        def code() -> dict[str, str]:
            return changed_code(importlib.import_module(self.module), self.name, change or {}, instead, whose)

        def make() -> Any:
            return changed_definition(importlib.import_module(self.module), self.name, code(), whose)

        self.mistakes.append(Mistake(name, sentence, hint, make, {} if instead else change or {}, code))


@dataclass
class Chapter:
    """A chapter's exercises, in the order of the lesson.

    Attributes:
        number: as in the lesson's file name, `03_attention`.
        title: as students read it.
        module_name: the dotted name of the module whose definitions are the exercises, such as "course.attention".
    """

    number: int
    title: str
    module_name: str
    exercises: dict[str, Exercise] = field(default_factory=dict)

    @property
    def module(self) -> ModuleType:
        """The module itself, imported when it is first asked for: most of them bring TensorFlow with them."""
        return importlib.import_module(self.module_name)

    @property
    def package(self) -> str:
        """The last part of its module's name, and the name of all that is kept by chapter."""
        return self.module_name.rpartition(".")[2]

    @property
    def slug(self) -> str:
        return f"{self.number:02d}_{self.package}"

    @property
    def points(self) -> float:
        return sum(exercise.points for exercise in self.exercises.values())

    @property
    def ready_made(self) -> tuple[str, ...]:
        """What is an answer of some exercise and no part of any: what answers of other exercises may use is not."""
        names = dict.fromkeys(name for exercise in self.exercises.values() for name in exercise.ready_made)
        return tuple(name for name in names if not allowlist().allows(name))

    def load_mistakes(self) -> None:
        """Registers the known mistakes: whatever the modules of its package `mistakes` define.

        A release has none. There, what they would give is frozen into arrays.
        """
        package = importlib.import_module(f"grading.exercises.{self.package}.mistakes")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")

    def require(self, names: Iterable[str]) -> None:
        """Makes sure that exercises are the chapter's.

        Raises:
            GradingError: one of them is not.
        """
        for name in names:
            if name not in self.exercises:
                known = ", ".join(self.exercises)
                raise GradingError(f"chapter {self.number} has no exercise {name!r}; its exercises are {known}")

    def exercise(self, name: str, *, ready_made: tuple[str, ...] = ()) -> Exercise:
        """Adds the definition of that name in the chapter's module as an exercise."""
        new = Exercise(name, self.module_name, ready_made)
        self.exercises[name] = new
        return new
