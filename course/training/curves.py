"""The curves of a training, as a picture beside its table."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.storage.outputs import write_picture

if TYPE_CHECKING:  # figures take seconds to import, and are drawn at the end
    from course.plots import Picture


def draw_curves(folder: Path, curves: Mapping[str, Any], **how: Any) -> Picture | None:
    """Draws curves into curves.png; what can be seen there is said in curves.txt and in the image itself.

    A machine that is lent for its GPU may be without Matplotlib. Hours of training do not fail there: nothing is drawn,
    and the table beside it has all that the picture would show.

    Args:
        folder: where the picture goes.
        curves: as of `plot_curves`.
        how: what else that takes.

    Returns:
        The picture, or None where Matplotlib is not installed.

    Raises:
        CourseError: a file cannot be written.
    """
    if importlib.util.find_spec("matplotlib") is None:
        return None
    from course.plots import plot_curves

    picture = plot_curves(curves, **how)
    write_picture(folder / "curves.png", picture)
    return picture
