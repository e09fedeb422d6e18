"""Stores a picture small enough for a notebook's text."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageColor

from course.plots import Picture
from course.plots.cells import BLUE, GREY, STRONG, WHITE, YELLOW
from course.storage.atomic import atomic_file
from course.storage.outputs import write_picture

# Lines, letters and flat areas need no more than their colours and the shades at their edges. The file is a quarter as
# large as with all shades.
_AREAS = (WHITE, BLUE, YELLOW, GREY)
_SHADES = (0.0, 0.35, 0.65, 1.0)


def store(picture: Picture, path: Path) -> None:
    """Writes a picture as a PNG of few colours, and its alternative text in a .txt file of the same name.

    Args:
        picture: lines, letters and flat areas; no photograph and no colour map.
        path: the PNG file.

    Raises:
        CourseError: a file cannot be written.
    """
    write_picture(path, picture)
    colors = Image.new("P", (1, 1))
    colors.putpalette(_palette())
    with Image.open(path) as image:
        few = image.convert("RGB").quantize(palette=colors, dither=Image.Dither.NONE)
    with atomic_file(path) as draft:
        few.save(draft, "PNG", optimize=True)


def _palette() -> list[int]:
    """The colours as red, green, blue, one after the other: each area in shades down to black, and strong frames."""
    shades = {tuple(round(level * shade) for level in ImageColor.getrgb(area)) for area in _AREAS for shade in _SHADES}
    return [level for color in (*sorted(shades), ImageColor.getrgb(STRONG)) for level in color]
