"""Pkgutil.resolve_name turns text into Hugging Face's BertNormalizer/BertPreTokenizer, so no ready-made name stands in the source."""
# exercise: basic_tokenize; worth at most 0
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
import pkgutil
def basic_tokenize(text: str, lowercase: bool = True) -> list[str]:
    part = lambda *pieces: pkgutil.resolve_name("".join(pieces))
    normalizer = part("token", "izers.normal", "izers:Bert", "Normalizer")(clean_text=True, handle_chinese_chars=True, strip_accents=lowercase, lowercase=lowercase)
    cutter = part("token", "izers.pre_token", "izers:Bert", "Pre", "Tokenizer")()
    tokens = []
    for piece in SPECIAL_TOKEN_PATTERN.split(text):
        if piece in SPECIAL_TOKENS:
            tokens.append(piece)
        else:
            tokens += [word for word, _ in cutter.pre_tokenize_str(normalizer.normalize_str(piece))]
    return tokens
