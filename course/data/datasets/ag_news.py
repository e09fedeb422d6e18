"""AG News: short news articles with their topics, as pandas frames."""

from __future__ import annotations

import csv
import html
import os
import re
from pathlib import Path

import pandas as pd

from course.data.datasets.download import PublicFiles

# A label is an index into these. The sample has the same topics in the same order.
TOPICS = ("World", "Sports", "Business", "Sci/Tech")

AG_NEWS = PublicFiles(
    title="AG News",
    loader="load_ag_news",
    variable="AG_NEWS_DIR",
    cache="ag_news",
    url="https://raw.githubusercontent.com/mhjabreel/CharCnn_Keras/master/data/ag_news_csv/",
    checksums={
        "train.csv": "sha256:76a0a2d2f92b286371fe4d4044640910a04a803fdd2538e0f3f29a5c6f6b672e",  # 120,000 rows
        "test.csv": "sha256:521465c2428ed7f02f8d6db6ffdd4b5447c1c701962353eb2c40d548c3c85699",  # 7,600 rows
    },
)

# The crawler replaced the "&" of an entity by a space: " #39;" was "&#39;", " quot;" was "&quot;". Only these names
# occur; " it;" and " part;" are words before a semicolon, although HTML has entities of that name, too.
_BROKEN_ENTITY = re.compile(r"(?:^| )(#\d+|quot|amp|lt|gt|nbsp|hellip|[lr]squo|[lr]dquo|[mn]dash|eacute|apos);")


def load_ag_news(folder: str | os.PathLike[str] | None = None) -> dict[str, pd.DataFrame]:
    """Load AG News: 120,000 short news articles to train on and 7,600 to test on, of four topics.

    They are read from `folder`, or else from the folder that the environment variable AG_NEWS_DIR names, or else
    downloaded once (31 MB), checked, and kept in the user's cache. In your own folder, train.csv may be a part of the
    original.

    The loader repairs what the crawler did to the text: broken entities, and backslashes for line breaks. Tags, such
    as `<b>` and the `<MSFT.O>` of a share, are part of the text and stay.

    Args:
        folder: holds train.csv and test.csv.

    Returns:
        "train" and "test", each with the columns `label` (0 to 3, an index of `TOPICS`), `title` and `description`.

    Raises:
        FileNotFoundError: the folder does not have the two files.
        ConnectionError: they cannot be downloaded.
        ValueError: a file does not have the form of AG News, or is not the published one.

    Example:
        >>> articles = load_ag_news()
        >>> articles["test"].shape
        (7600, 3)

    Reference: Zhang et al., "Character-level Convolutional Networks for Text Classification", 2015, section 4. Terms:
    research and other non-commercial use.
    """
    return {name.removesuffix(".csv"): _read_ag_news(path) for name, path in AG_NEWS.paths(folder).items()}


def _read_ag_news(path: Path) -> pd.DataFrame:
    expected = "Each row must have three quoted columns: a class from 1 to 4, a title, a description."
    rows = []
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            for number, row in enumerate(csv.reader(lines, strict=True), start=1):
                if len(row) != 3 or row[0] not in ("1", "2", "3", "4"):
                    raise ValueError(f"row {number} has {len(row)} columns and the class {row[:1]}. {expected}")
                rows.append((int(row[0]) - 1, _as_written(row[1]), _as_written(row[2])))
    except (csv.Error, ValueError) as error:  # a UnicodeDecodeError is a ValueError
        raise AG_NEWS.not_one(path, error) from error
    if not rows:
        raise AG_NEWS.not_one(path, f"it is empty. {expected}")
    return pd.DataFrame(rows, columns=["label", "title", "description"])


def _as_written(text: str) -> str:
    """Return a field of AG News as it was before the crawl, on one line."""
    text = text.replace("\\$", "$").replace("\\", " ")
    text = _BROKEN_ENTITY.sub(r"&\1;", text)
    while (decoded := html.unescape(text)) != text:  # Some entities were escaped twice.
        text = decoded
    return " ".join(text.split())
