"""The figures of all chapters, as files of their own: a page is read before its figures are there."""

from __future__ import annotations

import base64
import hashlib
import re
import struct

_FIGURE = re.compile(r'(?:width="(\d+)" (style="[^"]*") )?src="data:image/(png|svg\+xml);base64,([^"]+)"')


class Figures:
    """Takes figures out of outputs.

    Attributes:
        files: their bytes, by the name of the file.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def taken_out(self, text: str) -> str:
        """The HTML of an output, with its figures in files instead of in itself."""
        return _FIGURE.sub(self._kept, text)

    def _kept(self, found: re.Match[str]) -> str:
        width, style, kind, encoded = found.groups()
        data = base64.b64decode(encoded)
        name = f"{hashlib.sha256(data).hexdigest()[:16]}.{kind.partition('+')[0]}"
        self.files[name] = data
        shown = f'loading="lazy" src="../figures/{name}"'
        if width is None or kind != "png":
            return shown
        # With its height, its place is kept until it comes, and the text below stays where it is.
        across, down = struct.unpack(">2I", data[16:24])
        return f'width="{width}" height="{round(int(width) * down / across)}" {style} {shown}'
