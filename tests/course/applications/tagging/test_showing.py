"""Names in a terminal, on a page that a strict parser accepts, and in columns."""

from __future__ import annotations

import html5lib
import pytest
from rich.console import Console

from course.applications.tagging.showing import Shown, as_conll, as_page, in_terminal, kinds_of
from course.applications.tagging.texts import text_of_words

KINDS = ["person", "place"]
TEXT = text_of_words(["Ada", "Holm", "<b>", "&", "Varga"], ["B-person", "I-person", "O", "O", "B-place"])


def test_terminal_shows_the_kind_in_words_and_colour() -> None:
    shown = in_terminal(TEXT, KINDS)
    assert shown.plain == "[Ada Holm person] <b> & [Varga place]"
    console = Console(force_terminal=True, color_system="standard", width=100)
    with console.capture() as captured:
        console.print(shown)
    assert captured.get().count("\x1b[") >= 4
    styles = {shown.plain[span.start : span.end]: span.style for span in shown.spans}
    assert styles["[Ada Holm"] != styles["[Varga"]


def test_page_is_valid_and_names_each_kind() -> None:
    page = as_page([TEXT, text_of_words(["none"], ["O"])], KINDS)
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    marks = ["".join(mark.itertext()) for mark in tree.iter("mark")]
    assert marks == ["Ada Holm person", "Varga place"]
    paragraphs = ["".join(paragraph.itertext()) for paragraph in tree.iter("p")]
    assert paragraphs == ["2 found in 2 texts: 1 person, 1 place.", "Ada Holm person <b> & Varga place", "none"]
    assert tree.get("lang") == "en"
    assert "<b>" not in page


def luminance(colour: str) -> float:
    shares = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_background_has_enough_contrast() -> None:
    from course.applications.tagging.showing import _ON_PAGE

    for ground in _ON_PAGE:  # WCAG 2.1, success criterion 1.4.6
        assert (luminance(ground) + 0.05) / (luminance("#1a1a1a") + 0.05) >= 7


def test_page_without_names_counts_none() -> None:
    assert "0 found in 1 text." in as_page([text_of_words(["none"], ["O"])], KINDS)


def test_conll_columns_are_word_and_tag() -> None:
    written = as_conll([TEXT, text_of_words(["so"], ["O"])])
    first = "Ada\tB-person\nHolm\tI-person\n<b>\tO\n&\tO\nVarga\tB-place\n"
    assert written == f"{first}\nso\tO\n\n"
    assert as_conll([]) == ""


@pytest.mark.parametrize(("tags", "kinds"), [(["O", "B-a-b", "I-a-b", "B-c"], ["a-b", "c"]), (["O"], [])])
def test_kinds_come_from_the_tags_in_order(tags: list[str], kinds: list[str]) -> None:
    assert kinds_of(tags) == kinds


def test_notebook_and_terminal_show_the_same() -> None:
    shown = Shown({"true": TEXT, "found": text_of_words(["<b>"], ["B-place"])}, KINDS)
    assert repr(shown) == "true: [Ada Holm person] <b> & [Varga place]\nfound: [<b> place]"
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parseFragment(shown._repr_html_())
    assert ["".join(paragraph.itertext()) for paragraph in tree.iter("p")] == [
        "true: Ada Holm person <b> & Varga place",
        "found: <b> place",
    ]
