"""AG News from folders: the loader reads it correctly and refuses wrong files."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.data.datasets import load_ag_news, load_sample
from course.data.datasets.sample import SAMPLE_FILE
from tests.course.local_data import AG_NEWS

TRAIN = b""""3","Fears for T N pension","Unions at Turner   Newall say they are 'disappointed'."
"4","Second Team (SPACE.com)","SPACE.com - A second\\team of rocketeers competing for the  #36;10 million prize."
"1","NA","He said,  quot;It doesn #39;t ""work"" quot; in the Elys eacute;e."
"2","Bid of \\$1B","Price range; SEC approval: Inc. &lt;TXN.N&gt;, J amp;amp;J &lt;b&gt;it&lt;/b&gt;\\\\#146;"
"""
TEST = b'"2","Title, with a comma","One description"\n"4","null",""\n'
FILES = {"train.csv": TRAIN, "test.csv": TEST}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two small files in the form of AG News."""
    monkeypatch.delenv("AG_NEWS_DIR", raising=False)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


class TestLocalAgNews:
    def test_repairs_entities_and_line_breaks(self, folder: Path):
        articles = load_ag_news(folder)
        assert list(articles) == ["train", "test"]
        assert articles["train"].to_numpy().tolist() == [
            [2, "Fears for T N pension", "Unions at Turner Newall say they are 'disappointed'."],
            [
                3,
                "Second Team (SPACE.com)",
                "SPACE.com - A second team of rocketeers competing for the $10 million prize.",
            ],
            [0, "NA", 'He said, "It doesn\'t "work"" in the Elysée.'],
            [1, "Bid of $1B", "Price range; SEC approval: Inc. <TXN.N>, J&J <b>it</b> ’"],
        ]
        assert articles["test"].to_numpy().tolist() == [[1, "Title, with a comma", "One description"], [3, "null", ""]]
        assert list(articles["test"].columns) == ["label", "title", "description"]

    def test_a_given_folder_overrides_the_environment(
        self, folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("AG_NEWS_DIR", str(folder))
        assert len(load_ag_news()["train"]) == 4
        other = tmp_path_factory.mktemp("other")
        for name in FILES:
            (other / name).write_bytes(TEST)
        assert len(load_ag_news(str(other))["train"]) == 2

    def test_says_which_file_is_missing(self, folder: Path):
        (folder / "test.csv").unlink()
        with pytest.raises(FileNotFoundError, match=r"test\.csv") as caught:
            load_ag_news(folder)
        assert "train.csv," not in str(caught.value)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b'"1","only a title"\n', "row 1 has 2 columns"),
            (b'"5","title","description"\n', r"class \['5'\]"),
            (b'"1","title","description"\n"2","title"\n', "row 2 has 2 columns.*three quoted columns"),
            (b'"1","title","description","more"\n', "4 columns"),
            (b'"1","title","a description that is cut sho', "unexpected end of data"),
            (b"", "empty"),
            (b'"1","title","\xff\xfe"\n', "utf-8"),
        ],
    )
    def test_says_what_is_wrong_with_a_file(self, folder: Path, content: bytes, message: str):
        (folder / "train.csv").write_bytes(content)
        with pytest.raises(ValueError, match=message) as caught:
            load_ag_news(folder)
        assert str(folder / "train.csv") in str(caught.value)

    @pytest.mark.parametrize("source", [AG_NEWS or SAMPLE_FILE])
    def test_the_original_files(self, source: Path, folder: Path):
        if source == SAMPLE_FILE:  # AG News is not on this machine: the sample in its form stands in.
            articles = load_sample()
            rows = articles[["label", "title", "description"]].assign(label=articles["label"] + 1)
            for name in FILES:
                rows.to_csv(folder / name, header=False, index=False, quoting=1)
            source = folder
        loaded = load_ag_news(source)
        for part in loaded.values():
            text = part["title"] + " " + part["description"]
            assert not text.str.contains(r"\\|#\d+;|&\w+;|\b(?:quot|amp|lt|gt|nbsp);|\s{2}|\n").any()
            assert part["label"].isin(range(4)).all()
        assert (loaded["test"]["label"].value_counts() == len(loaded["test"]) / 4).all()
