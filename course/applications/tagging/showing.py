"""Texts with their names, for people and programs: coloured in a terminal, as a page, and as CoNLL's columns.

Colour alone never carries the kind of a name: the kind is written beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jinja2 import Environment
from rich.text import Text

from course.applications.tagging.texts import TaggedText
from course.entities import tag_parts

# On the page, dark letters stand on a light ground with a contrast of at least 7 : 1.
_IN_TERMINAL = ("bold blue", "bold green", "bold magenta", "bold yellow", "bold cyan", "bold red")
_ON_PAGE = ("#d7e8ff", "#d5f2dd", "#f6dcf3", "#fdeebf", "#d3f1f4", "#ffdfd6")

# A name, with its kind beside it in small letters. Text between names is unchanged.
_NAMES = """{%- macro names(parts) -%}
{%- for words, kind in parts -%}
{%- if kind %}<mark style="background: {{ colours[kind] }}; color: #1a1a1a; border: 1px solid #555;
 border-radius: .25rem; padding: .05rem .3rem">{{ words }} <small>{{ kind }}</small></mark>
{%- else %}{{ words }}{% endif %}
{%- endfor -%}
{%- endmacro -%}
"""
_TEMPLATES = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
_PARAGRAPHS = _TEMPLATES.from_string(
    _NAMES
    + """{% for title, parts in texts.items() %}
<p style="line-height: 1.9"><b>{{ title }}:</b> {{ names(parts) }}</p>
{% endfor %}
"""
)
_PAGE = _TEMPLATES.from_string(
    _NAMES
    + """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Names</title>
<style>
body { font: 1.1rem/1.9 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem }
main > p { white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
<main>
<h1>Names</h1>
<p>{{ total }} found in {{ texts | length }} {{ "text" if texts | length == 1 else "texts" }}
{{- ": " if counts else "." }}
{%- for kind, count in counts.items() %}{{ count }} {{ kind }}{{ "." if loop.last else ", " }}{% endfor %}</p>
{% for parts in texts %}
<p>{{ names(parts) }}</p>
{% endfor %}
</main>
</body>
</html>
"""
)


def kinds_of(tags: Sequence[str]) -> list[str]:
    """Return the kinds of names in these tags, each once, in their order."""
    return list(dict.fromkeys(tag_parts(tag)[1] for tag in tags if tag != "O"))


def parts_of(text: TaggedText) -> Iterator[tuple[str, str]]:
    """Yield the whole text in pieces: each name with its kind, and the text between names with ""."""
    position = 0
    for start, end, kind in text.names():
        if start > position:
            yield text.text[position:start], ""
        yield text.text[start:end], kind
        position = end
    if position < len(text.text):
        yield text.text[position:], ""


def in_terminal(text: TaggedText, kinds: Sequence[str]) -> Text:
    """Return the text with each name in brackets, with its kind, and in the kind's colour."""
    shown = Text()
    for words, kind in parts_of(text):
        if kind:
            style = _IN_TERMINAL[list(kinds).index(kind) % len(_IN_TERMINAL)]
            shown.append(f"[{words}", style).append(f" {kind}]", style.replace("bold", "italic"))
        else:
            shown.append(words)
    return shown


@dataclass(frozen=True)
class Shown:
    """Texts with their names highlighted in a notebook, and in brackets elsewhere.

    Args:
        texts: each by its title, such as "true" and "found".
        kinds: of names, in the order of their colours.
    """

    texts: Mapping[str, TaggedText]
    kinds: Sequence[str]

    def __repr__(self) -> str:
        return "\n".join(f"{title}: {in_terminal(text, self.kinds).plain}" for title, text in self.texts.items())

    def _repr_html_(self) -> str:
        return _PARAGRAPHS.render(
            texts={title: list(parts_of(text)) for title, text in self.texts.items()}, **_look(self.kinds)
        )


def as_page(texts: Sequence[TaggedText], kinds: Sequence[str]) -> str:
    """Return a self-contained page of HTML."""
    parts = [list(parts_of(text)) for text in texts]
    found = [kind for pieces in parts for _, kind in pieces if kind]
    counts = {kind: found.count(kind) for kind in kinds if kind in found}
    return _PAGE.render(texts=parts, total=len(found), counts=counts, **_look(kinds))


def _look(kinds: Sequence[str]) -> dict[str, dict[str, str]]:
    return {"colours": {kind: _ON_PAGE[number % len(_ON_PAGE)] for number, kind in enumerate(kinds)}}


def as_conll(texts: Sequence[TaggedText]) -> str:
    """Return a line for each word, with its tag after a tab, and an empty line after each text."""
    lines = ["".join(f"{word}\t{tag}\n" for word, tag in zip(text.words, text.tags, strict=True)) for text in texts]
    return "\n".join(lines) + ("\n" if lines else "")
