"""The Cranfield collection from folders: the loader reads it correctly and refuses wrong files."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from course.data.datasets import load_cranfield
from course.data.datasets.cranfield import own_papers
from tests.course.local_data import CRANFIELD

# The second document has marks that belong to no part, and the third one is empty.
FILES = {
    "cran.all.1400": """.I 1
.T
wings in a
slipstream .
.A
brenckman,m.
.B
j. ae. scs. 25, 1958, 324.
.W
wings in a
slipstream .
  lift rises by .I as much as 3.4 .
.I 2
.T
heat .
.A
chapman
and rubesin
.B
.W
heat .
.A
it flows
.B
through walls .
.W
 slowly .
.I 3
.T
.A
.B
.W
""",
    "cran.qry": ".I 001\n.W\nwhat lifts\na wing .\n.I 004\n.W\nhow does heat flow .\n",
    "cranqrel": "1 1 1\n1 2 4 \n1 3 -1\n2 2 2 \n2 1 3\n2 3 -1",
}


def write_archive(folder: Path, files: dict[str, str]) -> None:
    with tarfile.open(folder / "cran.tar.gz", "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content.encode())
            archive.addfile(entry, io.BytesIO(content.encode()))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small archive in the form of Cranfield's."""
    monkeypatch.delenv("CRANFIELD_DIR", raising=False)
    write_archive(tmp_path, FILES)
    return tmp_path


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_reads_documents_queries_and_judgements(folder: Path, line_end: str):
    write_archive(folder, {name: content.replace("\n", line_end) for name, content in FILES.items()})
    documents, queries, judgements = load_cranfield(folder)
    assert documents.to_dict("split")["columns"] == ["document", "title", "author", "source", "text"]
    assert documents.to_numpy().tolist() == [
        [
            1,
            "wings in a slipstream .",
            "brenckman,m.",
            "j. ae. scs. 25, 1958, 324.",
            "wings in a slipstream . lift rises by .I as much as 3.4 .",
        ],
        [2, "heat .", "chapman and rubesin", "", "heat . it flows through walls . slowly ."],
        [3, "", "", "", ""],
    ]
    assert queries.to_dict("list") == {"query": [1, 2], "text": ["what lifts a wing .", "how does heat flow ."]}
    assert judgements.to_dict("list") == {
        "query": [1, 1, 1, 2, 2, 2],
        "document": [1, 2, 3, 2, 1, 3],
        "gain": [4, 1, 0, 3, 2, 0],
    }


def test_the_authors_own_papers_are_those_without_a_gain(folder: Path):
    assert own_papers(load_cranfield(folder).judgements) == {1: {3}, 2: {3}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cranqrel": None}, r"it has no cranqrel.*cran\.all\.1400, cran\.qry and cranqrel"),
        ({"cran.all.1400": ".I 1\n.T\n.B\n.W\n"}, r"a document must have.*It has '1"),
        ({"cran.all.1400": ".I 1\n.T\n.A\n.B\n.W\n"}, "name document 2"),
        ({"cran.all.1400": "", "cranqrel": ""}, "it has no document"),
        ({"cran.qry": ".I 1\n.W\none\n"}, "name query 2"),
        ({"cran.qry": ".I 1\nno mark\n"}, "a query must have"),
        ({"cranqrel": "1 1 1\n1 2 5\n"}, "line 2 of cranqrel.*'1 2 5'"),
        ({"cranqrel": "1 1\n"}, "line 1 of cranqrel"),
        ({"cranqrel": "1 1 1\n\n"}, "line 2 of cranqrel"),
    ],
)
def test_says_what_is_wrong_with_an_archive(folder: Path, change: dict[str, str | None], message: str):
    write_archive(folder, {name: content for name, content in (FILES | change).items() if content is not None})
    with pytest.raises(ValueError, match=f"(?s){message}") as caught:
        load_cranfield(folder)
    assert str(folder / "cran.tar.gz") in str(caught.value)


@pytest.mark.parametrize("kept", [0, 10, 100, 250])
def test_refuses_an_archive_that_is_cut_short(folder: Path, kept: int):
    whole = (folder / "cran.tar.gz").read_bytes()
    (folder / "cran.tar.gz").write_bytes(whole[:kept])
    with pytest.raises(ValueError, match=r"cran\.tar\.gz is not a file of Cranfield"):
        load_cranfield(folder)


def test_refuses_an_archive_that_is_damaged(folder: Path, random: np.random.Generator):
    """Damage is detected wherever it is: its effect on compressed data differs from place to place."""
    judgements = random.integers(1, [3, 4, 5], (9000, 3))
    write_archive(folder, FILES | {"cranqrel": "".join(f"{one} {two} {code}\n" for one, two, code in judgements)})
    whole = (folder / "cran.tar.gz").read_bytes()
    for place in np.linspace(20, len(whole) - 30, 40).astype(int):
        (folder / "cran.tar.gz").write_bytes(whole[:place] + b"\xff" * 20 + whole[place + 20 :])
        with pytest.raises(ValueError, match=r"cran\.tar\.gz is not a file of Cranfield"):
            load_cranfield(folder)


@pytest.mark.parametrize("source", [CRANFIELD])
def test_the_original_files(source: Path | None, folder: Path):
    # A copy in another form is converted first; on a machine with no copy, the small files are read.
    sizes, empty = (3, 2, 6), [3]
    if source:
        sizes, empty = (1400, 225, 1837), [471, 995]
        if not (source / "cran.tar.gz").is_file():
            write_archive(folder, in_the_form_of_the_archive(source))
    collection = load_cranfield(source if source and (source / "cran.tar.gz").is_file() else folder)
    assert tuple(map(len, collection)) == sizes
    assert collection.documents["document"].tolist() == list(range(1, sizes[0] + 1))
    assert collection.documents.loc[collection.documents["text"] == "", "document"].tolist() == empty
    assert not collection.judgements.duplicated(["query", "document"]).any()
    gains = collection.judgements.groupby("query")["gain"]
    assert gains.ngroups == sizes[1]  # Each query has some that answer it, and the paper of its author.
    assert (gains.max() > 0).all()
    assert (collection.judgements["gain"] == 0).sum() == sizes[1]


def in_the_form_of_the_archive(source: Path) -> dict[str, str]:
    """Convert a copy that stores texts as JSON and judgements as a table to the files of the archive."""
    documents = map(json.loads, (source / "docs.jsonl").read_text(encoding="utf-8").splitlines())
    queries = map(json.loads, (source / "queries.jsonl").read_text(encoding="utf-8").splitlines())
    rows = [line.split() for line in (source / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    return {
        "cran.all.1400": "".join(
            f".I {item['id']}\n.T\n{item['title']}\n.A\n{item['author']}\n.B\n{item['bib']}\n.W\n{item['text']}\n"
            for item in documents
        ),
        "cran.qry": "".join(f".I {item['orig_num']:03}\n.W\n{item['text']}\n" for item in queries),
        "cranqrel": "".join(f"{query} {document} {'-1' if code == '0' else code}\n" for query, document, code in rows),
    }
