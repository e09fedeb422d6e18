"""Pictures of how texts flow through a model, from bottom to top."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from course.plots import Picture
from course.plots.diagrams import DATA, STEP, WEIGHTS, Arrow, Box, draw_diagram


def masked_word() -> Picture:
    """The path of a masked word: through the encoder, and from its vector to a score for each word."""
    boxes = {
        "ids": Box(2, 0, "the captain has a [MASK]", DATA, 2.6),
        "table": Box(2, 0.95, "token table E", WEIGHTS, 2.2),
        "encoder": Box(2, 1.9, "blocks of the encoder", WEIGHTS, 2.2),
        "all": Box(2, 2.95, "a vector for each token\n(length, d)", DATA, 2.6, 0.7),
        "gap": Box(2, 4.05, "take the one at the gap\n(d)", STEP, 2.6, 0.7),
        "transform": Box(2, 5.1, "dense, gelu, norm: h", WEIGHTS, 2.6),
        "dot": Box(2, 6.05, "h · each row of E, plus b", WEIGHTS, 2.6),
        "logits": Box(2, 7.1, "logits: a score for each word\n(vocabulary)", DATA, 3.2, 0.7),
    }
    shared = Arrow("table", "dot", ((0.1, 0.95), (0.1, 6.05)), dashed=True)
    sentences = [
        "From bottom to top: the text, the captain has a [MASK], goes through the token table E "
        "and the blocks of the encoder.",
        "Of the vectors, one for each token, (length, d), take the one at the gap, (d).",
        "It goes through dense, gelu and norm, which gives h.",
        "Then h · each row of E, plus b, gives the logits: a score for each word of the vocabulary.",
        "A dashed arrow leads from the token table to this last step: it is the same matrix.",
    ]
    return draw_diagram(
        [("", boxes, [*_chain(boxes), shared])], "The path of a masked word through the head", sentences, (5.6, 6.4)
    )


def pretraining_step() -> Picture:
    """One step of pretraining: from documents to the sum of two losses."""
    boxes = {
        "documents": Box(3, 0, "documents", DATA),
        "pairs": Box(3, 0.9, "pairs: next, or from elsewhere", STEP, 3.0),
        "packed": Box(3, 1.8, "tokenize and pack", STEP, 3.0),
        "mask": Box(3, 2.7, "mask 15% of the words", STEP, 3.0),
        "encoder": Box(3, 3.6, "encoder", WEIGHTS, 3.0),
        "words": Box(1.8, 4.65, "masked-word head", WEIGHTS, 2.1),
        "next": Box(4.2, 4.65, "next-sentence head", WEIGHTS, 2.1),
        "word loss": Box(1.8, 5.6, "loss of the words", STEP, 2.1),
        "next loss": Box(4.2, 5.6, "loss of the pairs", STEP, 2.1),
        "sum": Box(3, 6.6, "sum of both losses", STEP, 2.1),
    }
    arrows = [
        *itertools.islice(_chain(boxes), 4),
        *(Arrow("encoder", "words"), Arrow("words", "word loss"), Arrow("word loss", "sum")),
        *(Arrow("encoder", "next"), Arrow("next", "next loss"), Arrow("next loss", "sum")),
        Arrow("packed", "word loss", ((0.3, 1.8), (0.3, 5.6)), dashed=True),
        Arrow("pairs", "next loss", ((4.5, 0.9), (5.7, 0.9), (5.7, 5.6))),
    ]
    sentences = [
        "From bottom to top: documents become pairs, in which the second text is the next one or comes from elsewhere.",
        "Tokenize and pack them, and mask 15% of the words; the encoder sees only these masked texts.",
        "The masked-word head and the next-sentence head both read the encoder, each has a loss, "
        "the loss of the words and the loss of the pairs, and the step goes down the sum of both losses.",
        "Two paths lead around the encoder to the losses: the texts before they were masked hold the right words, "
        "and the pairs say whether the second text was next.",
    ]
    return draw_diagram([("", boxes, arrows)], "One step of pretraining", sentences, (6.2, 6.2))


def classifier() -> Picture:
    """The classifier: of all the encoder's vectors, it reads the one at [CLS]."""
    words = ["[CLS]", "rates", "rise", "again", "[SEP]"]
    boxes = {f"read {word}": Box(1.3 * place, 0, word, DATA, 1.1) for place, word in enumerate(words)}
    boxes |= {"encoder": Box(2.6, 0.95, "encoder", WEIGHTS, 6.3)}
    boxes |= {f"vector {word}": Box(1.3 * place, 1.9, "vector", DATA, 1.1) for place, word in enumerate(words)}
    head = {
        "pooler": Box(0, 2.85, "pooler", WEIGHTS, 1.1),
        "dropout": Box(1.75, 2.85, "dropout", STEP, 1.2),
        "matrix": Box(3.6, 2.85, "matrix (d, 4)", WEIGHTS, 1.5),
        "logits": Box(5.3, 2.85, "4 logits", DATA, 1.1),
    }
    arrows = [
        *(Arrow(f"read {word}", "encoder", straight=True) for word in words),
        *(Arrow("encoder", f"vector {word}", straight=True) for word in words),
        *(Arrow("vector [CLS]", "pooler"), *_chain(head)),
    ]
    sentences = [
        "Below, the text: [CLS] rates rise again [SEP].",
        "The encoder makes a vector of each of the five tokens.",
        "Only the vector of [CLS] goes on: through the pooler, dropout, and a matrix (d, 4), to 4 logits.",
    ]
    return draw_diagram([("", boxes | head, arrows)], "A classifier on [CLS]", sentences, (6.8, 3.9))


def split_encoder() -> Picture:
    """The split encoder: what is computed the night before, and what is left when the query comes."""
    boxes = {
        "document": Box(1.2, 0, "the night before:\na document", DATA, 2.4, 0.7),
        "night": Box(1.2, 1.0, "blocks 1 to 9:\nthe document alone", WEIGHTS, 2.4, 0.7),
        "stored": Box(1.2, 2.1, "stored: a vector\nfor each token", DATA, 2.4, 0.7),
        "query": Box(4.4, 0, "when it comes:\na query", DATA, 2.4, 0.7),
        "alone": Box(4.4, 1.0, "blocks 1 to 9:\nthe query alone", WEIGHTS, 2.4, 0.7),
        "join": Box(4.4, 2.1, "put side by side", STEP, 2.4, 0.7),
        "both": Box(4.4, 3.2, "blocks 10 to 12:\nboth texts together", WEIGHTS, 2.4, 0.7),
        "score": Box(4.4, 4.2, "score", DATA, 2.4),
    }
    arrows = [
        *(Arrow("document", "night"), Arrow("night", "stored"), Arrow("stored", "join")),
        *(Arrow("query", "alone"), Arrow("alone", "join"), Arrow("join", "both"), Arrow("both", "score")),
    ]
    sentences = [
        "Left, the night before: a document goes through blocks 1 to 9 alone, and a vector for each token is stored.",
        "Right, when it comes: a query goes through blocks 1 to 9 alone.",
        "Then both are put side by side, and blocks 10 to 12 read both texts together, which gives the score.",
    ]
    return draw_diagram([("", boxes, arrows)], "A split encoder", sentences, (6.4, 4.6))


def _chain(boxes: dict[str, Box]) -> Iterator[Arrow]:
    """An arrow from each box to the next."""
    return (Arrow(start, end) for start, end in itertools.pairwise(boxes))
