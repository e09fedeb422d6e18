"""A generator of classed characters and itertools.groupby cut the text."""
# exercise: basic_tokenize; right: 5.5
from __future__ import annotations
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cache
from itertools import pairwise
import numpy as np
from course.validation.values import require_counts, require_id_lists, require_text
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
SPECIAL_TOKEN_PATTERN = re.compile("(" + "|".join(map(re.escape, SPECIAL_TOKENS)) + ")")
CONTINUATION = "##"
END_OF_WORD = "</w>"
def is_space(c): return unicodedata.category(c) in ("Zs", "Zl", "Zp") or c in "\t\n\r"
def is_control(c): return c == "\ufffd" or (unicodedata.category(c) in ("Cc", "Cf") and c not in "\t\n\r")
def is_punctuation(c): return ("!" <= c <= "~" and not c.isalnum()) or unicodedata.category(c).startswith("P")
def is_accent(c): return unicodedata.category(c) == "Mn"
def is_cjk(c):
    blocks = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))
    return any(first <= ord(c) <= last for first, last in blocks)
from itertools import count, groupby


def _classed(text: str, lowercase: bool):
    own = count(1)
    text = "".join(filter(lambda c: not is_control(c), text))
    if lowercase:
        text = unicodedata.normalize("NFD", text.lower())
    for character in text:
        match character:
            case c if is_space(c):
                yield None, c
            case c if is_punctuation(c) or is_cjk(c):
                yield next(own), c
            case c if lowercase and is_accent(c):
                continue
            case c:
                yield 0, c
def basic_tokenize(text: str, lowercase: bool = True) -> list[str]:
    def pieces():
        for part in SPECIAL_TOKEN_PATTERN.split(text):
            if part in SPECIAL_TOKENS:
                yield part
            else:
                for key, group in groupby(_classed(part, lowercase), key=lambda pair: pair[0]):
                    if key is not None:
                        yield "".join(character for _, character in group)

    return [*pieces()]
