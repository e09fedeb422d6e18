"""Each character gets a kind, and neighbours of one kind are grouped; a generator does the work."""

import itertools
import unicodedata

from course.tokenization import SPECIAL_TOKEN_PATTERN, is_accent, is_cjk, is_control, is_punctuation, is_space


def kind(numbered):
    number, character = numbered
    if is_space(character):
        return "space"
    if is_punctuation(character) or is_cjk(character):
        return number  # each a group of its own
    return "word"


def cut_at_specials(text, lowercase):
    end = 0
    for match in SPECIAL_TOKEN_PATTERN.finditer(text):
        yield from plain(text[end : match.start()], lowercase)
        yield match.group()
        end = match.end()
    yield from plain(text[end:], lowercase)


def plain(text, lowercase):
    text = "".join(c for c in text if is_space(c) or not is_control(c))
    if lowercase:
        text = "".join(filter(lambda c: not is_accent(c), unicodedata.normalize("NFD", text.lower())))
    for name, group in itertools.groupby(enumerate(text), key=kind):
        if name != "space":
            yield "".join(character for _, character in group)


def basic_tokenize(text, lowercase=True):
    return list(cut_at_specials(text, lowercase))
