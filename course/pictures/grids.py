"""Pictures of tokens, pieces and numbers in rows. The course's own functions compute what the cells hold."""

from __future__ import annotations

import numpy as np
from keras import ops

from course.attention import split_heads as split
from course.plots import Picture
from course.plots.cells import BLUE, GREY, WHITE, YELLOW, draw_bracket, draw_row, say, sheet
from course.plots.picture import joined
from course.ranking import max_sim
from course.tokenization import learn_bpe, pack_pair

_PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "man", "went", "home", "he", "slept"]


def pair_packing() -> Picture:
    """How two texts become one row: its tokens, and the three rows of numbers that the model gets."""
    first, second = ([_PIECES.index(word) for word in text.split()] for text in ("the man went home", "he slept"))
    packed = pack_pair(first, second, max_length=11, cls_id=_PIECES.index("[CLS]"), sep_id=_PIECES.index("[SEP]"))
    pieces = [_PIECES[number] for number in packed["token_ids"]]
    rows = {"tokens": pieces, **{name: values.tolist() for name, values in packed.items()}}
    segment = [BLUE if number == 0 else YELLOW for number in rows["segment_ids"]]
    fills = [fill if real else GREY for fill, real in zip(segment, rows["padding_mask"], strict=True)]
    left, width = 1.15, 0.54
    figure, axes = sheet(left + 11 * width + 0.1, 2.05)
    for top, (name, cells) in zip((0.45, 0.85, 1.2, 1.55), rows.items(), strict=True):
        say(axes, left - 0.1, top + 0.15, name, "right")
        draw_row(axes, (left, top), cells, fills, [width] * 11)
    for start, end, text in ((0, 6, "first text: segment 0"), (6, 9, "second: segment 1"), (9, 11, "padding")):
        draw_bracket(axes, left + start * width + 0.04, left + end * width - 0.04, 0.38, text)
    sentences = [f"The {name}: {' '.join(map(str, cells))}." for name, cells in rows.items()]
    sentences += [
        "The first text, with [CLS] and the first [SEP], is segment 0; the second, with its [SEP], segment 1."
    ]
    return Picture(figure, joined("A pair of texts, packed into one row of 11 tokens", sentences))


def bpe_merges() -> Picture:
    """What each merge of byte-pair encoding does to the symbols of four words."""
    counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    merges = learn_bpe(counts, num_merges=8)
    words = {word: [*word, "</w>"] for word in counts}
    figure, axes = sheet(7.2, 3.75)
    lefts = dict(zip(counts, (1.45, 2.5, 3.85, 5.5), strict=True))
    for word, count in counts.items():
        say(axes, lefts[word], 0.15, f"{word}: {count} times", "left")
    listed = ", ".join(f"{word} {count} times" for word, count in counts.items())
    sentences = [f"The words occur like this: {listed}. At first their symbols are characters."]
    for number in range(len(merges) + 1):
        pair = merges[number - 1] if number else None
        top = 0.35 + 0.37 * number
        say(axes, 1.35, top + 0.15, f"{number}: {'+'.join(pair)}" if pair else "characters", "right")
        for word, before in words.items():
            symbols, made = _merged(before, pair) if pair else (before, [])
            fills = [WHITE if len(symbol) == 1 or symbol == "</w>" else BLUE for symbol in symbols]
            widths = [0.16 * (len(symbol.replace("</w>", "")) + 2.2 * ("</w>" in symbol)) for symbol in symbols]
            draw_row(axes, (lefts[word], top), symbols, fills, widths, made)
            words[word] = symbols
        if pair:
            changed = [" ".join(symbols) for symbols in words.values() if "".join(pair) in symbols]
            sentences.append(f"Merge {number}, {'+'.join(pair)}, gives {', '.join(changed)}.")
    return Picture(figure, joined("Eight merges, one below the other; a thick frame marks the new symbol", sentences))


def _merged(symbols: list[str], pair: tuple[str, str]) -> tuple[list[str], list[int]]:
    """The symbols after a merge, and the places of those that it made."""
    result: list[str] = []
    made = []
    for symbol in symbols:
        if result and (result[-1], symbol) == pair and len(result) - 1 not in made:
            result[-1] += symbol
            made.append(len(result) - 1)
        else:
            result.append(symbol)
    return result, made


