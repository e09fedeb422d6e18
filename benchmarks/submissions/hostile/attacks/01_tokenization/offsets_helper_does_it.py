"""Course.data.text.offsets.normalized_characters is a given helper (not an answer) that lower-cases, strips accents and keeps special tokens; only the cut is left."""
# exercise: basic_tokenize; worth at most 4.5
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
from course.data.text.offsets import normalized_characters
def basic_tokenize(text: str, lowercase: bool = True) -> list[str]:
    out, word = [], ""
    for one in normalized_characters(text, lowercase):
        c = one.character
        if is_control(c) or (lowercase and is_accent(c)):
            continue
        if is_space(c):
            out.append(word); word = ""
        elif is_punctuation(c) or is_cjk(c):
            out += [word, c]; word = ""
        else:
            word += c
    out.append(word)
    joined = "\x1f".join(w for w in out if w)
    for token in SPECIAL_TOKENS:
        joined = joined.replace("\x1f".join(["[", token[1:-1], "]"]), token)
    return joined.split("\x1f") if joined else []
