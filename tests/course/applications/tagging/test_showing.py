"""Names in a terminal, on a page that is read strictly, and in columns that are read again."""

from __future__ import annotations

import html5lib
import pytest
from rich.console import Console

from course.applications.tagging.showing import Shown, as_conll, as_page, in_terminal, kinds_of
from course.applications.tagging.texts import text_of_words

KINDS = ["person", "place"]
TEXT = text_of_words(["Ada", "Holm", "<b>", "&", "Varga"], ["B-person", "I-person", "O", "O", "B-place"])


def test_a_terminal_shows_the_kind_in_words_and_in_colour() -> None:
    shown = in_terminal(TEXT, KINDS)
    assert shown.plain == "[Ada Holm person] <b> & [Varga place]"
    console = Console(force_terminal=True, color_system="standard", width=100)
    with console.capture() as captured:
        console.print(shown)
    assert captured.get().count("\x1b[") >= 4
    styles = {shown.plain[span.start : span.end]: span.style for span in shown.spans}
    assert styles["[Ada Holm"] != styles["[Varga"]


def test_a_page_is_valid_and_says_each_kind() -> None:
    page = as_page([TEXT, text_of_words(["none"], ["O"])], KINDS)
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    marks = ["".join(mark.itertext()) for mark in tree.iter("mark")]
    assert marks == ["Ada Holm person", "Varga place"]
    said = ["".join(one.itertext()) for one in tree.iter("p")]
    assert said == ["2 found in 2 texts: 1 person, 1 place.", "Ada Holm person <b> & Varga place", "none"]
    assert tree.get("lang") == "en"
    assert "<b>" not in page


def luminance(colour: str) -> float:
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_ground_leaves_its_letters_readable() -> None:
    from course.applications.tagging.showing import _ON_PAGE

    for ground in _ON_PAGE:  # WCAG 2.1, success criterion 1.4.6
        assert (luminance(ground) + 0.05) / (luminance("#1a1a1a") + 0.05) >= 7


def test_a_page_without_names() -> None:
    assert "0 found in 1 text." in as_page([text_of_words(["none"], ["O"])], KINDS)


def test_columns_have_a_word_and_its_tag() -> None:
    written = as_conll([TEXT, text_of_words(["so"], ["O"])])
    first = "Ada\tB-person\nHolm\tI-person\n<b>\tO\n&\tO\nVarga\tB-place\n"
    assert written == f"{first}\nso\tO\n\n"
    assert as_conll([]) == ""


@pytest.mark.parametrize(("tags", "kinds"), [(["O", "B-a-b", "I-a-b", "B-c"], ["a-b", "c"]), (["O"], [])])
def test_kinds_are_those_of_the_tags(tags: list[str], kinds: list[str]) -> None:
    assert kinds_of(tags) == kinds


def test_a_notebook_shows_what_a_terminal_says() -> None:
    shown = Shown({"true": TEXT, "found": text_of_words(["<b>"], ["B-place"])}, KINDS)
    assert repr(shown) == "true: [Ada Holm person] <b> & [Varga place]\nfound: [<b> place]"
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parseFragment(shown._repr_html_())
    assert ["".join(one.itertext()) for one in tree.iter("p")] == [
        "true: Ada Holm person <b> & Varga place",
        "found: <b> place",
    ]
