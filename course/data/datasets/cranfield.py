"""The Cranfield collection: queries of engineers, 1,400 abstracts, and which abstracts answer which query."""

from __future__ import annotations

import gzip
import io
import os
import re
import tarfile
import zlib
from typing import NamedTuple

import pandas as pd

from course.data.datasets.download import PublicFiles

_ARCHIVE = "cran.tar.gz"
_DOCUMENTS, _QUERIES, _JUDGEMENTS = "cran.all.1400", "cran.qry", "cranqrel"

CRANFIELD = PublicFiles(
    title="Cranfield",
    loader="load_cranfield",
    variable="CRANFIELD_DIR",
    cache="cranfield",
    url="http://ir.dcs.gla.ac.uk/resources/test_collections/cran/",
    checksums={_ARCHIVE: "md5:1730f7be572d95a5a4b56c59a7b900a5"},  # as published by the library ir_datasets
)

# By the archive's readme, 1 is a complete answer, 4 is of minimum interest, and 5, which never occurs, of none. It does
# not explain -1. Each query has one, the last of its judgements: a paper of 1960 to 1963, if it names a year, and often
# the same for queries in a row. The queries come from authors of recent papers, who named the problem that had led to
# the paper and judged what it cites (Cleverdon, Mills and Keen, 1966, pages 16 and 21). So -1 most likely marks the
# author's own paper, which nobody judged.
_GAINS = {"1": 4, "2": 3, "3": 2, "4": 1, "-1": 0}
# A document has a number, a title, an author, a source and a text; a few texts have stray marks.
_DOCUMENT = re.compile(r"\s*(\d+)\s*^\.T\s*$(.*?)^\.A\s*$(.*?)^\.B\s*$(.*?)^\.W\s*$(.*)", re.MULTILINE | re.DOTALL)
_QUERY = re.compile(r"\s*(\d+)\s*^\.W\s*$(.*)", re.MULTILINE | re.DOTALL)
_JUDGEMENT = re.compile(rf"\s*(\d+)\s+(\d+)\s+({'|'.join(_GAINS)})\s*")
_RECORD = re.compile(r"^\.I ", re.MULTILINE)
_STRAY_MARK = re.compile(r"^\.[ABW]\s*$", re.MULTILINE)
# The errors that a damaged archive may raise. A UnicodeDecodeError is a ValueError.
_UNREADABLE = (tarfile.TarError, zlib.error, EOFError, OSError, ValueError)


class Cranfield(NamedTuple):
    """A collection to search in.

    Attributes:
        documents: the columns `document` (its number, from 1), `title`, `author`, `source` and `text`. The text begins
            with the title. Two documents, 471 and 995, are empty.
        queries: the columns `query` (its number, from 1) and `text`.
        judgements: the columns `query`, `document` and `gain`: 4 for a complete answer, 3 for one of high relevance, 2
            for a useful one, 1 for one of minimum interest, and 0 for the author's own paper, one for each query. It
            was not judged, so leave it out of a ranking before you measure it: see `own_papers`.
    """

    documents: pd.DataFrame
    queries: pd.DataFrame
    judgements: pd.DataFrame


