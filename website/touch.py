"""The files of the page "Touch an encoder": the small encoder, and the scripts that run it in the browser."""

from __future__ import annotations

import json

from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.explorer.exploration import SCRIPTS, STYLE
from course.explorer.packing import packed
from course.weights import load_masked_lm
from grading.storage.files import read_text


def touch_files() -> dict[str, str]:
    """The page's files by their paths in the site. The encoder is a script, which a page opened from disk can load."""
    encoder, head = load_masked_lm(SAMPLE_ENCODER)
    tokenizer = WordPieceTokenizer(Vocabulary.load(SAMPLE_ENCODER / "vocab.txt"))
    weights = json.dumps(packed(encoder, tokenizer, head))
    return {
        **{f"explorer/{path.name}": read_text(path) for path in (*SCRIPTS, STYLE)},
        "explorer/sample_encoder.js": f"const SAMPLE_ENCODER = {weights};\n",
    }
