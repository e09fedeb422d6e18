"""Submissions are found and read, intact, damaged or hostile, and none does harm."""

from __future__ import annotations

import hashlib
import io
import json
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.submission import (
    Cell,
    DamagedSubmission,
    Limits,
    Notebook,
    SubmissionFile,
    archives,
    notebooks_of,
    read_files,
    read_notebooks,
    reading,
)
from grading.submission.json_reader import JsonReader, Malformed
from grading.submission.selection import Attempt, select_notebook

SOLUTION = 'def double(x):\n    """Gives 2·x: "twice"."""\n    return x * 2\n'


def notebook_json(sources: tuple[str, ...] = ("import keras\n", SOLUTION, "double(3)")) -> dict[str, Any]:
    cells = [
        {
            "cell_type": "code",
            "execution_count": place,
            "id": f"cell-{place}",
            "metadata": {"tags": [[]]},
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["{]\n", '"cell_type": \\']}],
            "source": source.splitlines(keepends=True),
        }
        for place, source in enumerate(sources)
    ]
    return {"cells": cells, "metadata": {"course": {"chapter": 3}}, "nbformat": 4, "nbformat_minor": 5}


def text_of(notebook: dict[str, Any] | None = None) -> str:
    return json.dumps(notebook or notebook_json(), indent=1, ensure_ascii=False, sort_keys=True)


def read(tmp_path: Path, data: bytes, name: str = "alice.ipynb", limits: Limits | None = None) -> list[Notebook]:
    path = tmp_path / name
    path.write_bytes(data)
    return read_notebooks(SubmissionFile("alice", path, (path,)), limits)


def sources(notebook: Notebook) -> list[str]:
    return [cell.source for cell in notebook.cells]


def test_a_whole_notebook_is_read_without_its_outputs(tmp_path: Path) -> None:
    data = text_of().encode()
    (notebook,) = read(tmp_path, data)
    assert notebook.cells == (
        Cell("cell-0", "code", "import keras\n", 1),
        Cell("cell-1", "code", SOLUTION, 2),
        Cell("cell-2", "code", "double(3)", 3),
    )
    assert notebook.metadata_chapter == 3
    assert notebook.path_in_submission == "alice.ipynb"
    assert notebook.sha256 == hashlib.sha256(data).hexdigest()
    assert notebook.notes == ()


# --- Damage: each of these still holds the three cells, and the reader says what it mended. ---


def with_cells(change: Callable[[dict[str, Any]], None]) -> bytes:
    notebook = notebook_json()
    for cell in notebook["cells"]:
        change(cell)
    return text_of(notebook).encode()


def old_format() -> bytes:
    cells = [
        {"cell_type": "code", "input": cell["source"], "language": "python", "outputs": []}
        for cell in notebook_json()["cells"]
    ]
    return text_of({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells[:1]}, {"cells": cells[1:]}]}).encode()


def oldest_format() -> bytes:
    cells = [{"cell_type": "code", "code": "".join(cell["source"])} for cell in notebook_json()["cells"]]
    return text_of({"cells": cells}).encode()


def conflict_in_json() -> bytes:
    wanted = ' "nbformat": 4,\n'
    theirs = f"<<<<<<< HEAD\n{wanted}||||||| base\n=======\n oops {{{{[\n>>>>>>> them\n"
    assert wanted in text_of()
    return text_of().replace(wanted, theirs).encode()


def conflict_in_a_cell() -> bytes:
    lines = SOLUTION.splitlines(keepends=True)
    conflict = "".join([lines[0], "<<<<<<< local\n", *lines[1:], "=======\n", "    return 3\n", ">>>>>>> remote\n"])
    return text_of(notebook_json(("import keras\n", conflict, "double(3)"))).encode()


