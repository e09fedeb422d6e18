"""Irrelevant characters are removed, then one regular expression finds words and marks."""

import re
import unicodedata

from course.tokenization import SPECIAL_TOKENS, is_cjk, is_control, is_punctuation, is_space


def basic_tokenize(text, lowercase=True):
    alone = "\x02"  # a control character; the text's own are already removed when it is put in
    special = "|".join(re.escape(token) for token in SPECIAL_TOKENS)
    result = []
    for piece in re.split(f"({special})", text):
        if piece in SPECIAL_TOKENS:
            result.append(piece)
            continue
        piece = "".join(" " if is_space(c) else c for c in piece if is_space(c) or not is_control(c))
        if lowercase:
            piece = unicodedata.normalize("NFD", piece.lower())
            piece = "".join(c for c in piece if unicodedata.category(c) != "Mn")
        piece = "".join(alone + c + alone if is_punctuation(c) or is_cjk(c) else c for c in piece)
        result += re.findall(f"[^ {alone}]+", piece)
    return result
