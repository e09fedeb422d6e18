"""Finds a lesson's exercises in the library, and the lines of their answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from grading.errors import GradingError
from grading.lessons.lesson import Lesson, Task
from grading.lessons.library import Blank, Definition, Function, LibraryModule
from grading.storage.project import PROJECT


@dataclass(frozen=True)
class Answer:
    """The answer to an exercise.

    Attributes:
        task: the exercise, as the lesson names it.
        definition: the function or class.
        bodies: the function, or the methods of the class, whose bodies the student writes.
        helpers: private definitions that belong to the answer.
        hidden: private methods that belong to the answer; the student's class does not have them.
    """

    task: Task
    definition: Definition
    bodies: dict[str, Function]
    helpers: list[Definition]
    hidden: list[Function] = field(default_factory=list)


@dataclass(frozen=True)
class Teaching:
    """A lesson, the module that it teaches, and the answers in it, in the lesson's order."""

    lesson: Lesson
    module: LibraryModule
    answers: list[Answer]

    def blanks(self, answer: Answer, message: Callable[[str], str]) -> list[Blank]:
        """The lines of an answer, and what replaces them for the student.

        Args:
            message: makes the error's text from the name of the function or method to write.
        """
        blanks = [self.module.blank(body, message(name)) for name, body in answer.bodies.items()]
        return [*blanks, *map(self.module.removal, answer.hidden)]

    def marked(self, answer: Answer) -> list[Blank]:
        """The lines of an answer, between nbgrader's marks, which must enclose all of it.

        So private functions are defined inside the bodies that may call them, and private methods follow the last of
        the others.
        """
        last = max(answer.bodies.values(), key=lambda body: body.lineno)
        helpers = "\n\n".join(self.module.statement(helper.node) for helper in answer.helpers)
        methods = "\n\n".join(map(self.module.statement, answer.hidden))
        blanks = [
            self.module.marked(body, before=helpers, after=methods if body is last else "")
            for body in answer.bodies.values()
        ]
        return [*blanks, *map(self.module.removal, answer.hidden)]

    def given(self, answer: Answer) -> list[Definition]:
        """The other definitions of the module that the answer needs, directly or not, and that students get."""
        exercises = {one.task.name for one in self.answers}
        helpers = {name for one in self.answers for name in one.task.helpers}
        return self.module.needs([answer.definition, *answer.helpers], stop_at=exercises | helpers)

    def summary(self, definition: Definition) -> str:
        """The first sentence of a definition's docstring, or of the comment above it.

        Raises:
            GradingError: it has neither, or there is no full stop.
        """
        node = definition.node
        if isinstance(node, Function | ast.ClassDef):
            description = (ast.get_docstring(node) or "").partition("\n\n")[0]
        else:
            lines = self.module.text(definition).splitlines()
            description = " ".join(line.removeprefix("#") for line in lines if line.startswith("#"))
        first = re.match(r".*?\.(?= |$)", " ".join(description.split()))
        if not first:
            names = ", ".join(f"`{name}`" for name in definition.names)
            raise GradingError(f"students get {names} without an explanation: write a docstring, or a comment above it")
        return first[0]


def find_answers(lesson: Lesson, library: Path = PROJECT) -> Teaching:
    """Find a lesson's exercises in the library.

    Args:
        library: the folder that contains `course`.

    Raises:
        GradingError: there is no such module, or it does not define what the lesson names.
    """
    path = library.joinpath(*lesson.module.split(".")).with_suffix(".py")
    if not path.is_file():
        raise lesson.error(lesson.tasks[0].line, f"there is no module {lesson.module}; wanted {path}")
    module = LibraryModule(path, lesson.module)
    return Teaching(lesson, module, [_find_answer(lesson, task, module) for task in lesson.tasks])


def _find_answer(lesson: Lesson, task: Task, module: LibraryModule) -> Answer:
    def fail(message: str) -> NoReturn:
        raise lesson.error(task.line, message)

    def find(name: str) -> Definition:
        definition = module.find(name)
        if definition is None:
            known = ", ".join(name for one in module.definitions for name in one.names)
            fail(f"{module.name} defines no {name}; it defines {known or 'nothing'}")
        return definition

    definition = find(task.name)
    if isinstance(definition.node, Function):
        if task.methods:
            fail(f"{task.name} is a function; only a class has methods")
        return Answer(task, definition, {task.name: definition.node}, [find(name) for name in task.helpers])
    if not isinstance(definition.node, ast.ClassDef):
        fail(f"{task.name} is neither a function nor a class; only these can be exercises")
    methods = {node.name: node for node in definition.node.body if isinstance(node, Function)}
    if not task.methods:
        fail(f'{task.name} is a class; name the methods that students write, as in methods="build call"')
    for name in task.methods:
        if name not in methods:
            fail(f"{task.name} has no method {name}; it has {', '.join(methods) or 'none'}")
    bodies = {f"{task.name}.{name}": methods[name] for name in task.methods}
    helpers = [find(name) for name in task.helpers if name not in methods]
    return Answer(task, definition, bodies, helpers, [methods[name] for name in task.helpers if name in methods])