WHOLE = text_of().encode()
MENDED: dict[str, tuple[bytes, str]] = {
    "a byte order mark": (b"\xef\xbb\xbf" + WHOLE, ""),
    "UTF-16 with a mark": (text_of().encode("utf-16"), "UTF-16"),
    "UTF-16 without a mark": (text_of().encode("utf-16-be"), "UTF-16"),
    "UTF-32": (text_of().encode("utf-32"), "UTF-32"),
    "Windows line ends": (WHOLE.replace(b"\n", b"\r\n"), ""),
    "null bytes at the end": (WHOLE + b"\0" * 999, "null bytes"),
    "null bytes within": (WHOLE.replace(b"import", b"im\0port"), "null bytes"),
    "Windows-1252": (text_of().encode("cp1252"), "Windows-1252"),
    "no ids": (with_cells(lambda cell: cell.pop("id")), ""),
    "ids of the wrong type": (with_cells(lambda cell: cell.update(id=[{}])), ""),
    "one id for all": (with_cells(lambda cell: cell.update(id="same")), ""),
    "source as one text": (with_cells(lambda cell: cell.update(source="".join(cell["source"]))), ""),
    "lines without their ends": (
        with_cells(lambda cell: cell.update(source="".join(cell["source"]).split("\n"))),
        "",
    ),
    "source with other things in it": (with_cells(lambda cell: cell["source"].append(7)), ""),
    "no cell types": (with_cells(lambda cell: cell.pop("cell_type")), "unknown type"),
    "format 3": (old_format(), "before 4"),
    "format 1": (oldest_format(), ""),
    "trailing commas": (WHOLE.replace(b"\n  }", b"\n  ,}"), ""),
    "a merge conflict": (conflict_in_json(), "merge conflict"),
    "a merge conflict in a cell": (conflict_in_a_cell(), "merge conflict"),
    "metadata that are no object": (with_cells(lambda cell: cell.update(metadata=None)), ""),
    "cut off after the cells": (WHOLE[: WHOLE.index(b'"metadata": {\n  "course"')], "is cut off"),
    "nonsense after the cells": (WHOLE.replace(b'"nbformat"', b"nbformat]"), "not valid JSON"),
    "outputs of deep nesting": (
        with_cells(lambda cell: cell.update(outputs="DEEP")).replace(b'"DEEP"', b"[" * 50_000 + b"]" * 50_000),
        "",
    ),
    "metadata of deep nesting": (
        with_cells(lambda cell: cell.update(metadata="DEEP")).replace(b'"DEEP"', b"[" * 50_000 + b"]" * 50_000),
        "",
    ),
    "a file name of another kind": (WHOLE, ""),
}


@pytest.mark.parametrize("damage", MENDED)
def test_damage_is_repaired_with_a_note(damage: str, tmp_path: Path) -> None:
    data, note = MENDED[damage]
    name = "alice.zip" if damage == "a file name of another kind" else "alice.ipynb"
    (notebook,) = read(tmp_path, data, name)
    assert [source.rstrip("\n") for source in sources(notebook)] == [
        "import keras",
        SOLUTION.rstrip("\n"),
        "double(3)",
    ]
    assert all(cell.kind == "code" for cell in notebook.cells)
    assert note in " ".join(notebook.notes)
    if not note:
        assert notebook.notes == ()


def test_cells_before_a_cut_are_kept(tmp_path: Path) -> None:
    (notebook,) = read(tmp_path, WHOLE[: WHOLE.index(b'"double(3)') + 4])
    assert sources(notebook) == ["import keras\n", SOLUTION]
    assert any("is cut off" in note for note in notebook.notes)


def test_cells_around_a_damaged_one_are_kept(tmp_path: Path) -> None:
    damaged = WHOLE.replace(b'"import keras\\n"', b'"import keras\\n')
    (notebook,) = read(tmp_path, damaged)
    assert sources(notebook) == [SOLUTION, "double(3)"]
    assert any("not valid JSON at line" in note for note in notebook.notes)
    lines = WHOLE.replace(b'"def double(x):\\n",', b'"def double(x):\\n"').replace(
        b'twice\\".\\"\\"\\"\\n",', b'twice\\".\\"\\"\\"\\n",,'
    )
    assert lines != WHOLE
    assert sources(read(tmp_path, lines)[0])[1] == SOLUTION


