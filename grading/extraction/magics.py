"""Removes IPython's own syntax from a cell: magics, shell lines, help. Every line keeps its number."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Cell magics whose body runs as ordinary code in the notebook.
_TRANSPARENT = {"time", "capture", "prun"}
_CELL_MAGIC = re.compile(r"\s*^%%(\w+)[ \t]*([^\n]*)", re.MULTILINE)
_WRITTEN_FILE = re.compile(r"(?:-a[ \t]+)?(?:\./)?([A-Za-z_]\w*)\.py[ \t]*")

# None of these can begin a statement in Python.
_LINE_MAGIC = re.compile(
    r"""(?P<indent>[ \t]*+)
    (?: [%!?]                                       # %matplotlib inline, !pip install, ?help
      | [\w.]++\?{1,2}[ \t]*+$                        # help?
      | [\w, \t.]++=[ \t]*(?:!|%(?=[A-Za-z]))        # files = !ls
    )""",
    re.VERBOSE | re.MULTILINE,
)
_TIMED = re.compile(r"(?P<indent>[ \t]*)%time[ \t]+(?=[A-Za-z_])")
_WHOLE_LINE = re.compile(r"(?:[^\n\\]|\\.|\\\n)*+", re.DOTALL)

# The tokens that decide where a statement's line ends.
_TOKEN = re.compile(
    r'''(?P<comment>\#[^\n]*)
    | (?P<string>"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z) | \'\'\'(?:[^'\\]|\\.|'(?!\'\'))*+(?:\'\'\'|\Z)
        | "(?:[^"\\\n]|\\.)*+"? | '(?:[^'\\\n]|\\.)*+'?)
    | (?P<open>[\[({]) | (?P<close>[\])}]) | (?P<joined>\\\n) | (?P<newline>\n)
    | (?P<other>[^"'\#\[\](){}\\\n]++|\\)''',
    re.VERBOSE | re.DOTALL,
)
# These cannot begin a line inside a bracket, so here somebody forgot to close one.
_RESTART = re.compile(r"(?:async\s+def|def|class|import)\s+\w|from\s+\S+\s+import\s")


def written_module(source: str) -> str | None:
    """The module that a `%%writefile name.py` cell writes, or None."""
    magic = _CELL_MAGIC.match(source)
    if magic is None or magic[1] not in {"writefile", "file"}:
        return None
    name = _WRITTEN_FILE.fullmatch(magic[2])
    return name[1] if name else None


def without_magics(source: str) -> str:
    """The cell as Python: its magics and shell lines become `pass` or nothing."""
    while (magic := _CELL_MAGIC.match(source)) is not None:
        if magic[1] not in _TRANSPARENT and written_module(source) is None:
            return "\n" * source.count("\n")
        source = "\n" * magic[0].count("\n") + source[magic.end() :]
    pieces = []
    for start, end in logical_lines(source):
        line = source[start:end]
        if (timed := _TIMED.match(line)) is not None:
            line = timed["indent"] + line[timed.end() :]
        elif (found := _LINE_MAGIC.match(line)) is not None:
            line = found["indent"] + "pass" + "\n" * line.count("\n")
        pieces.append(line)
    return "\n".join(pieces)


def logical_lines(source: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each logical line from `start` on; brackets, strings and backslashes extend lines."""
    while start <= len(source):
        line = _WHOLE_LINE.match(source, start)
        is_magic = _LINE_MAGIC.match(source, start) and not _TIMED.match(source, start)
        end = line.end() if line and is_magic else _end_of_line(source, start)
        yield start, end
        start = end + 1


def _end_of_line(source: str, position: int) -> int:
    depth = 0
    while (token := _TOKEN.match(source, position)) is not None:
        if token.lastgroup == "open":
            depth += 1
        elif token.lastgroup == "close":
            depth = max(depth - 1, 0)
        elif token.lastgroup == "newline" and (depth == 0 or _RESTART.match(source, token.end())):
            return position
        position = token.end()
    return position
