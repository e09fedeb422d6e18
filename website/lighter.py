"""Lighter pages: names and punctuation have the colour of plain code, so they need no element of their own."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_PLAIN = re.compile(r'<span class="(?:n|nn|p|w)">([^<]*)</span>')


def _unwrap(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    if "body" in context:
        context["body"] = _PLAIN.sub(r"\1", context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Tells Sphinx of it."""
    app.connect("html-page-context", _unwrap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