def test_an_id_that_a_tool_has_stripped_is_taken_from_nbgraders_metadata(tmp_path: Path) -> None:
    notebook = notebook_json()
    del notebook["cells"][1]["id"]
    notebook["cells"][1]["metadata"] = {"nbgrader": {"grade_id": "exercise-double", "points": 1000}}
    (read_back,) = read(tmp_path, text_of(notebook).encode())
    assert [cell.id for cell in read_back.cells] == ["cell-0", "exercise-double", "cell-2"]


@pytest.mark.parametrize(
    ("data", "reason"),
    {
        "empty": (b"", "empty"),
        "zeros": (b"\0" * 3000, "empty"),
        "page": (b"<!DOCTYPE html><html>Sign in</html>", "web page"),
        "pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1", "Git LFS"),
        "text": (b"def double(x):\n    return 2 * x\n", "not a notebook"),
        "list": (b"[1, 2]", "not a notebook"),
        "other JSON": (b'{"nbformat": 4}', "no cells"),
        "cells of another type": (b'{"cells": "many"}', "not a list"),
        "cut too early": (WHOLE[:60], "is cut off"),
        "deep": (b"[" * 200_000, "not a notebook"),
        "damaged archive": (b"PK\x03\x04" + b"?" * 100, "archive"),
        "damaged tar": (b"\x1f\x8b" + b"?" * 100, "archive"),
    }.values(),
)
def test_unreadable_submissions_have_a_reason(data: bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedSubmission, match=reason):
        read(tmp_path, data)


def test_a_notebook_into_which_another_chapters_layers_were_pasted_stays_its_own() -> None:
    names = {3: ("split", "merge", "mask"), 4: ("gelu", "Block")}

    def of(*defined: str) -> Notebook:
        cell = Cell("", "code", "\n".join(f"def {name}(x): return x" for name in defined), 1)
        return Notebook("04_encoder.ipynb", (cell,), 4, (), "")

    whole = of("split", "merge", "mask", "gelu", "Block")
    assert select_notebook([whole], 4, names, lambda _: Attempt.WHOLE) is whole
    with pytest.raises(DamagedSubmission, match=r"04_encoder\.ipynb is of chapter 3"):
        select_notebook([of("split", "merge", "mask", "gelu")], 4, names, lambda _: Attempt.WHOLE)


def test_a_hundred_megabytes_of_outputs_are_dropped(tmp_path: Path) -> None:
    line = json.dumps("loss: 0.123 [=====>]\n")
    huge = "[" + ",".join([line] * 4_000_000) + "]"
    data = text_of().replace('"{]\\n"', '"HERE"').replace('"HERE"', huge[1:-1], 1).encode()
    assert len(data) > 100_000_000
    (notebook,) = read(tmp_path, data)
    assert sources(notebook) == ["import keras\n", SOLUTION, "double(3)"]


def test_limits_hold(tmp_path: Path) -> None:
    with pytest.raises(DamagedSubmission, match="larger than"):
        read(tmp_path, WHOLE, limits=Limits(file_bytes=len(WHOLE) - 1))
    (notebook,) = read(tmp_path, WHOLE, limits=Limits(cells=2))
    assert sources(notebook) == ["import keras\n", SOLUTION]
    assert any("first 2 cells" in note for note in notebook.notes)
    (notebook,) = read(tmp_path, WHOLE, limits=Limits(source_bytes=60))
    assert sources(notebook) == ["import keras\n", "", "double(3)"]
    assert any(note.startswith("cell 2 was left out") for note in notebook.notes)


@pytest.mark.parametrize("text", [b"[" + b"[[]]," * 60 + b"]", b"{" + b'"a":1,' * 60 + b"}"])
def test_a_text_of_countless_small_things_is_given_up(text: bytes) -> None:
    JsonReader(text, most_steps=1_000).skip()
    reader = JsonReader(b"[" + text, most_steps=50)
    with pytest.raises(Malformed):
        for _ in reader.items():
            for _ in reader.items() if text[:1] == b"[" else reader.members():
                pass
    assert reader.is_exhausted


# --- Archives ---


def zip_of(members: dict[str, bytes], **options: Any) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def tar_of(members: list[tuple[tarfile.TarInfo, bytes]], mode: str = "w:gz") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


