"""Fonts for figures whose words Matplotlib's own font, DejaVu Sans, cannot write: Chinese, Japanese and Korean."""

from __future__ import annotations

import warnings
from functools import cache

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.text import Text

# The fonts of Linux's packages, of Windows and of macOS; each has Chinese, and Latin letters besides.
_FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei"),
    *("WenQuanYi Zen Hei", "Microsoft YaHei", "SimHei", "PingFang SC", "Hiragino Sans GB", "Arial Unicode MS"),
)


# What a warning has named already: a figure is looked at again when it is shown.
_reported: set[str] = set()


def use_fonts_for(figure: Figure) -> None:
    """Let a figure's texts use an installed font that has what their own font lacks.

    Where none is installed, one warning says which one to install.
    """
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    letters = {letter for text in texts for letter in text.get_text() if letter.isprintable()}
    lacking = {letter for letter in letters if ord(letter) not in _letters_of("DejaVu Sans")}
    if not lacking:
        return
    installed = {font.name for font in fontManager.ttflist}
    for name in _FONTS:
        if name in installed and lacking <= set(map(chr, _letters_of(name))):
            for text in texts:
                text.set_fontfamily(list(dict.fromkeys([*text.get_fontfamily(), name])))
            return
    if new := lacking - _reported:
        _reported.update(new)
        warnings.warn(
            f"no installed font has {min(new)!r}, so the figure shows a box for it; install Noto Sans CJK "
            "(Debian: apt install fonts-noto-cjk; Colab: the same with !), and start the kernel again",
            stacklevel=3,
        )


@cache
def _letters_of(name: str) -> frozenset[int]:
    """The numbers of all characters that a font has."""
    return frozenset(get_font(findfont(FontProperties(family=[name]))).get_charmap())
