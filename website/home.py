"""The computed parts of the first page: a filled gap, the card of a known mistake, and the chapters as tiles."""

from __future__ import annotations

import html
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from keras import ops

from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.explorer.exploration import SCRIPTS
from course.weights import load_masked_lm
from grading.exercises.registry import find
from grading.feedback.card import Card
from grading.feedback.record import record
from grading.judging.expectations import expectations_for
from grading.judging.verdict import judge_exercise
from grading.lessons.lesson import Lesson
from grading.lessons.translating import IN_ENGLISH, Translation
from grading.sandbox.interpreter import Interpreter

_FIGURE = re.compile(r"\.\./((?:\.\./)?figures/\w+\.\w+)")
_GAP = "She scored twice in the second [MASK] of the match."
_GUESSES = 5
_WRONG = ("scaled_dot_product_attention", "unscaled")


def filled_gap() -> str:
    """A sentence with a gap, and the small encoder's guesses, as `view.js` shows them once the weights have loaded."""
    encoder, head = load_masked_lm(SAMPLE_ENCODER)
    vocabulary = Vocabulary.load(SAMPLE_ENCODER / "vocab.txt")
    (pieces,) = WordPieceTokenizer(vocabulary).encode([_GAP])
    ids = np.array([[vocabulary.cls_id, *pieces, vocabulary.sep_id]], "int32")
    logits = head(encoder(ids)["sequence_output"], encoder.embedding.token_embeddings)
    (gap,) = np.flatnonzero(ids[0] == vocabulary.mask_id)
    probabilities = ops.convert_to_numpy(ops.softmax(logits))[0, gap]
    likeliest = np.argsort(-probabilities)[:_GUESSES].tolist()
    guesses = zip(vocabulary.pieces_of(likeliest), 100 * probabilities[likeliest], strict=True)
    return "\n".join(
        [
            '<link rel="stylesheet" href="explorer/view.css">',
            '<div class="explorer" id="explorer">',
            '<label for="explorer-text">A sentence</label>',
            f'<input type="text" id="explorer-text" value="{html.escape(_GAP)}" autocomplete="off" spellcheck="false"',
            ' aria-describedby="explorer-needs" disabled>',
            '<p id="explorer-needs" role="status">To answer you, the encoder needs JavaScript.</p>',
            f'<div class="explorer-guesses"><p>For [MASK], token {gap + 1}:</p><ol>',
            *(
                f"<li><span>{html.escape(piece)}</span> {percent:.{0 if percent >= 10 else 1}f}%"
                f'<span class="explorer-bar" aria-hidden="true" style="width:{percent:.1f}%"></span></li>'
                for piece, percent in guesses
            ),
            "</ol></div>",
            "</div>",
            *(f'<script src="explorer/{path.name}"></script>' for path in SCRIPTS),
            '<script src="_static/touch.js"></script>',
        ]
    )


def card() -> str:
    """The card that a check shows for a known mistake."""
    name, mistake = _WRONG
    chapter, exercise = find(name)
    chapter.load_mistakes()
    (wrong,) = (one for one in exercise.mistakes if one.name == mistake)
    with tempfile.TemporaryDirectory() as scratch:
        session = Interpreter(Path(scratch), {name: wrong.implementation})
        result = judge_exercise(exercise, session, expectations_for(chapter))
    return " ".join(Card(record(result)).html().split())


def tiles(pages: Iterable[tuple[Lesson, str]], translation: Translation = IN_ENGLISH) -> str:
    """A link to each chapter, with its duration and the first figure of its page."""
    return f'<ul class="tiles">\n{"".join(_tile(lesson, page, translation) for lesson, page in pages)}</ul>'


def chapter_title(lesson: Lesson, translation: Translation = IN_ENGLISH) -> str:
    """A chapter's number and title."""
    catalogue = Translation(translation.language, lesson.slug)
    return f"{lesson.chapter} {catalogue.text(lesson.title)}"


def _tile(lesson: Lesson, page: str, translation: Translation) -> str:
    figure = _FIGURE.search(page)
    image = f'<img src="{figure[1]}" alt="" loading="lazy">' if figure else ""
    title = f"<strong>{html.escape(chapter_title(lesson, translation))}</strong>"
    minutes = translation.say("{minutes} minutes", minutes=lesson.minutes)
    return f'<li><a href="chapters/{lesson.slug}.html">{image}{title} {minutes}</a></li>\n'