@pytest.mark.parametrize("mode", ["zip", "w:gz", "w:"])
def test_every_notebook_in_an_archive_is_read(mode: str, tmp_path: Path) -> None:
    members = {
        "mine/03.ipynb": WHOLE,
        "mine/02.ipynb": b"{",
        "mine/01.ipynb": text_of(notebook_json(("one = 1",))).encode(),
        "mine/.ipynb_checkpoints/03-checkpoint.ipynb": b"",
        "__MACOSX/mine/._03.ipynb": b"",
        "mine/plot.png": b"\x89PNG",
    }
    data = zip_of(members) if mode == "zip" else tar_of([(tarfile.TarInfo(n), c) for n, c in members.items()], mode)
    first, last = read(tmp_path, data, "bundle.bin")
    assert (first.path_in_submission, sources(first)) == ("bundle.bin/mine/01.ipynb", ["one = 1"])
    assert sources(last)[1] == SOLUTION
    assert any("mine/02.ipynb" in note for note in last.notes)


def odd_tar_members() -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    for name, kind in {
        "link.ipynb": tarfile.SYMTYPE,
        "hard.ipynb": tarfile.LNKTYPE,
        "pipe.ipynb": tarfile.FIFOTYPE,
        "device.ipynb": tarfile.CHRTYPE,
    }.items():
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, "/etc/passwd"
        yield info, b""
    for name in ("../../outside.ipynb", "/absolute.ipynb", "a/../b.ipynb"):
        yield tarfile.TarInfo(name), WHOLE


