"""The hostile submissions: what each tries, and the points that it deserves all the same."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from nbformat import NotebookNode

from benchmarks.submissions.notebooks import handed_in, right_answers
from grading.exercises.registry import chapter
from grading.judging.expectations import LiveExpectations
from grading.lessons.notebook import notebook_text
from grading.submission.cell_ids import exercise_cell_id

PADDING, CAUSAL = "padding_mask", "causal_mask"
RIGHT = 2.0  # all points of padding_mask
HONEST = 1.0  # all points of causal_mask, which every attacker solves as the library does

_ATTACKS = Path(__file__).parent / "attacks"


@dataclass(frozen=True)
class Attack:
    """One hostile submission.

    Attributes:
        name: the student who hands it in.
        kind: what it is after.
        about: what it does.
        source: its cell; None where the attack is in the file that is handed in.
        exercise: whose cell that is.
        earns: what that exercise earns, where a part of the answer is right.
        flagged: whether the instructor must be pointed to it.
    """

    name: str
    kind: str
    about: str
    source: str | None
    exercise: str = PADDING
    earns: float = 0.0
    flagged: bool = False

    def notebook(self, canaries: dict[str, str]) -> NotebookNode:
        """The attack in its exercise's cell; the names in capitals stand for what it is said to be near."""
        source = self.source or ""
        for name, value in canaries.items():
            source = source.replace(name, value)
        return notebook({self.exercise: source})


@dataclass(frozen=True)
class _Group:
    """Attacks of one kind: by the name of their file, the points that are earned where these are not none."""

    kind: str
    files: dict[str, float] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)


_READY_MADE = "has it ready-made"
_GROUPS = [
    _Group(
        "changes what compares",
        {
            "rewrites_assertions": 0,
            "shadows_builtins": 0,
            "patches_comparison": 0,
            "patches_pickle": 0,
            "replaces_the_interpreter": 0,
            "changes_the_world": RIGHT,
        },
    ),
    _Group(
        "answers what is no answer",
        {
            "agrees_with_everything": 0,
            "answers_a_gigabyte": 0,
            "answers_a_wide_list": 0,
            "answers_without_end": 0,
            "answers_half_a_character": 0,
            "swaps_its_answer_for_the_inputs": 0,
            "right_once": 0,
            "right_for_a_batch_of_one": 0,
        },
        answers={
            "NaN": "numpy.full((*token_ids.shape[:1], 1, 1, token_ids.shape[1]), numpy.nan)",
            "ones": "numpy.ones((token_ids.shape[0], 1, 1, token_ids.shape[1]))",
            "an array of objects": "numpy.array([object()] * 3)",
            "an array of texts": "numpy.array(['True'])",
            "a structured array": "numpy.zeros(3, dtype=[('passed', bool)])",
            "a text": "'True'",
            "a generator": "(True for _ in iter(int, 1))",
            "a class": "type('bool', (), {})",
            "itself": "padding_mask",
            "nothing": "None",
        },
    ),
    _Group(
        "reads what it must not see",
        {
            "reads_secrets": 0,
            "imports_the_reference": 0,
            "finds_sources_in_memory": 0,
            "opens_sockets": 0,
        },
    ),
    _Group("writes where it must not", {"writes_to_the_gradebook": 0, "runs_the_shell": 0, "prints_the_marker": 0}),
    _Group(
        "ends what runs it",
        {"cuts_the_line": 0, "forges_answers": 0},
        lines={
            "os._exit": "__import__('os')._exit(0)",
            "os._exit by its inputs": "__import__('os')._exit(int(token_ids[0, 0]) & 255)",
            "sys.exit": "__import__('sys').exit(0)",
            "SystemExit": "raise SystemExit",
            "KeyboardInterrupt": "raise KeyboardInterrupt",
            "GeneratorExit": "raise GeneratorExit",
            "os.abort": "__import__('os').abort()",
            "a segmentation fault": "__import__('ctypes').string_at(0)",
            "a signal to its group": "__import__('os').killpg(0, 9)",
            "a stack overflow": "padding_mask(token_ids)",
        },
    ),
    _Group(
        "uses up the machine",
        {
            "sleeps": 0,
            "loops_in_a_graph": 0,
            "answers_slowly": 0,
            "starves_its_neighbours": 0,
            "takes_all_memory": 0,
            "takes_all_processes": 0,
            "fills_the_disk": 0,
            "many_weights": 0,
            "goes_on_in_the_background": RIGHT,
            "trains_for_an_hour": RIGHT,
        },
    ),
    _Group(
        "speaks to the reader",
        {
            "raises_markup": 0,
            "raises_half_a_character": 0,
            "raises_without_end": 0,
            "commands_the_terminal": 0,
            "names_that_command": 0,
        },
    ),
    _Group(
        _READY_MADE,
        {
            "calls_the_ready_made_layer": 0,
            "calls_the_ready_made_function": 0,
            "leaves_through_legacy": 0,
            "hides_its_words": 0,
        },
    ),
]


@cache
def attacks() -> tuple[Attack, ...]:
    """Every attack that is code. Those that are files are in `files`."""
    found = []
    for group in _GROUPS:
        for name, earns in group.files.items():
            source = (_ATTACKS / f"{name}.py").read_text()
            about = source.split('"""')[1]
            exercise = next(each for each in chapter(3).exercises if re.search(rf"^(def|class) {each}\(", source, re.M))
            found.append(Attack(name, group.kind, about, source, exercise, earns, group.kind == _READY_MADE))
        for what, line in group.lines.items():
            source = f"def padding_mask(token_ids, padding_id=0):\n    {line}\n"
            found.append(Attack(f"ends by {what}", group.kind, f"Ends with {what}.", source))
        for what, answer in group.answers.items():
            source = f"import numpy\n\n\ndef padding_mask(token_ids, padding_id=0):\n    return {answer}\n"
            found.append(Attack(f"answers {what}", group.kind, f"Returns {what}.", source))
    found.append(Attack("ends before it begins", "ends what runs it", "Ends where its cell is run.", _ENDS_AT_ONCE))
    found.append(
        Attack("knows the visible check", "answers what is no answer", "Has its answers by heart.", _by_heart())
    )
    return tuple(found)


_ENDS_AT_ONCE = """import os


def padding_mask(token_ids, padding_id=os._exit(0)):
    return token_ids
"""


def _by_heart() -> str:
    """A solution that holds the answers to the check that students have, in the order in which they are asked."""
    of = chapter(3)
    live = LiveExpectations(of)
    exercise = of.exercises[PADDING]
    answers = [np.asarray(live.reference(exercise, check).value).tolist() for check in exercise.checks]
    return inspect.cleandoc(
        f"""
        import numpy

        answers = {answers}


        def padding_mask(token_ids, padding_id=0):
            return numpy.array(answers[0 if padding_id == 0 else 1])
        """
    )


def notebook(cells: dict[str, str]) -> NotebookNode:
    """The released notebook, with causal_mask solved and these exercises' cells as given."""
    return handed_in(3, {CAUSAL: right_answers(3)[exercise_cell_id(CAUSAL)], **cells}, others=False)


def right_notebook() -> str:
    """A neighbour's: every exercise solved as the library does."""
    return notebook_text(handed_in(3, {}))
