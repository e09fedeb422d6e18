"""Figures show letters that Matplotlib's own font lacks, if a font that has them is installed."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib.font_manager import fontManager

from course.plots import Picture, plot_guesses
from course.plots.fonts import _letters_of, _reported

NAME = "Noto Sans CJK SC"


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only the fonts that Matplotlib brings."""
    own = [font for font in fontManager.ttflist if font.name.startswith("DejaVu")]
    monkeypatch.setattr(fontManager, "ttflist", own)
    _letters_of.cache_clear()
    fontManager._findfont_cached.cache_clear()
    _reported.clear()
    yield
    _letters_of.cache_clear()
    fontManager._findfont_cached.cache_clear()


def install_font(folder: Path, letters: str) -> None:
    """Make a font in which each of these letters is a square."""
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((100, 700), (900, 700), (900, 0)):
        pen.lineTo(corner)
    pen.closePath()
    names = [".notdef", *(f"uni{ord(letter):04X}" for letter in letters)]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(letter): name for letter, name in zip(letters, names[1:], strict=True)})
    builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": NAME, "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    path = folder / "font.ttf"
    builder.save(path)
    fontManager.addfont(path)


def picture(word: str) -> Picture:
    return plot_guesses({"?": [(word, 0.6), ("word", 0.4)]})


def drawn(shown: Picture) -> bytes:
    data = io.BytesIO()
    shown.figure.savefig(data, format="png", metadata={"Software": None})
    return data.getvalue()


def test_cyrillic_needs_no_other_font(no_fonts: None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn(picture("внимание"))


def test_chinese_uses_an_installed_font(no_fonts: None, tmp_path: Path) -> None:
    install_font(tmp_path, "注意力")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn(picture("注意力"))


def test_words_that_are_added_to_a_picture_use_an_installed_font(no_fonts: None, tmp_path: Path) -> None:
    install_font(tmp_path, "注意力")
    shown = picture("word")
    shown.figure.axes[0].set(xlabel="注意力")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        html = shown._repr_html_()
        drawn(shown)
    assert html.startswith("<img")


def test_where_no_font_has_a_letter_one_line_says_what_to_install(no_fonts: None) -> None:
    with pytest.warns(UserWarning) as given:
        picture("注意")
    (warning,) = given
    assert "fonts-noto-cjk" in str(warning.message) and "'意'" in str(warning.message)


def test_a_shown_picture_says_so_in_one_line_as_well(no_fonts: None) -> None:
    with pytest.warns(UserWarning) as given:
        shown = picture("注意")
        shown._repr_html_()
        shown.figure.axes[0].set(xlabel="注意力")
        shown._repr_html_()
    assert [re.findall("'.'", str(warning.message)) for warning in given] == [["'意'"], ["'力'"]]