def split_heads() -> Picture:
    """Two ways from tokens to heads: a reshape with a transpose, which is right, and a reshape alone."""
    tokens = np.arange(8).reshape(1, 2, 4)
    right = np.asarray(ops.convert_to_numpy(split(tokens, 2)))[0]
    wrong = tokens.reshape(1, 2, 2, 2)[0]
    figure, axes = sheet(7.2, 2.45)
    width, mark = 0.34, {"fontweight": "bold"}
    say(axes, 0.2, 0.2, "two tokens of four features", "left", **mark)
    for number, row in enumerate(tokens[0]):
        say(axes, 0.75, 0.95 + 0.36 * number, f"token {number}", "right")
        draw_row(axes, (0.85, 0.8 + 0.36 * number), row, _by_token(row), [width] * 4)
    sentences = ["There are two tokens of four features: token 0 has 0 to 3, token 1 has 4 to 7."]
    ways = {"reshape, then transpose: right": right, "reshape alone: wrong": wrong}
    for left, (name, heads) in zip((2.75, 5.25), ways.items(), strict=True):
        say(axes, left, 0.2, name, "left", **mark)
        for head, rows in enumerate(heads):
            top = 0.5 + 0.88 * head
            say(axes, left + 0.5, top + 0.33, f"head {head}", "right")
            for number, row in enumerate(rows):
                draw_row(axes, (left + 0.6, top + 0.34 * number), row, _by_token(row), [width] * 2)
        parts = " and ".join(f"head {head} holds {rows.tolist()}" for head, rows in enumerate(heads))
        sentences.append(f"{name.capitalize().replace(':', ',')}: {parts}.")
    say(axes, 3.35, 2.25, "two features of each token", "left")
    say(axes, 5.85, 2.25, "one token each", "left")
    sentences.append("The right heads hold two features of each token, the wrong ones one token each.")
    return Picture(figure, joined("Tokens, split into two heads", sentences))


def _by_token(numbers: np.ndarray) -> list[str]:
    return [BLUE if number < 4 else YELLOW for number in numbers]


def max_similarity() -> Picture:
    """MaxSim: the cosines of a query's words with a document's, the maximum of each row, and their sum."""
    query, document = ["cheap", "flight"], ["low", "fares", "for", "your", "next", "trip"]
    directions = np.radians([0, 70]), np.radians([25, 10, 130, 150, 110, 95])  # two features, set by hand
    (asked, read) = (np.stack([np.cos(angle), np.sin(angle)], axis=-1) for angle in directions)
    cosines = asked @ read.T
    score = float(max_sim(asked[None], read[None], np.ones((1, 2), bool), np.ones((1, 6), bool))[0, 0])
    left, width = 1.0, 0.68
    figure, axes = sheet(7.2, 1.85)
    for number, word in enumerate(document):
        say(axes, left + (number + 0.5) * width, 0.2, word)
    say(axes, 6.2, 0.2, "maximum of the row")
    sentences = []
    for number, (word, row) in enumerate(zip(query, cosines, strict=True)):
        best, top = int(row.argmax()), 0.42 + 0.42 * number
        say(axes, left - 0.1, top + 0.15, word, "right")
        fills = [YELLOW if place == best else WHITE for place in range(len(document))]
        draw_row(axes, (left, top), [f"{cosine:.2f}" for cosine in row], fills, [width] * 6, [best])
        draw_row(axes, (5.86, top), [f"{row[best]:.2f}"], [YELLOW], [width])
        sentences.append(f"The word {word} is most similar to {document[best]}, with a cosine of {row[best]:.2f}.")
    say(axes, 5.76, 1.55, "their sum, the score:", "right")
    draw_row(axes, (5.86, 1.4), [f"{score:.2f}"], [BLUE], [width])
    sentences.append(f"The score is their sum, {score:.2f}; no other cosine counts.")
    title = f"A query of two words, the rows, against a document of six, the columns: {', '.join(document)}"
    return Picture(figure, joined(title, ["Of each row, the maximum counts.", *sentences]))
