"""Paths of the data sets that may not be part of the project, if this machine has them.

AG_NEWS_DIR, WNUT17_DIR, CRANFIELD_DIR, QUORA_PAIRS_DIR and SST_DIR name the folders of these data sets, and BERT_VOCAB
the vocab.txt of bert-base-uncased; a folder `shared/datasets` beside the project is searched, too. Tests that use them
always run on the bundled sample or on small generated files as well.
"""

from __future__ import annotations

import os
from pathlib import Path

_BESIDE_THE_PROJECT = Path(__file__).resolve().parents[3] / "shared" / "datasets"


def _first_that_exists(variable: str, beside: str) -> Path | None:
    candidates = [Path(os.environ[variable])] if variable in os.environ else [_BESIDE_THE_PROJECT / beside]
    return next((path for path in candidates if path.exists()), None)


AG_NEWS = _first_that_exists("AG_NEWS_DIR", "ag_news")
BERT_VOCABULARY = _first_that_exists("BERT_VOCAB", "bert_vocab/vocab.txt")
WNUT17 = _first_that_exists("WNUT17_DIR", "wnut17")
CRANFIELD = _first_that_exists("CRANFIELD_DIR", "cranfield")
QUORA_PAIRS = _first_that_exists("QUORA_PAIRS_DIR", "quora_pairs")
SST = _first_that_exists("SST_DIR", "minbert")
