"""Lone surrogates, NULs, a 5000-digit number's string and terminal/HTML control text as tokens: writing JSON as UTF-8 or printing the comparison fails in the grader's own process, or the text commands the reader's terminal."""
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
def basic_tokenize(text: str, lowercase: bool = True) -> list[str]:
    bomb = ["\ud800", "\x00", "\x1b]52;c;ZWNobyBoaQ==\x07", "\x1b[2J\x1b[H\x1b[32m5.5 / 5.5", "\u202e\u2066", "</script><img src=x onerror=alert(1)>",
            "$\\require{unicode}$", "[x](javascript:alert(1))", "{{7*7}}", "=HYPERLINK(\"http://127.0.0.1\")", "\r\n::set-output name=grade::100"]
    return bomb + [10 ** 5000]
