"""Draw the curves of a training as a picture beside its table."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.storage.outputs import write_picture

if TYPE_CHECKING:  # figures take seconds to import, and are drawn at the end
    from course.plots import Picture


def draw_curves(folder: Path, curves: Mapping[str, Any], **how: Any) -> Picture | None:
    """Draw curves into curves.png, and describe them in curves.txt and in the image itself.

    A borrowed GPU machine may lack Matplotlib. Hours of training must not fail there, so nothing is drawn; the table
    has all the numbers.

    Args:
        folder: where the picture goes.
        curves: as for `plot_curves`.
        how: its other arguments.

    Returns:
        The picture, or None if Matplotlib is not installed.

    Raises:
        CourseError: a file cannot be written.
    """
    if importlib.util.find_spec("matplotlib") is None:
        return None
    from course.plots import plot_curves

    picture = plot_curves(curves, **how)
    write_picture(folder / "curves.png", picture)
    return picture
