"""Damage to the file: its encoding, its end, its name, what it is packed in."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile

from benchmarks.submissions.damage.kind import (
    ATTENTION,
    CAUSAL,
    LAYER,
    MERGE,
    PADDING,
    SPLIT,
    code_cells,
    kind,
    own_cell,
    released,
    right,
    text_of,
)


@kind()
def conflict_around_cells() -> bytes:
    """Merge-conflict markers of git in the file."""
    made = right()
    text = text_of(made)
    ours = json.dumps(own_cell(made, MERGE)["source"], ensure_ascii=False)
    theirs = json.dumps(own_cell(released(), MERGE)["source"], ensure_ascii=False)
    line = next(line for line in text.splitlines(keepends=True) if ours in line)
    conflict = f"<<<<<<< HEAD\n{line}=======\n{line.replace(ours, theirs)}>>>>>>> origin/main\n"
    return text.replace(line, conflict).encode()


@kind()
def conflict_in_cells() -> bytes:
    """Merge-conflict markers of git in a solution."""
    made = right()
    cell = own_cell(made, CAUSAL)
    *head, last = cell["source"].splitlines()
    cell["source"] = "\n".join([*head, "<<<<<<< local", last, "=======", "    return None", ">>>>>>> remote"])
    return text_of(made).encode()


@kind()
def utf_16() -> bytes:
    """Written in UTF-16."""
    return text_of(right()).encode("utf-16")


@kind()
def windows_1252() -> bytes:
    """Written in Windows-1252."""
    return text_of(right()).encode("cp1252", "replace")


@kind()
def byte_order_mark() -> bytes:
    """A byte order mark before it and null bytes behind it."""
    return b"\xef\xbb\xbf" + text_of(right()).encode() + b"\0" * 500


@kind(lost={LAYER})
def truncated() -> bytes:
    """Cut off in the middle of the last solution."""
    text = text_of(right())
    return text[: text.index("class MultiHeadAttention") + 900].encode()


@kind()
def cut_behind() -> bytes:
    """Cut off behind the last solution."""
    made = right()
    text = text_of(made)
    last = json.dumps(own_cell(made, LAYER)["source"], ensure_ascii=False)
    return text[: text.index(last) + len(last) + 30].encode()


@kind()
def commas() -> bytes:
    """Edited by hand: commas too many."""
    return text_of(right()).replace("\n  }", "\n  ,}").encode()


@kind()
def large_outputs() -> bytes:
    """A hundred megabytes of outputs."""
    made = right()
    pixels = "iVBORw0KGgo" * 900_000
    for cell in code_cells(made)[:10]:
        cell["outputs"] = [{"output_type": "display_data", "data": {"image/png": pixels}, "metadata": {}}]
    return text_of(made).encode()


@kind("alice (1).ipynb.txt")
def wrong_name() -> bytes:
    """The wrong file name: .ipynb.txt."""
    return text_of(right()).encode()


@kind("alice.json")
def named_json() -> bytes:
    """The wrong file name: .json."""
    return text_of(right()).encode()


@kind("alice.zip")
def zipped() -> bytes:
    """In an archive, in a folder, with what a system adds."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chapter 3/03_attention (2).ipynb", text_of(right()))
        archive.writestr("__MACOSX/chapter 3/._03_attention (2).ipynb", b"\0\5\x16\7")
        archive.writestr("chapter 3/.ipynb_checkpoints/03_attention-checkpoint.ipynb", text_of(released()))
    return buffer.getvalue()


@kind("alice.zip")
def named_zip() -> bytes:
    """A tar archive that is called zip."""
    buffer, data = io.BytesIO(), text_of(right()).encode()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        info = tarfile.TarInfo("03_attention.ipynb")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


@kind(lost={ATTENTION, PADDING, CAUSAL, SPLIT, MERGE, LAYER})
def web_page() -> bytes:
    """The web page around the notebook instead of the notebook."""
    return b"<!DOCTYPE html><html><body>alice.ipynb</body></html>"