def load_cranfield(folder: str | os.PathLike[str] | None = None) -> Cranfield:
    """Load Cranfield: 1,400 abstracts on aerodynamics, 225 queries, and 1,837 judgements of which answers which.

    It is read from `folder`, or else from the folder that the environment variable CRANFIELD_DIR names, or else
    downloaded once (0.5 MB), checked, and kept in the user's cache.

    The archive numbers its queries with gaps, up to 365, but its judgements count them from 1 to 225, and so do these
    tables. In the archive, 1 is the best judgement and 4 the weakest; here, a larger gain is better.

    Args:
        folder: holds cran.tar.gz.

    Raises:
        FileNotFoundError: the folder does not have the file.
        ConnectionError: it cannot be downloaded.
        ValueError: the file does not have the form of Cranfield, or is not the published one.

    Example:
        >>> documents, queries, judgements = load_cranfield()
        >>> judgements.merge(queries).merge(documents[["document", "title"]])["gain"].value_counts()[4]
        128

    References:
        Cleverdon, "The Cranfield Tests on Index Language Devices", 1967.
        Cleverdon, Mills and Keen, "Factors Determining the Performance of Indexing Systems", volume 1, part 1, 1966.
        https://www-nlpir.nist.gov/projects/irlib/pubs/cranv1p1/cranv1p1_text/02_016.txt
    """
    path = CRANFIELD.paths(folder)[_ARCHIVE]
    try:
        unpacked = gzip.decompress(path.read_bytes())  # all at once, so that gzip compares its checksum
        with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
            texts = {name: _member(archive, name) for name in (_DOCUMENTS, _QUERIES, _JUDGEMENTS)}
        documents = [_document(record) for record in _RECORD.split(texts[_DOCUMENTS])[1:]]
        queries = [_text_of(record) for record in _RECORD.split(texts[_QUERIES])[1:]]
        collection = Cranfield(
            pd.DataFrame(documents, columns=["document", "title", "author", "source", "text"]),
            pd.DataFrame(list(enumerate(queries, start=1)), columns=["query", "text"]),
            _judgements(texts[_JUDGEMENTS]),
        )
        _require_known(collection)
    except _UNREADABLE as error:
        raise CRANFIELD.not_one(path, error) from error
    return collection


def own_papers(judgements: pd.DataFrame) -> dict[int, set[int]]:
    """Return, for each query that has any, the papers of the author who asked it: neither right nor wrong answers.

    Args:
        judgements: as from `load_cranfield`.

    Raises:
        ValueError: a column is missing.
    """
    if missing := [name for name in ("query", "document", "gain") if name not in judgements]:
        raise ValueError(f"judgements must have {', '.join(missing)}. Received: the columns {[*judgements]}")
    own = judgements[judgements["gain"] == 0]
    return {int(query): set(papers) for query, papers in own.groupby("query")["document"]}


def _member(archive: tarfile.TarFile, name: str) -> str:
    if name not in archive.getnames() or (member := archive.extractfile(name)) is None:
        raise ValueError(f"it has no {name}. It must be an archive with {_DOCUMENTS}, {_QUERIES} and {_JUDGEMENTS}.")
    return member.read().decode()


def _document(record: str) -> tuple[int, str, str, str, str]:
    if not (parts := _DOCUMENT.fullmatch(record)):
        raise ValueError(f"a document must have a number and the parts .T, .A, .B and .W. It has {record[:40]!r}")
    number, title, author, source, text = parts.groups()
    return int(number), _one_line(title), _one_line(author), _one_line(source), _one_line(_STRAY_MARK.sub("", text))


def _text_of(record: str) -> str:
    if not (parts := _QUERY.fullmatch(record)):
        raise ValueError(f"a query must have a number and the part .W. It has {record[:40]!r}")
    return _one_line(parts[2])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _judgements(text: str) -> pd.DataFrame:
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not (parts := _JUDGEMENT.fullmatch(line)):
            raise ValueError(f"line {number} of {_JUDGEMENTS} must be a query, a document and 1 to 4 or -1: {line!r}")
        query, document, code = parts.groups()
        rows.append((int(query), int(document), _GAINS[code]))
    return pd.DataFrame(rows, columns=["query", "document", "gain"])


def _require_known(collection: Cranfield) -> None:
    """Raise a ValueError if queries or documents are missing, among them any that a judgement names."""
    for name, table in (("query", collection.queries), ("document", collection.documents)):
        if table.empty:
            raise ValueError(f"it has no {name}")
        if unknown := set(collection.judgements[name]) - set(table[name]):
            raise ValueError(f"its judgements name {name} {min(unknown)}, which it does not have")
