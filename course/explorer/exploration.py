"""An interactive view of an encoder in a notebook: type a sentence, and see its attention and its guesses."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from pathlib import Path

from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.explorer.packing import packed
from course.masked_lm import MaskedLMHead
from course.validation.values import require_text

_HERE = Path(__file__).parent / "templates"  # bundles include this folder
# The scripts of the view, in the order in which a page needs them, and its style.
SCRIPTS = tuple(_HERE / name for name in ("wordpiece.js", "encoder.js", "view.js"))
STYLE = _HERE / "view.css"

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Explorer</title>
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
{style}
</style>
<main class="explorer" id="explorer"></main>
<script>
{scripts}
Explorer.show(document.getElementById("explorer"), {packed}, {text});
</script>
</html>
"""


@dataclass(frozen=True)
class Exploration:
    """A page that a notebook shows below its cell. It needs no network.

    Attributes:
        page: the whole page, as HTML.
    """

    page: str

    def __repr__(self) -> str:
        return "An encoder to explore; a notebook shows it as a page."

    def _repr_html_(self) -> str:
        # The frame keeps its scripts and the notebook's apart.
        source = html.escape(self.page)
        return (
            '<iframe title="An encoder to explore" sandbox="allow-scripts" '
            f'style="width: 100%; height: 60rem; border: 0" srcdoc="{source}"></iframe>'
        )


def explore(
    encoder: BertEncoder, tokenizer: WordPieceTokenizer, text: str, head: MaskedLMHead | None = None
) -> Exploration:
    """Shows an encoder as an interactive page: its tokens, every head's attention, and its guesses for each [MASK].

    The page contains the weights, and the browser computes with them, so it answers while you type.

    Args:
        encoder: built, with a position table, as BERT's.
        tokenizer: has the vocabulary that the encoder was trained with.
        text: the sentence that the page shows at first.
        head: the masked-word head that was trained with it; None for a page without guesses.

    Raises:
        TypeError: the text is not a string.
        ValueError: the encoder has no position table, or more than 20 million parameters; the tokenizer has another
            vocabulary; the head is for another encoder; or a weight is not finite.
        WeightsError: the encoder or the head is not built.

    Example:
        >>> encoder, head = load_masked_lm(SAMPLE_ENCODER)
        >>> tokenizer = WordPieceTokenizer(Vocabulary.load(SAMPLE_ENCODER / "vocab.txt"))
        >>> explore(encoder, tokenizer, "The [MASK] scored in the second half.", head)
    """
    require_text(text, "text")
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    return Exploration(
        _PAGE.format(
            style=STYLE.read_text(encoding="utf-8"),
            scripts=scripts,
            packed=_in_script(packed(encoder, tokenizer, head)),
            text=_in_script(text),
        )
    )


def _in_script(value: object) -> str:
    """A value as JavaScript, escaped so that "</script>" in it does not end the script."""
    return json.dumps(value).replace("<", "\\u003c")
