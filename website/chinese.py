"""Makes the site's search find Chinese words, which no spaces separate: each two neighbouring characters are a word."""

from __future__ import annotations

import re

from sphinx.application import Sphinx
from sphinx.search.zh import SearchChinese

_CHINESE = r"[\u3400-\u9fff]"
_RUN = re.compile(rf"({_CHINESE}+)|(?:(?!{_CHINESE})\w)+")


class SearchInPairs(SearchChinese):
    """Splits texts, and in the browser queries, into pairs of Chinese characters and words in other letters."""

    lang = "zh_CN"
    js_splitter_code = """
const splitQuery = (query) =>
  [...query.matchAll(/([\\u3400-\\u9fff]+)|(?:(?![\\u3400-\\u9fff])[\\p{Letter}\\p{Number}_])+/gu)].flatMap(
    ([run, chinese]) => (chinese ? [...run].slice(1).map((second, place) => run[place] + second) : [run]),
  );
"""

    def split(self, input: str) -> list[str]:
        words: list[str] = []
        for run in _RUN.finditer(input):
            pairs = [run[0][place : place + 2] for place in range(len(run[0]) - 1)]
            words += pairs if run[1] else [run[0]]
        self.latin_terms.update(word for word in words if word.isascii())
        return words


def setup(app: Sphinx) -> dict[str, bool]:
    """Registers the extension with Sphinx."""
    app.add_search_language(SearchInPairs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
