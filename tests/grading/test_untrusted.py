"""Students' texts are shown without any effect, and cut to a limited length."""

from __future__ import annotations

import pytest

from grading.untrusted import MOST_CHARACTERS, shown, shown_throughout, visible


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain, ümläut, 漢字, 🙂", "plain, ümläut, 漢字, 🙂"),
        ("\x1b]0;title\x07\x9b2J\x7f\r\x00", r"\x1b]0;title\x07\x9b2J\x7f\r\x00"),
        ("\u202eevil\u2066 \u200f\u200b\ufeff", r"\u202eevil\u2066 \u200f\u200b\ufeff"),
        ("\u2028\u0085", r"\u2028\x85"),
        ("\ud800", r"\ud800"),
        ("two\nlines\tand more", "two\nlines\tand more"),
    ],
)
def test_control_and_bidirectional_characters_stand_as_their_codes(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_a_name_has_no_line_breaks() -> None:
    assert visible("a\nb\tc") == r"a\nb\tc"


def test_a_long_text_is_cut() -> None:
    assert shown("x" * 500_000) == "x" * (MOST_CHARACTERS - 1) + "…"
    assert shown("x" * MOST_CHARACTERS) == "x" * MOST_CHARACTERS


def test_every_text_of_a_record_is_shown() -> None:
    record = {
        "refused": ["uses \x1b[2J"],
        "checks": [{"message": "\u202e", "points": 1.5, "passed": False}],
        "notes": ("\r",),
    }
    assert shown_throughout(record) == {
        "refused": [r"uses \x1b[2J"],
        "checks": [{"message": r"\u202e", "points": 1.5, "passed": False}],
        "notes": [r"\r"],
    }
