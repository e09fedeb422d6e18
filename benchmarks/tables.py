"""python -m benchmarks.tables: updates the tables and numbers in documents that code can count.

In README.md and docs/ they are between `<!-- counted: NAME -->` and `<!-- end -->`. The pages of benchmarks and recipes
are generated from their stored results.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from collections.abc import Callable
from functools import reduce
from typing import Any

from benchmarks.__main__ import NAMES
from benchmarks.page import RESULTS, page
from grading.exercises.registry import chapters
from grading.exercises.solutions import SOLUTIONS
from grading.storage.files import read_text, write_file
from grading.storage.project import PROJECT
from recipes import ag_news_objectives_page, ag_news_results, cranfield, own_classes_results, published_results
from recipes.page import with_section
from recipes.paths import OBJECTIVES

_COUNTED = re.compile(r"^(<!-- counted: (\w+) -->\n).*?(?=^<!-- end -->$)", re.MULTILINE | re.DOTALL)
_SECTIONS = (
    ag_news_results.section_of(ag_news_results.RESULTS),
    own_classes_results.section_of(own_classes_results.RESULTS),
    published_results.section_of(published_results.RESULTS),
    ag_news_objectives_page.section_of(OBJECTIVES),
    cranfield.section_of(cranfield.RESULTS),
)
# The names in docs/search.md, and those in the recipe.
_RANKERS = {
    "BM25": "BM25",
    "DSSM, all documents": "dssm",
    "MaxSim, all documents": "maxsim",
    "MaxSim, by a graph": "maxsim by a graph",
    "DSSM": "BM25, then dssm",
    "MaxSim": "BM25, then maxsim",
    "K-NRM": "K-NRM",
    "DRMM": "DRMM",
    "cross-encoder": "cross-encoder",
    "cross-encoder, then duo on its best 5": "cross-encoder, then duo",
    "CEDR": "CEDR",
    "split after the first of two blocks": "split behind block 1",
    "the same encoder, not split": "split behind block 0",
}
_PUBLISHED_RANKERS = {
    "BM25": "BM25",
    "vectors as published, all documents": "as published",
    "vectors as published": "BM25, then as published",
    "cross-encoder": "cross-encoder",
    "CEDR": "CEDR",
}


def documents() -> dict[str, str]:
    """The text that each of the documents should have, by its path in the project."""
    counted = {path: read_text(PROJECT / path) for path in ("README.md", "docs/grader.md", "docs/search.md")}
    return {
        **{path: _COUNTED.sub(_replaced, text) for path, text in counted.items()},
        "benchmarks/README.md": page(RESULTS, NAMES),
        "recipes/README.md": reduce(with_section, _SECTIONS, read_text(PROJECT / "recipes" / "README.md")),
    }


def _replaced(match: re.Match[str]) -> str:
    return f"{match[1]}\n{_NAMED[match[2]]()}\n\n"


def _headline() -> str:
    exercises, _, mistakes, solutions = _exercises()["all"]
    mutants, hostile = _rows("mutants")[-1], _rows("hostile")[-1]
    text = (
        f"The tests feed {mistakes:,} known mistakes in {exercises} exercises to the grader: each loses points, and "
        f"the grader names it. Of {solutions} right solutions in different styles, each gets full marks. Of "
        f"{mutants['mutants']:,} mutants of the right answers, {mutants['killed']:,} fail a check, "
        f"{mutants['equal']:,} are equivalent, and {mutants['survived']:,} survive ([the tables](docs/grader.md)). "
        f"{hostile['held here']} of {hostile['tried here']} hostile submissions gained no point, read no secret and "
        "harmed no neighbour ([benchmarks](benchmarks/README.md))."
    )
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def _mistakes() -> str:
    head = "chapter | exercises | checks | mistakes, all caught and named | right solutions, all with full marks"
    return _table(head, _exercises())


def _exercises() -> dict[str, list[int]]:
    """The numbers of exercises, checks, known mistakes and right solutions, for each chapter and for all."""
    counts = {}
    for chapter in chapters().values():
        chapter.load_mistakes()
        exercises = chapter.exercises.values()
        counts[f"{chapter.number} {chapter.title}"] = [
            len(exercises),
            sum(len(exercise.checks) for exercise in exercises),
            sum(len(exercise.mistakes) for exercise in exercises),
            sum(len(SOLUTIONS[exercise.name]) for exercise in exercises),
        ]
    return {**counts, "all": [sum(column) for column in zip(*counts.values(), strict=True)]}


def _mutants() -> str:
    counts: dict[str, Counter[str]] = {}
    for row in _rows("mutants"):
        title = f"{row['chapter']} {chapters()[row['chapter']].title}" if row["chapter"] else "all"
        numbers = {column: row[column] for column in ("mutants", "killed", "equal", "survived")}
        counts.setdefault(title, Counter()).update(numbers)
    head = "chapter | mutants | killed | equivalent, with a reason | surviving"
    return _table(head, {title: numbers.values() for title, numbers in counts.items()})


def _rankers(file: str, names: dict[str, str]) -> str:
    rows = {}
    results = json.loads(read_text(PROJECT / "recipes" / file))["rankers"]
    for title, name in names.items():
        result = results[name]
        mean, ndcg, first = result["MAP"], result["nDCG@10"], result["MRR@10"]
        gain = result["beside BM25"]["nDCG@10"]["above BM25"] if "beside BM25" in result else None
        rows[title] = [
            f"{mean['value']:.3f}",
            f"{ndcg['value']:.3f} ({ndcg['low']:.3f} to {ndcg['high']:.3f})",
            f"{first['value']:.3f}",
            "{value:+.3f} ({low:+.3f} to {high:+.3f})".format(**gain) if gain else "",
            f"{result['CPU ms a query']:.1f}",
        ]
    head = "ranker | MAP | nDCG@10 (95%) | MRR@10 | combined with BM25: nDCG@10 above BM25 (95%) | CPU ms per query"
    return _table(head, rows)


_NAMED: dict[str, Callable[[], str]] = {
    "headline": _headline,
    "mistakes": _mistakes,
    "mutants": _mutants,
    "rankers": lambda: _rankers("cranfield_rankers.json", _RANKERS),
    "published_rankers": lambda: _rankers("cranfield_rankers_published.json", _PUBLISHED_RANKERS),
}


def _rows(name: str) -> list[dict[str, Any]]:
    return json.loads(read_text(RESULTS / f"{name}.json"))["rows"]


def _table(head: str, rows: dict[str, Any]) -> str:
    lines = [f"| {head} |", "|---" + "|---:" * head.count("|") + "|"]
    for title, cells in rows.items():
        lines.append(f"| {' | '.join([title, *(f'{cell:,}' if isinstance(cell, int) else cell for cell in cells)])} |")
    return "\n".join(lines)


def main() -> None:
    """Updates the documents that are out of date, and names them."""
    for path, text in documents().items():
        if text != read_text(PROJECT / path):
            write_file(PROJECT / path, text)
            print(f"{path} was out of date")


if __name__ == "__main__":
    main()
