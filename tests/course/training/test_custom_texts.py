"""Your own texts are split into parts that share no text, with every class in each. Skipped rows are counted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from course.errors import CourseError
from course.training.custom_texts import OwnTexts, read_test
from tests.course.data.tables.files import bytes_of, write

SHARES = {"good": 60, "bad": 30, "so-so": 10}


def frame(**more: object) -> pd.DataFrame:
    """A hundred different reviews of three classes."""
    rows = [
        {"review": f"It is {name}, {number}.", "verdict": name}
        for name, count in SHARES.items()
        for number in range(count)
    ]
    return pd.DataFrame(rows).assign(**more)


def choice(source: pd.DataFrame | Path | None = None, **change: object) -> OwnTexts:
    return OwnTexts(frame() if source is None else source, **{"text": ("review",), "label": "verdict", **change})


class TestParts:
    def test_have_their_share_of_each_class(self) -> None:
        articles = choice(held_out=0.2).read()
        assert articles.class_names == ("bad", "good", "so-so")
        counts = [Counter(part["label"]) for part in (articles.training, articles.held_out, articles.test)]
        assert counts == [{0: 22, 1: 43, 2: 7}, {0: 5, 1: 11, 2: 2}, {0: 3, 1: 6, 2: 1}]

    def test_are_the_same_each_time_and_for_every_kind_of_source(self, tmp_path: Path) -> None:
        file = write(tmp_path / "a.jsonl", bytes_of(frame().to_dict("records"), ".jsonl"))
        from_frame, from_file = choice().read(), choice(file).read()
        assert from_frame.digest == from_file.digest
        for part in ("training", "held_out", "test"):
            pd.testing.assert_frame_equal(getattr(from_frame, part), getattr(from_file, part))

    def test_share_no_text(self) -> None:
        twice = pd.concat([frame(), frame(), frame()])
        articles = choice(twice).read()
        parts = [set(part["review"]) for part in (articles.training, articles.held_out, articles.test)]
        assert sum(map(len, parts)) == len(set.union(*parts)) == 100
        assert sum(len(part) for part in (articles.training, articles.held_out, articles.test)) == 300

    def test_share_no_copies_in_other_spaces_or_capitals(self) -> None:
        copies = [
            frame(),
            *(frame().assign(review=frame()["review"].map(copy)) for copy in ("  {} ".format, str.upper)),
        ]
        articles = choice(pd.concat(copies)).read()
        parts = [
            set(part["review"].str.strip().str.lower())
            for part in (articles.training, articles.held_out, articles.test)
        ]
        assert sum(map(len, parts)) == len(set.union(*parts)) == 100
        tested = choice(test=copies[1][:7]).read()
        assert (len(tested.test), tested.left_out) == (7, 7)

    def test_a_test_file_is_used_whole(self) -> None:
        other = pd.DataFrame({"review": ["New.", "Newer."], "verdict": ["bad", "bad"]})
        articles = choice(test=other).read()
        assert articles.test["review"].tolist() == ["New.", "Newer."]
        assert len(articles.training) + len(articles.held_out) == 100

    def test_training_texts_of_a_test_file_are_left_out(self) -> None:
        articles = choice(test=frame()[:7]).read()
        assert not set(articles.test["review"]) & {*articles.training["review"], *articles.held_out["review"]}
        assert (len(articles.test), articles.left_out) == (7, 7)

    @pytest.mark.parametrize("test", [None, frame()[:7]])
    def test_have_the_requested_number_of_rows(self, test: pd.DataFrame | None) -> None:
        articles = choice(rows=50, test=test).read()
        assert len(articles.training) + len(articles.held_out) == 50
        assert set(articles.training["label"]) == {0, 1, 2}

    def test_of_pairs_have_both_columns(self) -> None:
        articles = choice(frame(by="Ann"), text=("by", "review")).read()
        assert articles.text_columns == ("by", "review")
        assert set(articles.training["by"]) == {"Ann"}


class TestRows:
    def test_without_text_or_label_are_left_out_and_counted(self) -> None:
        more = pd.DataFrame({"review": ["No label.", " ", None, "A label."], "verdict": [None, "bad", "bad", " bad "]})
        articles = choice(pd.concat([frame(), more])).read()
        assert articles.left_out == 3
        assert articles.class_names == ("bad", "good", "so-so")

    def test_of_a_pair_may_have_one_text(self) -> None:
        articles = choice(frame(by=""), text=("by", "review")).read()
        assert articles.left_out == 0

    @pytest.mark.parametrize(
        ("labels", "expected"),
        [
            (["10", "9"], ("9", "10")),
            ([1, 0], ("0", "1")),
            ([True, False], ("false", "true")),
            (["b", "Ä"], ("b", "Ä")),
        ],
    )
    def test_name_the_classes_in_their_order(self, labels: list[object], expected: tuple[str, ...]) -> None:
        texts = pd.DataFrame({"review": [f"Text {number}" for number in range(40)], "verdict": labels * 20})
        assert choice(texts).read().class_names == expected
        assert choice(texts.assign(verdict=texts["verdict"].astype("category"))).read().class_names == expected


class TestOthers:
    def test_test_labels_are_mapped_by_class_name(self) -> None:
        articles = read_test(frame()[60:], ("review",), "verdict", ("so-so", "good", "bad"))
        assert Counter(articles.test["label"]) == {2: 30, 0: 10}
        assert not len(articles.training)

    def test_that_have_changed_since_the_training_are_refused(self) -> None:
        digest = choice().read().digest
        assert choice(digest=digest).read().digest == digest
        with pytest.raises(CourseError, match="the frame is not what the classifier has learned from: it has changed"):
            choice(frame()[::-1], digest=digest).read()


def labels_of(*labels: object) -> pd.DataFrame:
    return pd.DataFrame({"review": [f"Text {number}" for number in range(len(labels))], "verdict": labels})


@pytest.mark.parametrize(
    ("source", "change", "message"),
    [
        (frame(), {"label": "stars"}, "the frame has no column stars. It has review, verdict"),
        (Path("nowhere.csv"), {}, r"there is no file nowhere\.csv"),
        (frame(), {"text": ()}, "Given: text none, label verdict"),
        (frame(), {"text": ("a", "b", "c")}, "Given: text a, b, c, label verdict"),
        (frame(), {"text": ("verdict",)}, "in another one. Given: text verdict, label verdict"),
        (frame().rename(columns={"review": "label"}), {"text": ("label",)}, "cannot be called label"),
        (labels_of("a", "a", "a"), {}, "two classes or more. Given: a"),
        (labels_of(), {}, "Given: no row with one"),
        (labels_of(*range(30), *range(5)), {}, r"30 labels for 35 texts, most of them once: 0, 1, .*\.\.\.\. Name the"),
        (labels_of("a", "a", "b", "b"), {}, "has too few texts: .*Given: 4, of which 4 are left"),
        (frame(), {"rows": 91}, "has 90 texts to train on. Given: 91 rows"),
        (
            frame(),
            {"test": labels_of("good", "ugly")},
            "classes that the training texts do not have: ugly. Theirs: bad,",
        ),
        (frame(when=[np.array([1])] * 100), {"text": ("when",)}, "a cell must be text or a number, not ndarray"),
    ],
)
def test_errors_say_what_to_do(source: pd.DataFrame | Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(CourseError, match=message):
        choice(source, **change).read()


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match=r"a Path or a pandas DataFrame\. Received: str"):
        choice("a.csv")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"a Path or a pandas DataFrame\. Received: list"):
        read_test([], ("review",), "verdict", ("a", "b"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"less than 1\. Received: held_out=1"):
        choice(held_out=1)
