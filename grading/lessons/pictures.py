"""Pictures in a lesson's text, which a notebook holds in itself.

    ![](pictures/pair_packing.png)

stands on a line of its own. The file's alternative text is beside it, in `pictures/pair_packing.txt`;
`python -m course.pictures` draws both.
"""

from __future__ import annotations

import base64
import html
import re
import struct
from collections.abc import Callable
from pathlib import Path

from grading.errors import GradingError
from grading.storage.files import read_text

_PICTURE = re.compile(r"^!\[\]\((pictures/\w+)\.png\)$", re.MULTILINE)
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Pictures have 144 dots an inch, so that they are sharp on fine screens; a page has 96.
_SHOWN = 96 / 144
_DRAW = "draw the lessons' pictures with `python -m course.pictures`"


def picture_names(text: str) -> list[str]:
    """The names of the pictures that a text shows, such as "pair_packing"."""
    return [path.removeprefix("pictures/") for path in _PICTURE.findall(text)]


def with_pictures(text: str, lesson: Path, described: Callable[[str], str] = str) -> str:
    """A lesson's text for a notebook: each picture becomes an image that needs no file.

    Args:
        lesson: the lesson's file; `pictures` is beside it.
        described: says an alternative text in the notebook's language.

    Raises:
        GradingError: a picture or its alternative text is missing, or the file is not a PNG.
    """
    return _PICTURE.sub(lambda match: _image(lesson, match[1], described), text)


def alternative_text(lesson: Path, name: str) -> str:
    """What a picture shows, in words.

    Args:
        lesson: the lesson's file.
        name: the picture's name with its folder, such as "pictures/beam".

    Raises:
        GradingError: there is no such text.
    """
    return read_text((lesson.parent / name).with_suffix(".txt")).strip()


def _image(lesson: Path, name: str, described: Callable[[str], str]) -> str:
    path = lesson.parent / f"{name}.png"
    try:
        png = path.read_bytes()
    except OSError as error:
        raise GradingError(f"{lesson}: cannot read {name}.png ({error.strerror}); {_DRAW}") from error
    alt = alternative_text(lesson, name)
    if not png.startswith(_SIGNATURE) or len(png) < 24 or not alt:
        raise GradingError(f"{lesson}: {name}.png must be a PNG with an alternative text in {name}.txt; {_DRAW}")
    width = round(struct.unpack(">I", png[16:20])[0] * _SHOWN)
    # As figures in outputs are written, too. Markdown's own images have no width, and Colab shows no attachments.
    return (
        f'<img alt="{html.escape(described(alt))}" width="{width}" style="max-width: 100%; height: auto" '
        f'src="data:image/png;base64,{base64.b64encode(png).decode()}">'
    )
