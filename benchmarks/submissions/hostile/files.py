"""Attacks on the reader of a submission: in archives, in notebooks without measure, and in names."""

from __future__ import annotations

import copy
import gzip
import io
import json
import os
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from nbformat import NotebookNode, v4

from benchmarks.submissions.hostile.corpus import PADDING, RIGHT, Attack, notebook
from grading.lessons.notebook import notebook_text

_KIND = "harms who reads it"
_ANSWER = "def padding_mask(token_ids, padding_id=0):\n    return (token_ids != padding_id)[:, None, None, :]\n"
_WRONG = "def padding_mask(token_ids, padding_id=0):\n    return token_ids\n"


def hand_in_files(submissions: Path, secret: Path) -> Iterator[Attack]:
    """Puts every attack that is a file into a folder of submissions.

    Args:
        submissions: the folder.
        secret: a file that links in there lead to.

    Yields:
        Each attack, under the name by which its submission is found.
    """
    for make in (_archives, _cells, _texts, _names, _links):
        yield from make(submissions, secret)


def _archives(submissions: Path, secret: Path) -> Iterator[Attack]:
    (submissions / "an archive that leads out.tar").write_bytes(_leading_out(secret))
    yield _attack("an archive that leads out", "Leads out of its folder by ../, by absolute paths and by links.", RIGHT)
    (submissions / "a bomb of zeros.zip").write_bytes(_bomb())
    yield _attack("a bomb of zeros", "Unpacks to more than is read.", 0)
    (submissions / "one file of forty names.zip").write_bytes(_of_forty_names())
    yield _attack("one file of forty names", "Has a directory that names one large file forty times.", 0)
    (submissions / "bombs in a row.zip").write_bytes(_bombs_in_a_row())
    yield _attack("bombs in a row", "Has forty files that unpack to more than is read.", RIGHT)
    (submissions / "zeros in zeros.tar.gz").write_bytes(gzip.compress(bytes(300 << 20), 1))
    yield _attack("zeros in zeros", "Is a packed archive of zeros.", 0)


def _leading_out(secret: Path) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:

        def add(name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, target: str = "") -> None:
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.size = kind, target, len(data)
            archive.addfile(info, io.BytesIO(data))

        add("../left_behind.ipynb", b"leak")
        add("/tmp/left_behind.ipynb", b"leak")
        add("link.ipynb", kind=tarfile.SYMTYPE, target=str(secret))
        add("hard.ipynb", kind=tarfile.LNKTYPE, target=str(secret))
        add("pipe.ipynb", kind=tarfile.FIFOTYPE)
        add("device.ipynb", kind=tarfile.CHRTYPE)
        add("folder", kind=tarfile.SYMTYPE, target=str(secret.parent))
        add("folder/left_behind.ipynb", b"leak")
        add("mine.ipynb", notebook_text(_right()).encode())
    return buffer.getvalue()


def _bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("zeros.ipynb", "w") as file:
        for _ in range(210):
            file.write(bytes(1 << 20))
    return buffer.getvalue()


