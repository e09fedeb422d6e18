"""What a submission can cost before it runs: cells of 200 KB and archives of up to 20 MB, made to be read for hours.

A reading process has 20 seconds of processor time. The table shows what each submission costs there, and its result.
"""

from __future__ import annotations

import gzip
import io
import itertools
import json
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grading.classroom.reading import SECONDS, Readers
from grading.submission import DamagedSubmission, SubmissionFile
from grading.submission.cell_ids import exercise_cell_id

_SIZE = 195_000
_RIGHT = "def padding_mask(token_ids, padding_id=0):\n    return (token_ids != padding_id)[:, None, None, :] & x\n"


def measure() -> list[dict[str, Any]]:
    """A row for each submission."""
    with tempfile.TemporaryDirectory() as folder:
        return [_row(what, name, data, Path(folder)) for what, name, data in itertools.chain(_cells(), _archives())]


def _row(what: str, name: str, data: bytes, folder: Path) -> dict[str, Any]:
    path = folder / name
    path.write_bytes(data)
    with Readers() as readers:
        readers.chapters(SubmissionFile("nobody", path, ()))  # starts the process, so that its imports do not count
        number = readers._idle[0]._process.pid
        clock = (~number << 3) | 2  # the id of the kernel's CPU-time clock for that process
        before, ended = time.clock_gettime(clock), 0.0
        try:
            read = readers.read(SubmissionFile("alice", path, (path,)), 3)
            gets = read.problem
            if read.notebook is not None:
                gets = readers.cut(read.notebook, 3).extraction.exercises["padding_mask"].status
        except DamagedSubmission as damage:
            gets = str(damage)
        try:
            ended = time.clock_gettime(clock) - before
        except OSError:
            ended = float(SECONDS)  # the process was killed at its limit
    return {"submission": what, "kilobytes": len(data) // 1000, "seconds": ended, "gets": gets[:70]}


def _notebook(*sources: str) -> bytes:
    cells = [{"cell_type": "code", "id": exercise_cell_id("padding_mask"), "source": _RIGHT}]
    cells += [{"cell_type": "code", "id": f"mine-{place}", "source": text} for place, text in enumerate(sources)]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def _cells() -> Iterator[tuple[str, str, bytes]]:
    def filled(first: str, line: str) -> str:
        return first + line * ((_SIZE - len(first)) // len(line))

    def numbered(line: Callable[[int], str]) -> str:
        return "".join(itertools.takewhile(bool, (line(number) for number in range(_SIZE // len(line(9999))))))

    yield "an honest notebook", "a.ipynb", _notebook("x = True\n")
    sources = {
        "a name that changes itself": filled("x = 0\n", "x=x+1\n"),
        "the exercise changes itself": filled("", "padding_mask=f(padding_mask)\n"),
        "one line, not ASCII": filled("é=0", ";x=é"),
        "a chain of names": "x=v0\n" + numbered(lambda number: f"v{number}=v{number + 1}\n"),
        "a chain of names that need many": filled("x=v0\n", "y=1\n")[: _SIZE // 2]
        + numbered(lambda number: f"v{number}=v{number + 1},y\n")[: _SIZE // 2].rpartition("\n")[0],
        "a chain of names of a library": "import keras\nv0=keras\nx=v0\n" + numbered(lambda n: f"v{n + 1}=v{n}.a\n"),
        "attributes of attributes": filled("import keras\nx=keras\n", "x=keras" + ".__dict__" * 400 + "\n"),
        "brackets in brackets": filled("x=1\n", "x=" + "(" * 80 + "x" + ")" * 80 + "\n"),
        "functions in functions": filled(
            "x=1\n", "".join(f"{' ' * n}def f{n}():\n" for n in range(90)) + " " * 91 + "x\n"
        ),
        "blocks": filled("x=1\n", "if x:\n x=x\n"),
        "a set of names": "x=" + ",".join(f"n{number}" for number in range(_SIZE // 7)) + "\n",
        "a text of 65,000 expressions": filled("x=f'", "{x}") + "'\n",
        "magics": filled("x=1\n", "%time x=x\n"),
        "what begins and never ends": filled("x=1\n", "def f(\n"),
    }
    for what, text in sources.items():
        yield f"cell: {what}", "a.ipynb", _notebook(text)
    yield "cells: five of the worst", "a.ipynb", _notebook(*[sources["a chain of names that need many"]] * 4)
    rests = _notebook("x = (1,\n" + "2,\n" * 60_000, *["  z = (\n"] * 60)
    yield "cells: rests of the one before", "a.ipynb", rests


def _archives() -> Iterator[tuple[str, str, bytes]]:
    bomb = bytes(190_000_000)
    yield "archive: forty names of one file", "a.zip", _of_many_names(bomb)
    yield "archive: bombs in a row", "a.zip", _zip(itertools.repeat(bomb, 25))
    yield "archive: 5,000 notebooks", "a.zip", _zip(_notebook("x = 1\n" * 7_000, str(n)) for n in range(4_900))
    deep = b'{"cells": [' + b'{"source": [' * 5_000_000
    yield "archive: JSON that is nested", "a.zip", _zip([deep] * 3)
    cells = b'{"cells": [' + b'{"id": "' * 7_000_000
    yield "archive: cells that never end", "a.zip", _zip([cells] * 3)
    yield "archive: conflicts", "a.zip", _zip([b"<<<<<<< a\n" * 6_000_000] * 3)
    yield "archive: a tar of headers", "a.tar.gz", _headers()


def _zip(contents: Any) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number, content in enumerate(contents):
            archive.writestr(f"{number}.ipynb", content)
    return buffer.getvalue()


def _of_many_names(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.ipynb", content)
        archive.filelist += [archive.filelist[0]] * 39
    return buffer.getvalue()


def _headers() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for number in range(4_000):
            info = tarfile.TarInfo(f"{number}.ipynb")
            info.pax_headers = {f"key{place}": "=" * 900 for place in range(50)}
            archive.addfile(info)
    return gzip.compress(buffer.getvalue(), 1)
