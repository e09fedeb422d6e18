"""Moves the figures of all chapters into files, so that a page can be read before its figures have loaded."""

from __future__ import annotations

import base64
import hashlib
import re
import struct

_FIGURE = re.compile(r'width="(\d+)" (style="[^"]*") src="data:image/png;base64,([^"]+)"')


class Figures:
    """Moves figures from texts and outputs into files.

    Attributes:
        files: the bytes of each figure, by the name of its file.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def taken_out(self, text: str) -> str:
        """A text, or the HTML of an output, with links to its figures instead of embedded ones."""
        return _FIGURE.sub(self._kept, text)

    def _kept(self, match: re.Match[str]) -> str:
        width, style, encoded = match.groups()
        data = base64.b64decode(encoded)
        name = f"{hashlib.sha256(data).hexdigest()[:16]}.png"
        self.files[name] = data
        # With a height, the browser reserves the figure's place, so the text below does not move when it loads.
        across, down = struct.unpack(">2I", data[16:24])
        height = round(int(width) * down / across)
        return f'width="{width}" height="{height}" {style} loading="lazy" src="../figures/{name}"'
