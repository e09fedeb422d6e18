"""News articles with their topics, as pandas frames: AG News, and the sample that comes with the course.

Both have four topics, in the same order: a label is an index of `TOPICS`.
"""

from __future__ import annotations

import csv
import gzip
import html
import json
import os
import re
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pooch
import requests

TOPICS = ("World", "Sports", "Business", "Sci/Tech")

AG_NEWS_URL = "https://raw.githubusercontent.com/mhjabreel/CharCnn_Keras/master/data/ag_news_csv/"
AG_NEWS_SHA256 = {
    "train.csv": "76a0a2d2f92b286371fe4d4044640910a04a803fdd2538e0f3f29a5c6f6b672e",  # 120,000 rows
    "test.csv": "521465c2428ed7f02f8d6db6ffdd4b5447c1c701962353eb2c40d548c3c85699",  # 7,600 rows
}
SAMPLE_FILE = Path(__file__).parents[1] / "datasets" / "sample.jsonl.gz"

# The crawler put a space for the "&" of an entity: " #39;" was "&#39;", " quot;" was "&quot;". Only these names
# occur; " it;" and " part;" are words before a semicolon, although HTML has entities of that name, too.
_BROKEN_ENTITY = re.compile(r"(?:^| )(#\d+|quot|amp|lt|gt|nbsp|hellip|[lr]squo|[lr]dquo|[mn]dash|eacute|apos);")


class Entity(NamedTuple):
    """A name in the text of an article: `description[start:end]`.

    Attributes:
        start: index of its first character.
        end: index after its last character.
        kind: "person", "place", "organization" or "product".
    """

    start: int
    end: int
    kind: str


def load_ag_news(folder: str | os.PathLike[str] | None = None) -> dict[str, pd.DataFrame]:
    """AG News: 120,000 short news articles to train on and 7,600 to test on, of four topics.

    They are read from `folder`, or else from the folder that the environment variable AG_NEWS_DIR names, or else
    downloaded once (31 MB), checked, and kept in the user's cache. In a folder of one's own, train.csv may be a part
    of the original.

    What the crawler did to the text is put right: entities that were torn apart, and backslashes for line breaks.
    Tags, such as `<b>` and the `<MSFT.O>` of a share, are part of the text and stay.

    Args:
        folder: where train.csv and test.csv are.

    Returns:
        "train" and "test", each with the columns `label` (0 to 3, an index of `TOPICS`), `title` and `description`.

    Raises:
        FileNotFoundError: the folder does not have the two files.
        ConnectionError: they cannot be downloaded.
        ValueError: a file is not what it should be.

    Example:
        >>> articles = load_ag_news()
        >>> articles["test"].shape
        (7600, 3)

    Reference: Zhang et al., "Character-level Convolutional Networks for Text Classification", 2015, section 4. Terms:
    research and other non-commercial use.
    """
    folder = folder or os.environ.get("AG_NEWS_DIR")
    if folder:
        paths = {name: Path(folder) / name for name in AG_NEWS_SHA256}
        missing = [str(path) for path in paths.values() if not path.is_file()]
        if missing:
            raise FileNotFoundError(
                f"AG News is read from a folder with train.csv and test.csv. Not found: {', '.join(missing)}"
            )
    else:
        paths = {name: _download(name) for name in AG_NEWS_SHA256}
    return {name.removesuffix(".csv"): _read_ag_news(path) for name, path in paths.items()}


def _download(name: str) -> Path:
    """The path of a file of AG News in the cache, where it is put first if need be. A wrong file never gets there."""
    try:
        return Path(
            pooch.retrieve(
                AG_NEWS_URL + name,
                known_hash=f"sha256:{AG_NEWS_SHA256[name]}",
                fname=name,
                path=pooch.os_cache("bert-from-nothing") / "ag_news",
            )
        )
    except (requests.RequestException, OSError) as error:
        raise ConnectionError(
            f"{AG_NEWS_URL}{name} could not be downloaded ({error}). Try again, or get train.csv and test.csv in "
            "another way and name their folder: load_ag_news(folder=...), or the environment variable AG_NEWS_DIR. "
            "load_sample() needs no download."
        ) from error
    except ValueError as error:
        raise ValueError(
            f"{AG_NEWS_URL}{name} is not the file that was published (its SHA-256 checksum differs): it was cut "
            "short or changed on the way. Nothing was kept. Try again, or name a folder that has the files: "
            "load_ag_news(folder=...), or the environment variable AG_NEWS_DIR."
        ) from error


def _read_ag_news(path: Path) -> pd.DataFrame:
    wanted = "Each row must have three quoted columns: a class from 1 to 4, a title, a description."
    rows = []
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            for number, row in enumerate(csv.reader(lines, strict=True), start=1):
                if len(row) != 3 or row[0] not in ("1", "2", "3", "4"):
                    raise ValueError(f"row {number} has {len(row)} columns and the class {row[:1]}. {wanted}")
                rows.append((int(row[0]) - 1, _as_written(row[1]), _as_written(row[2])))
    except (csv.Error, ValueError) as error:  # a UnicodeDecodeError is a ValueError
        raise ValueError(f"{path} is not a file of AG News: {error}") from error
    if not rows:
        raise ValueError(f"{path} is not a file of AG News: it is empty. {wanted}")
    return pd.DataFrame(rows, columns=["label", "title", "description"])


def _as_written(text: str) -> str:
    """A field of AG News as it was before it was crawled, in one line."""
    text = text.replace("\\$", "$").replace("\\", " ")
    text = _BROKEN_ENTITY.sub(r"&\1;", text)
    while (decoded := html.unescape(text)) != text:  # Some entities were escaped twice.
        text = decoded
    return " ".join(text.split())


def load_sample() -> pd.DataFrame:
    """The sample that comes with the course: 5,000 made-up news articles, of which all is known.

    Their rows are in random order: take the first 4,000 to train on and the last 1,000 to test on.

    Returns:
        The columns `label` (0 to 3, an index of `TOPICS`), `title`, `description`, `sentences` (a list; the description
        is all of them with a space between them) and `entities` (a list of `Entity` in the description).

    Raises:
        FileNotFoundError: the sample is not where the course keeps it.

    Example:
        >>> articles = load_sample()
        >>> documents = articles["sentences"].tolist()  # for next-sentence prediction
    """
    if not SAMPLE_FILE.is_file():
        raise FileNotFoundError(
            f"the sample is not in {SAMPLE_FILE}. It belongs to the course's folder, next to `course`; in a clone of "
            "the repository, `python datasets/generate.py` makes it again"
        )
    with gzip.open(SAMPLE_FILE, "rt", encoding="utf-8") as lines:
        articles = pd.DataFrame(map(json.loads, lines))
    articles.insert(2, "description", articles["sentences"].map(" ".join))
    articles["entities"] = articles["entities"].map(lambda entities: [Entity(*entity) for entity in entities])
    return articles
