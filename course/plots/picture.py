"""A figure with an alternative text."""

from __future__ import annotations

import base64
import html
import io
import warnings
from collections.abc import Iterable
from dataclasses import dataclass

from matplotlib.figure import Figure

from course.plots.fonts import use_fonts_for

COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")  # Okabe and Ito, 2008


@dataclass(frozen=True)
class Picture:
    """A figure, and a text that describes it for readers who cannot see it.

    A notebook shows it as an image with this alternative text; a terminal shows the text.

    Args:
        figure: the Matplotlib figure, to change it or to save it with `figure.savefig`.
        alt: the alternative text.
    """

    figure: Figure
    alt: str

    def __post_init__(self) -> None:
        use_fonts_for(self.figure)

    def __repr__(self) -> str:
        return f"Picture: {self.alt}"

    def _repr_html_(self) -> str:
        png = io.BytesIO()
        use_fonts_for(self.figure)  # again, as words may have been added
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from")  # Matplotlib's line for each letter
            self.figure.savefig(png, format="png", dpi=144, metadata={"Software": None})
        width = round(self.figure.get_figwidth() * 96)
        return (
            f'<img alt="{html.escape(self.alt)}" width="{width}" style="max-width: 100%; height: auto" '
            f'src="data:image/png;base64,{base64.b64encode(png.getvalue()).decode()}">'
        )


def set_title(figure: Figure, title: str | None) -> None:
    """Puts a title above a figure. A token such as $1 is text, not a formula."""
    if title:
        figure.suptitle(title, parse_math=False)


def joined(title: str, sentences: Iterable[str]) -> str:
    """An alternative text: the title as a sentence, and then these sentences."""
    return " ".join([f"{title.rstrip('.')}.", *sentences])