def test_nothing_odd_in_an_archive_is_read_or_written(tmp_path: Path) -> None:
    odd = list(odd_tar_members())
    inside = tmp_path / "in" / "side"
    inside.mkdir(parents=True)
    with pytest.raises(DamagedSubmission, match="left out"):
        read(inside, tar_of(odd), "alice.tgz")
    (notebook,) = read(inside, tar_of([*odd, (tarfile.TarInfo("good.ipynb"), WHOLE)]), "alice.tgz")
    assert len(notebook.notes) == len(odd)

    link = zipfile.ZipInfo("link.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("..\\outside.ipynb", WHOLE)
        archive.writestr("C:\\absolute.ipynb", WHOLE)
    with pytest.raises(DamagedSubmission) as damage:
        read(inside, file.getvalue(), "alice.zip")
    assert str(damage.value).count("left out") == 3
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["alice.tgz", "alice.zip", "in", "side"]


def test_bombs_are_not_unpacked(tmp_path: Path) -> None:
    limits = Limits(file_bytes=100_000, archive_bytes=250_000, archive_members=40)
    zeros = b"\0" * 10_000_000
    with pytest.raises(DamagedSubmission, match="larger than"):
        read(tmp_path, zip_of({"bomb.ipynb": zeros}), limits=limits)
    with pytest.raises(DamagedSubmission, match="larger than"):
        read(tmp_path, tar_of([(tarfile.TarInfo("bomb.ipynb"), zeros)]), limits=limits)
    many = {f"{place}.ipynb": b" " * 90_000 for place in range(9)} | {"z.ipynb": WHOLE}
    (notebook,) = read(tmp_path, zip_of(many), limits=limits)
    assert sum("larger than" in note for note in notebook.notes) == 7  # the two others fit, and hold nothing
    crowd = {f"{place}.txt": b"" for place in range(41)} | {"z.ipynb": WHOLE}
    with pytest.raises(DamagedSubmission, match="more than 40 entries"):
        read(tmp_path, zip_of(crowd), limits=limits)
    with pytest.raises(DamagedSubmission, match="more than 40 entries"):
        read(tmp_path, tar_of([(tarfile.TarInfo(name), b"") for name in crowd]), limits=limits)


def test_a_folder_of_many_large_files_is_not_kept(tmp_path: Path) -> None:
    paths = [tmp_path / f"{place}.ipynb" for place in range(9)]
    for path in paths:
        path.write_bytes(b" " * 90_000)
    (tmp_path / "z.ipynb").write_bytes(WHOLE)
    (tmp_path / "own.py").write_bytes(b"#" * 90_000)
    file = SubmissionFile("alice", tmp_path, (*paths, tmp_path / "z.ipynb"), modules=(tmp_path / "own.py",))
    limits = Limits(file_bytes=100_000, archive_bytes=250_000)
    handed_in = read_files(file, limits)
    kept = [content for _, content in (*handed_in.contents, *handed_in.modules) if isinstance(content, bytes)]
    assert sum(map(len, kept)) == 180_000 + len(WHOLE)
    (notebook,) = notebooks_of(handed_in, limits)
    assert sum("larger than the limit" in note for note in notebook.notes) == 7


def test_a_file_for_which_memory_is_short_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr(reading, "read_file", fail)
    with pytest.raises(DamagedSubmission, match="it cannot be read: MemoryError"):
        read(tmp_path, WHOLE)


def test_a_file_under_many_names_is_not_unpacked_for_each(tmp_path: Path) -> None:
    packed = zip_of({f"{place}.ipynb": WHOLE if place else b" " * 90_000 for place in range(40)})
    data = bytearray(packed)
    record = data.index(b"PK\x01\x02")
    for _ in range(39):  # each record of the directory tells of the first file
        record = data.index(b"PK\x01\x02", record + 1)
        data[record + 42 : record + 46] = bytes(4)
    with pytest.raises(DamagedSubmission, match="overlaps another file"):
        read(tmp_path, bytes(data), "alice.zip")


def test_what_is_left_out_of_an_archive_is_not_unpacked_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked = []
    read_up_to = archives.read_up_to

    def counted(file: IO[bytes], most: int) -> bytes:
        unpacked.append(len(content := read_up_to(file, most)))
        return content

    monkeypatch.setattr(archives, "read_up_to", counted)
    bombs = zip_of({f"{place}.ipynb": b" " * 300_000 for place in range(40)})
    with pytest.raises(DamagedSubmission, match="larger than"):
        read(tmp_path, bombs, limits=Limits(file_bytes=100_000, archive_bytes=250_000))
    assert sum(unpacked) < 1_200_000


def test_a_tar_that_leads_back_to_its_own_beginning_ends(tmp_path: Path) -> None:
    data = bytearray(tar_of([(tarfile.TarInfo("again.txt"), b"")], "w:"))
    data[124:136] = (-512).to_bytes(12, "big", signed=True)  # the size: one header back
    data[148:156] = b" " * 8
    data[148:156] = f"{sum(data[:512]):06o}\0 ".encode()
    with pytest.raises(DamagedSubmission):
        read(tmp_path, bytes(data), "alice.tar", Limits(archive_members=50))


# --- Whatever the bytes, reading ends in notebooks or in DamagedSubmission ---

ANY_FILE = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=9) | st.just("source") | st.just(SOLUTION),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "worksheets", "metadata", "course", "chapter", "source", "input", "id", "cell_type"]
            ),
            inner,
            max_size=5,
        )
    ),
)


@ANY_FILE
@given(st.binary(max_size=300) | st.binary(max_size=200).map(lambda tail: b"PK\x03\x04" + tail))
def test_random_bytes(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DamagedSubmission):
        read(tmp_path, data)


@ANY_FILE
@given(JSON)
def test_json_of_any_shape(tmp_path: Path, value: Any) -> None:
    try:
        notebooks = read(tmp_path, json.dumps(value).encode())
    except DamagedSubmission:
        return
    assert all(isinstance(cell.source, str) for cell in notebooks[0].cells)


@ANY_FILE
@given(st.data())
def test_mutated_files(tmp_path: Path, data: st.DataObject) -> None:
    original = data.draw(
        st.sampled_from([WHOLE, zip_of({"a.ipynb": WHOLE}), tar_of([(tarfile.TarInfo("a.ipynb"), WHOLE)], "w:")])
    )
    mutated = bytearray(original)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(mutated) - 1))
        mutated[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    try:
        for notebook in read(tmp_path, bytes(mutated)):
            "".join(sources(notebook)).encode()
    except DamagedSubmission as damage:
        assert str(damage)
