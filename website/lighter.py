"""Makes pages smaller.

Names and punctuation have the colour of plain code, so their span elements are removed. The search index lists each
object by its name and module, so its index entries, which repeat them, are removed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

_BEFORE, _AFTER = "Search.setIndex(", ")"
_PLAIN = re.compile(r'<span class="(?:n|nn|p|w)">([^<]*)</span>')


def _unwrap(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    if "body" in context:
        context["body"] = _PLAIN.sub(r"\1", context["body"])


def _each_name_once(app: Sphinx, error: Exception | None) -> None:
    path = Path(app.outdir, "searchindex.js")
    if error is None and path.is_file():
        index = json.loads(path.read_text(encoding="utf-8").removeprefix(_BEFORE).removesuffix(_AFTER))
        index["indexentries"] = {}
        path.write_text(_BEFORE + json.dumps(index, separators=(",", ":")) + _AFTER, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the extension with Sphinx."""
    app.connect("html-page-context", _unwrap)
    app.connect("build-finished", _each_name_once)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
