"""The card that a check shows: which checks pass and fail, the named mistake, a hint that unfolds, a picture."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import jinja2
import markupsafe

from grading.feedback.record import CheckRecord, ExerciseRecord, RemarkRecord, translated
from grading.messages import Message
from grading.messages.translator import Translator

_IN_ENGLISH = Translator()


@cache
def environment(*folders: Path, translator: Translator = _IN_ENGLISH) -> jinja2.Environment:
    """The Jinja environment of these folders and of the card's templates. It escapes everything put into a page.

    Args:
        folders: of templates.
        translator: says what the templates say by `say`, and the sentences of records.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, Path(__file__).parent / "templates"]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["points"] = format_points
    environment.filters["signed"] = signed
    environment.filters["in_points"] = lambda *points: translator(in_points(*points))
    environment.filters["checks_once"] = partial(checks_once, translator=translator)
    environment.filters["code"] = with_code
    environment.filters["breakable"] = breakable
    environment.globals["say"] = translator.say
    environment.globals["page_language"] = translator.html_language
    return environment


def format_points(points: float) -> str:
    """Points as text: 2.0 becomes 2, and 2.5 stays 2.5."""
    return f"{points:g}"


def in_points(points: float, of: float | None = None) -> Message:
    """Points with their unit: `1 point`, `2.5 points`, or with a maximum `1 of 1 point`, `1 of 2 points`."""
    earned = format_points(points)
    if of is None:
        return Message("{earned} point", plural="{earned} points", earned=earned, count=points)
    return Message(
        "{earned} of {most} point", plural="{earned} of {most} points", earned=earned, most=format_points(of), count=of
    )


def signed(number: float) -> str:
    """A number with two decimals and, if it is below 0, a minus sign."""
    return f"{number:.2f}".replace("-", "−")


def with_code(text: str) -> markupsafe.Markup:
    """A sentence as HTML, with `names` between backticks as code; all else is escaped."""
    pieces = [markupsafe.escape(piece) for piece in text.split("`")]
    marked = (f"<code>{piece}</code>" if index % 2 else piece for index, piece in enumerate(pieces))
    return markupsafe.Markup("".join(marked))


def breakable(name: str) -> markupsafe.Markup:
    """A name as HTML that may wrap between its words, so that it fits a narrow column."""
    words = re.findall(r"[A-Z]?[^A-Z_]*_?", name)
    return markupsafe.Markup("<wbr>").join(word for word in words if word)


def checks_once(result: ExerciseRecord, translator: Translator = _IN_ENGLISH) -> list[CheckRecord]:
    """The checks of an exercise; a message that is repeated, or stands above them, becomes `as above`."""
    shown = {result["problem"], *(mistake["sentence"] for mistake in result["mistakes"])}
    checks = []
    for check in result["checks"]:
        repeated = check["message"] and check["message"] in shown
        shown.add(check["message"])
        checks.append(CheckRecord(**{**check, "message": translator.say("as above")}) if repeated else check)
    return checks


class Card:
    """An exercise's result as a notebook shows it: as HTML, else as plain text."""

    def __init__(self, result: ExerciseRecord, progress: str = "", translator: Translator = _IN_ENGLISH) -> None:
        self.result = result
        self.progress = progress
        self._translator = translator

    def html(self) -> str:
        macros: Any = environment(translator=self._translator).get_template("card.html").module
        return str(macros.card(translated(self.result, self._translator), self._translator(self.progress)))

    def text(self) -> str:
        result, say = translated(self.result, self._translator), self._translator.say
        points = self._translator(in_points(result["earned"], result["points"]))
        lines = [f"{'✓' if result['passed'] else '✗'} {result['name']}: {points}"]
        lines += [f"  {result['override']}"] if "override" in result else []
        for mistake in result["mistakes"]:
            lines += [f"  {mistake['sentence']}", f"    {say('Hint: {hint}', hint=mistake['hint'])}"]
        for remark in result["observed"]:
            lines += [f"  {line}" for line in self._remark(remark)]
        lines += [f"  {result['problem']}"] if result["problem"] else []
        for check in checks_once(result, self._translator):
            lines.append(f"  {'✓' if check['passed'] else '✗'} {check['title']}")
            lines += [f"      {check['message']}"] if check["message"] else []
        return "\n".join([*lines, self._translator(self.progress)] if self.progress else lines)

    def _remark(self, remark: RemarkRecord) -> list[str]:
        say, sentence, hint = self._translator.say, remark["sentence"], remark["hint"]
        if remark["mark"] == "Observed":
            return [say("Observed: {sentence}", sentence=sentence), f"  {hint}"]
        return [say("Perhaps: {sentence}", sentence=sentence), f"  {say('Hint: {hint}', hint=hint)}"]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}
