"""The card of the learner's model: what it read, for how long, and what it can do, chapter by chapter."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.errors import CourseError
from course.my_model.folder import Progress, my_model, read_progress
from course.storage.outputs import write_json, write_text
from course.validation.values import require_sizes, require_text

CARD, _NOTES = "README.md", "notes.json"
_VALUES = ("yours", "course", "baseline")


@dataclass(frozen=True)
class Card:
    """A text that a notebook renders as Markdown."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text


def card() -> Card:
    """Return the card of your model, `my_model/README.md`; without a model, a line that says so."""
    folder = my_model()
    try:
        text = _text(folder) if folder and folder.is_dir() else f"There is no {folder or 'my_model'}/ yet."
    except CourseError as error:
        text = str(error)
    return Card(text)


def note(chapter: int, ability: str, *, yours: Any = None, course: Any = None, baseline: Any = None) -> Card:
    """Write what your model can do into its card. The same ability of the same chapter replaces its line.

    Args:
        chapter: the number of the chapter.
        ability: what was measured, in a few words.
        yours, course, baseline: the results of your model, of the encoder that comes with the course, and of what needs
            no encoder: numbers, or a few words. None: not measured.

    Returns:
        The card. If `yours` is None, nothing is written, and it is one line that says so.

    Raises:
        TypeError, ValueError: the chapter is not a positive whole number, or the ability is not a text.

    Example:
        >>> my_model.note(8, "topics from 60 labels", yours=0.91, course=0.93, baseline=0.66)
    """
    require_sizes(chapter=chapter)
    require_text(ability, "ability")
    folder = my_model()
    if yours is None or folder is None or not folder.is_dir():
        return Card("Nothing new on your card: there is no model of yours.")
    line = {"chapter": int(chapter), "ability": ability}
    line |= {name: _said(value) for name, value in zip(_VALUES, (yours, course, baseline), strict=True)}
    try:
        others = [one for one in _notes(folder) if (one["chapter"], one["ability"]) != (chapter, ability)]
        write_json(folder / _NOTES, sorted([*others, line], key=lambda one: one["chapter"]))
        write_card(folder)
    except CourseError as error:
        return Card(str(error))
    return card()


def write_card(folder: Path) -> None:
    """Write the card again, from what the run and the chapters have recorded.

    Raises:
        CourseError: a file cannot be read or written.
    """
    write_text(folder / CARD, _text(folder))


def _text(folder: Path) -> str:
    lines = ["# My model", "", *_run(read_progress(folder)), "", "## What it can do", ""]
    lines += ["| chapter | | mine | the course's | baseline |", "|---|---|---:|---:|---:|"]
    for one in _notes(folder):
        cells = (str(one["chapter"]), one["ability"], *(one[name] for name in _VALUES))
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    return "\n".join(lines) + "\n"


def _run(progress: Progress | None) -> list[str]:
    if progress is None or not progress.total:
        return ["No run has recorded what it has read."]
    share = progress.step / progress.total
    own = ", ".join(f"`{name}`" for name in progress.own) or "nothing"
    read = f"the first 4,000 articles of the sample, {progress.pieces:,} pieces, {share * progress.epochs:.1f} times"
    rows = [
        ("what it read", f"{read}, and nothing else"),
        ("for how long", f"{progress.step:,} of {progress.total:,} steps, {progress.duration}"),
        ("what I wrote of it", own + (f". Left out: {progress.left_out}" if progress.left_out else "")),
        ("what it cannot do", "it knows the made-up world of the sample, and nothing of the real one"),
    ]
    return ["| | |", "|---|---|", *(f"| {name} | {value.replace('|', '/')} |" for name, value in rows)]


def _notes(folder: Path) -> list[dict[str, Any]]:
    path = folder / _NOTES
    try:
        lines = json.loads(path.read_text(encoding="utf-8"))
        for one in lines:
            int(one["chapter"]), [str(one[name]) + "" for name in ("ability", *_VALUES)]
        return lines
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CourseError(
            f"{path} cannot be read ({error}). Delete it, and run the chapters' last cells again."
        ) from error


def _said(value: Any) -> str:
    if value is None:
        return ""
    with suppress(TypeError, ValueError):
        return str(value) if isinstance(value, str | int) else f"{float(value):.3f}"
    return str(value)