def _of_forty_names() -> bytes:
    """Each record of the directory leads to the same packed text."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros0.ipynb", bytes(100 << 20))
        (first,) = archive.infolist()
        for number in range(1, 40):
            again = copy.copy(first)
            again.filename = again.orig_filename = f"zeros{number}.ipynb"
            archive.filelist.append(again)
    return buffer.getvalue()


def _bombs_in_a_row() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mine.ipynb", notebook_text(_right()))
        for number in range(40):
            archive.writestr(f"zeros{number}.ipynb", bytes(12 << 20))
    return buffer.getvalue()


def _cells(submissions: Path, secret: Path) -> Iterator[Attack]:
    changes: dict[str, tuple[str, Callable[[NotebookNode], None]]] = {
        "a cell of ten megabytes": ("Has a cell of ten megabytes.", lambda n: _add(n, "# x\n" * 2_500_000)),
        "ten thousand cells": ("Has ten thousand cells.", lambda n: _add(n, *(f"x = {i}" for i in range(10_000)))),
        "blank lines": ("Has half a million blank lines.", lambda n: _add(n, "\n" * 500_000 + "x")),
        "magics without end": ("Has fifty thousand magics in a cell.", lambda n: _add(n, "%%time\n" * 20_000 + "x")),
        "trees that are deep": ("Nests brackets, lambdas, signs and names as deep as can be.", _nest),
        "half of everything": ("Has cells that begin what they never end.", _begin_and_never_end),
        "a name that changes itself": (
            "Changes a name 4,000 times.",
            lambda n: _add(n, "x = 0\n" + "x = x + 1\n" * 4_000),
        ),
        "one line of statements": ("Has 30,000 statements in a line.", lambda n: _add(n, "é = 0" + "; é = é" * 18_000)),
        "an exercise that changes itself": (
            "Wraps its answer 3,000 times.",
            lambda n: _add(n, "def same(f): return f\n" + "padding_mask = same(padding_mask)\n" * 3_000),
        ),
        "rests of a cell": (
            "Has cells that may be the rest of the one before.",
            lambda n: _add(n, "x = (1,\n" + "2,\n" * 30_000, *["  z = (\n"] * 60),
        ),
        "names without end": (
            "Names things at a length that nobody reads.",
            lambda n: _add(n, f"def {'x' * 150_000}(): return y\n", "import " + "z" * 150_000),
        ),
        "another kernel": ("Says that its kernel is a shell.", _for_another_kernel),
    }
    for name, (about, change) in changes.items():
        made = _right()
        change(made)
        (submissions / f"{name}.ipynb").write_text(json.dumps(made))
        yield _attack(name, about, RIGHT)
    greedy = notebook({PADDING: _WRONG})
    _raise_points(greedy)
    (submissions / "points raised.ipynb").write_text(json.dumps(greedy))
    yield _attack("points raised", "Raises its points to a thousand, and rewrites the checks' cells.", 0)


def _nest(made: NotebookNode) -> None:
    for text in ("(", "[", "{", "-", "~", "not ", "lambda: ", "a.", "a[", "f(", "a if b else ", "a or ", "*", "await "):
        _add(made, "x = " + text * (150_000 // len(text)) + "1")
    _add(made, "x = a" + ".b" * 70_000, "x = f" + "()" * 70_000, "x = 1" + "+1" * 70_000, "x = " + "9" * 150_000)
    _add(made, "".join(f"{' ' * depth}if x:\n" for depth in range(500)) + " " * 500 + "pass")
    _add(made, "x = " + "f'{" * 300 + "1" + "}'" * 300, "match x:\n case " + "[" * 50_000)


def _begin_and_never_end(made: NotebookNode) -> None:
    starts = ("'''", '"""', "def f(\n", "class A:\n", "@a\n", "(\n", "\\\n", "x = (\n", "%", "!", "\t ", "a\n=", "\f")
    for text in starts:
        _add(made, text * (150_000 // len(text)))
    _add(made, "<<<<<<< a\n" * 15_000, "from a import b\n" * 10_000, "x = 1;" * 25_000, "a = b = " * 15_000 + "1")


def _for_another_kernel(made: NotebookNode) -> None:
    made.metadata.kernelspec = {"name": "bash", "language": "bash", "display_name": "rm -rf ~"}
    made.metadata.language_info = {"name": "bash"}


def _raise_points(made: NotebookNode) -> None:
    made.metadata.course = {"chapter": 3, "points": 1000}
    for cell in made.cells:
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader.points = 1000
        if cell.id.startswith("check-"):
            cell.source = "print('1000 points')\nassert True"


def _texts(submissions: Path, secret: Path) -> Iterator[Attack]:
    texts = {
        "deep JSON": b'{"cells": ' + b"[" * 3_000_000,
        "endless metadata": b'{"metadata": {' + b'"a": 1, ' * 500_000 + b'"cells": []}',
        "conflicts without end": b"<<<<<<< a\n" * 300_000,
        "nothing but quotes": b'"' * 3_000_000,
    }
    for name, text in texts.items():
        (submissions / f"{name}.ipynb").write_bytes(text)
        yield _attack(name, "Is JSON that no reader likes.", 0)


def _names(submissions: Path, secret: Path) -> Iterator[Attack]:
    names = {
        b"<script>alert('it runs')<!--": "<script>alert('it runs')<!--",
        b'=HYPERLINK("x")': '=HYPERLINK("x")',
        b"bob;=A1*2;": "bob;=A1*2;",
        b"{{ 7 * 7 }}[bold red]": "{{ 7 * 7 }}[bold red]",
        b"\x1b[2Jclears\nthe screen": "\\x1b[2Jclears\\nthe screen",
        b"half a character \xff": "half a character \\xff",
        b"%2e%2e%2f%00": "%2e%2e%2f%00",
        b"x" * 240: "x" * 240,
    }
    for name, student in names.items():
        with open(os.path.join(os.fsencode(submissions), name + b".ipynb"), "w") as file:  # noqa: PTH118, PTH123
            file.write(notebook_text(_right()))
        yield _attack(student, "Has a name that does something where it is shown.", RIGHT)


def _links(submissions: Path, secret: Path) -> Iterator[Attack]:
    (submissions / "a link.ipynb").symlink_to(secret)
    yield _attack("a link", "Is a link to a file of the grader's.", 0)
    (submissions / "a folder of links").mkdir()
    (submissions / "a folder of links" / "mine.ipynb").symlink_to(submissions / "blank lines.ipynb")
    (submissions / "a folder of links" / "all").symlink_to(submissions, target_is_directory=True)
    yield _attack("a folder of links", "Links to another student's notebook.", 0)
    os.mkfifo(submissions / "a pipe.ipynb")
    yield _attack("a pipe", "Is a pipe that nobody writes to.", 0)


def _right() -> NotebookNode:
    return notebook({PADDING: _ANSWER})


def _add(made: NotebookNode, *sources: str) -> None:
    made.cells += [
        v4.new_code_cell(source, id=f"mine-{len(made.cells)}-{place}") for place, source in enumerate(sources)
    ]


def _attack(name: str, about: str, earns: float) -> Attack:
    return Attack(name, _KIND, about, None, earns=earns)
