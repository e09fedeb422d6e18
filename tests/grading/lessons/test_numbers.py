"""A number in a lesson's prose is printed by a cell, comes with its source, or is worked out here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import metadata
from inspect import signature
from math import exp, floor, log, sqrt
from statistics import mean

import nbformat
import pytest

from course.data.datasets import load_sample
from course.masked_lm import mask_tokens
from grading.lessons.lesson import Lesson, find_lessons
from grading.storage.project import PROJECT

LESSONS = find_lessons(PROJECT / "notebooks" / "source")
# Fractions, shares, thousands and powers of ten; a small whole number is mostly a count of things that stand there.
NUMBER = re.compile(r"(?<![\w.,/-])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?%?(?![\w/])")
TELLING = re.compile(r"[.,%e]")
# Where a number comes from, if not from a cell.
SOURCE = re.compile(r"\]\(http|[Tt]he paper|[Aa] lecture|the lecture's|BERT's authors|`recipes/")
AG_NEWS, WNUT17, QUORA, CRANFIELD, LANGUAGES, PUBLISHED, OWN_CLASSES, ENTITIES, SEARCH, ON_ENGLISH = (
    json.loads((PROJECT / "recipes" / f"{name}.json").read_text())
    for name in (
        *("ag_news", "wnut17", "quora_pairs", "cranfield_rankers", "languages", "published", "own_classes"),
        *("entities", "cranfield", "cranfield_rankers_published"),
    )
)
SAMPLE = load_sample()
SMALL, TWIN = WNUT17["the small encoder"], WNUT17["its fresh twin"]
# Measured with a model that chapter 7's `my_model.start()` trained, of right solutions in another style: its card.
TRIAL: dict[int, dict[str, float]] = {
    8: {"89.9%": 89.9, "40.7%": 40.7, "96.3%": 96.3},
    9: {"0.48": 0.483, "0.83": 0.829},
    12: {"0.814": 0.814, "0.844": 0.844, "0.781": 0.781},
    15: {"98.7%": 98.7, "99.7%": 99.7, "99.8%": 99.8},
}
# What stands in prose as it was worked out or measured elsewhere, to as many digits as it is given.
WORKED_OUT: dict[int, dict[str, float]] = {
    1: {"30,522": 30_522, "30,000": 3e4, "60,000": 2 * 3e4, "4,000": 1000 * floor(4213 / 1000)},
    2: {"61,000": 1000 * floor(61_342.7 / 1000)},
    3: {
        "0.02": 0.02,
        "0.55": 0.02 * sqrt(768),
        "0.3": (0.02 * sqrt(768)) ** 2,
        "0.036": sqrt(2 / (768 + 768)),
        "16,777,216": 4096**2,
        "2,415,919,104": 12 * 12 * 4096**2,
    },
    4: {
        "65,504": 2.0**16 - 2**5,
        "6e-8": 2.0**-24,
        "4,722,432": 2 * 768 * 3072 + 3072 + 768,
        "7,087,872": 4 * 768 * 769 + 2 * 768 * 3072 + 3072 + 768 + 4 * 768,
    },
    5: {
        "5,000": len(SAMPLE),
        "4,000": 1000 * floor((3384 + 397 + 417) / 1000),
        "0.69": log(2),
        "6.9": log(1000),
    },
    6: {"2.31": -(log(0.99) + log(0.01)) / 2, "0.69": log(2)},
    7: {
        "0.8": (1 - 0.865) * 6,
        "0.61": exp(-0.5),
        "13.5": 100 - 86.5,
        "26,954": AG_NEWS["articles"],
        "140,000": 1e4 * floor(14.2366),
        "12,800": 400 * 32,
        "15%": 100 * signature(mask_tokens).parameters["rate"].default,
        "120,000": 30_000 * 4,
    },
    8: {
        **TRIAL[8],
        "1.39": log(4),
        "109,482,240": 30_522 * 768 + 514 * 768 + 2 * 768 + 12 * 7_087_872 + 768 * 769,
        "3,076": 768 * 4 + 4,
        "26,954": AG_NEWS["articles"],
        "1.9": 100 * AG_NEWS["gain_over"]["fresh"][0],
        "89.21%": 89.21,
        "89.2%": 89.21,  # `tfidf_baseline` on the recipe's training articles
        "91.34%": 100 * AG_NEWS["mean_accuracy"]["pretrained"]["mean"],
        "2.1": 100 * AG_NEWS["mean_accuracy"]["pretrained"]["mean"] - 89.21,
        "90.8%": 100 * AG_NEWS["baseline"]["accuracy"],
        "90.76%": 100 * AG_NEWS["baseline"]["accuracy"],
        **dict(
            zip(("0.6", "0.1", "1.1"), (100 * value for value in AG_NEWS["gain_over"]["baseline"][:3]), strict=True)
        ),
        "91.58%": 100 * AG_NEWS["together"]["seeds together"]["accuracy"],
        "91.66%": 100 * AG_NEWS["together"]["together with the baseline"]["accuracy"],
        "89.45%": 100 * PUBLISHED["lecture"]["accuracy"]["pretrained"],
        "87.03%": 100 * PUBLISHED["lecture"]["accuracy"]["baseline"],
        "90%": 100 - 10,
        "97%": 100 * 970 / 1000,
        "25%": (100 + 0 + 0 + 0) / 4,
    },
    9: {
        "7,500": 10 * round(10_000 ** (31 / 32) / 10),
        "0.4": 100 / 256,
        **TRIAL[9],
        "0.32": float(metadata.version("keras-hub").rpartition(".")[0]),
    },
    10: {"16,000": 500 * 32, "0.16": 0.5 * 0.4 * 0.8, "0.324": 0.4 * 0.9 * 0.9},
    11: {
        "2": SAMPLE["sentences"].map(len).min(),
        "12": SAMPLE["sentences"].map(len).max(),
        "0.42": -(0.15 * log(0.15) + 0.85 * log(0.85)),
        "1%": 100 * 10 / (990 + 10),
        "20,000": sum(LANGUAGES["settings"]["sentences"]),
    },
    12: {
        "4,000": len(SAMPLE) - 1000,
        "132": sum(
            name.kind == "product" and name.end <= len(" ".join(article.sentences[:3]))
            for article in SAMPLE[:500].itertuples()
            for name in article.entities
        ),
        **{
            said: ENTITIES["settings"][articles]["epochs"]
            for articles, said in (("50", "12"), ("500", "4"), ("2000", "2"))
        },
        **TRIAL[12],
        "0.03": 0.844 - 0.814,
        "7.1%": 100 * sum(SMALL["f1"]) / len(SMALL["f1"]),
        "5.6%": 100 * SMALL["interval"]["low"],
        "8.9%": 100 * SMALL["interval"]["high"],
        "4.0%": 100 * sum(TWIN["f1"]) / len(TWIN["f1"]),
        "3.0%": 100 * WNUT17["by heart"]["f1"][0],
        "97.8%": 100 * WNUT17["of which are no names in train"],
        "43.8%": 100 * WNUT17["all-MiniLM-L6-v2"]["f1"][0],
        "40.3%": 100 * WNUT17["all-MiniLM-L6-v2"]["interval"]["low"],
        "47.2%": 100 * WNUT17["all-MiniLM-L6-v2"]["interval"]["high"],
    },
    13: {
        "20,212": sum(QUORA["pairs"].values()),
        "16,185": QUORA["pairs"]["train"],
        "2,015": QUORA["pairs"]["dev"],
        "2,012": QUORA["pairs"]["test"],
        "8,000": OWN_CLASSES["questions"]["rows"]["training"],
        "72.4%": 100 * OWN_CLASSES["questions"]["baseline"]["accuracies"][0],
        "78.8%": 100 * PUBLISHED["questions"]["accuracy"]["pretrained"],
        **{
            said: 100 * value
            for said, value in zip(("6.4", "4.0", "8.8"), PUBLISHED["questions"]["gain_over"]["baseline"], strict=True)
        },
        "66.1%": 100 * QUORA["by words"]["f1"]["value"],
        "66.9%": 100 * QUORA["by words"]["accuracy"],
        "0.249": QUORA["by words"]["calibration error"]["as it is"],
        "0.074": QUORA["by words"]["calibration error"]["by Platt"],
        "62.7%": 100 * (1 - QUORA["share that matches"]["test"]),
        # Who always says yes: all that match are found, and the precision is their share.
        "54.4%": 100 * 2 * QUORA["share that matches"]["test"] / (1 + QUORA["share that matches"]["test"]),
        **{
            said: scale * mean(value(run) for run in QUORA[way])
            for way, scale, value, said in (
                ("read apart", 100, lambda run: run["f1"]["value"], "64.4%"),
                ("read together", 100, lambda run: run["f1"]["value"], "60.0%"),
                ("read apart", 100, lambda run: run["accuracy"], "69.7%"),
                ("read together, fresh", 100, lambda run: run["f1"]["value"], "60.3%"),
                ("read together", 100, lambda run: run["accuracy"], "69.0%"),
                ("read apart", 1, lambda run: run["calibration error"]["as it is"], "0.267"),
                ("read apart", 1, lambda run: run["calibration error"]["by Platt"], "0.036"),
                ("read together", 1, lambda run: run["calibration error"]["as it is"], "0.094"),
                ("read together", 1, lambda run: run["calibration error"]["by Platt"], "0.034"),
                ("read together, fresh", 1, lambda run: run["calibration error"]["as it is"], "0.127"),
                ("read together, fresh", 1, lambda run: run["calibration error"]["by Platt"], "0.030"),
            )
        },
    },
    14: {
        "1,398": CRANFIELD["settings"]["pairs"],
        "5": CRANFIELD["settings"]["duo"],
        "20": CRANFIELD["settings"]["duo"] * (CRANFIELD["settings"]["duo"] - 1),
        "0.363": SEARCH["vectors"]["MAP"]["value"],
        "0.360": SEARCH["BM25, stemmed"]["MAP"]["value"],
        "0.404": SEARCH["vectors and BM25, stemmed"]["MAP"]["value"],
        "0.043": SEARCH["vectors and BM25, stemmed"]["above BM25, stemmed"]["MAP"]["value"],
        "0.028": SEARCH["vectors and BM25, stemmed"]["above BM25, stemmed"]["MAP"]["low"],
        "0.059": SEARCH["vectors and BM25, stemmed"]["above BM25, stemmed"]["MAP"]["high"],
        "0.250": ON_ENGLISH["rankers"]["cross-encoder"]["MAP"]["value"],
        "0.238": ON_ENGLISH["rankers"]["CEDR"]["MAP"]["value"],
    },
    15: {
        **TRIAL[15],
        "3,700": 4000 - 300,
        "16,129": 127 * 127,
        "2,359,296": 768 * 3072,
        "6,144": 2 * 3072,
        "3.15": float(metadata.version("keras").rpartition(".")[0]),
    },
}
# What a question, or an example, takes for given.
SUPPOSED = {
    3: {"4,096"},
    6: {"50%", "99%"},
    7: {"5,000"},
    8: {"85%", "5e-4", "1e-3", "2e-3", "0.89", "0.92"},
    9: {"500,000", "8,192"},
    11: {"0.4", "0.15"},
    13: {"0.01", "71%", "84%"},
    15: {"97%", "2%", "1,600", "3,072"},
}


def blocks(lesson: Lesson) -> Iterator[str]:
    """The paragraphs of a lesson, without formulas and addresses."""
    for cell in lesson.cells:
        if not cell.is_code:
            text = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$", " ", cell.source, flags=re.DOTALL)
            yield from re.split(r"\n\s*\n", text)


def shown(lesson: Lesson) -> str:
    """All code of a solved notebook and what it prints."""
    notebook = nbformat.read(PROJECT / "notebooks" / "solved" / f"{lesson.slug}.ipynb", as_version=4)
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            parts.append(cell.source)
            for output in cell.outputs:
                parts += [str(output.get("text", "")), str(output.get("data", {}).get("text/plain", ""))]
    return "\n".join(parts)


def is_shown(number: str, text: str) -> bool:
    """Whether it stands there, with or without the commas between thousands, or with more digits."""
    forms = {number, number.replace(",", ""), number.replace(",", "_")}
    if any(re.search(rf"(?<![\d.]){re.escape(form)}(?!\d)", text) for form in forms):
        return True
    _, dot, decimals = number.partition(".")
    longer = re.findall(r"(?<![\d.])\d+\.\d+", text) if dot and decimals.isdigit() else []
    return any(f"{float(one):.{len(decimals)}f}" == number for one in longer)


def unfounded(lesson: Lesson) -> list[str]:
    """The numbers of a lesson that come from nowhere."""
    text = shown(lesson)
    known = WORKED_OUT.get(lesson.chapter, {}).keys() | SUPPOSED.get(lesson.chapter, set())
    return [
        f"{number} in: {' '.join(block.split())[:80]}"
        for block in blocks(lesson)
        if not SOURCE.search(block)
        for number in NUMBER.findall(re.sub(r"\]\([^)]*\)", "]", block))
        if TELLING.search(number) and number not in known and not is_shown(number, text)
    ]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_every_number_comes_from_somewhere(lesson: Lesson) -> None:
    assert unfounded(lesson) == []


@pytest.mark.parametrize(
    ("number", "value"), [item for chapter in WORKED_OUT.values() for item in chapter.items()], ids=str
)
def test_computed_numbers_are_right_to_the_last_digit(number: str, value: float) -> None:
    plain = number.replace(",", "").removesuffix("%")
    digits, _, power = plain.partition("e")
    last = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    assert abs(value - float(plain)) <= last / 2 + 1e-9


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_computed_numbers_stand_in_the_lesson(lesson: Lesson) -> None:
    prose = "\n".join(cell.source for cell in lesson.cells if not cell.is_code)
    assert WORKED_OUT.get(lesson.chapter, {}).keys() <= set(NUMBER.findall(prose))


def test_the_sample_encoder_has_read_none_of_the_sentences_with_a_gap() -> None:
    [lesson] = [lesson for lesson in LESSONS if lesson.chapter == 5]
    code = "\n".join(cell.source for cell in lesson.cells if cell.is_code)
    gaps = re.findall(r'"([A-Z][^"\n]*\[MASK\][^"\n]*)"', code)
    assert len(gaps) == 8
    read = {sentence for sentences in load_sample()["sentences"][:4000] for sentence in sentences}
    filled = [re.compile(re.escape(gap).replace(re.escape("[MASK]"), r"\w+")) for gap in gaps]
    assert [sentence for sentence in read if any(gap.fullmatch(sentence) for gap in filled)] == []


def test_the_news_of_chapter_1_has_few_stores_and_other_codes_than_the_catalogue() -> None:
    texts = [text.lower() for text in load_sample()["description"]]
    assert sum("penguin" in text for text in texts[:1000]) == 0
    assert sum(bool(re.search(r"\bstores?\b", text)) for text in texts[:1000]) < 5
    [catalogue] = [
        cell.source
        for lesson in LESSONS
        for cell in lesson.cells
        if lesson.chapter == 1 and "catalogue = [" in cell.source
    ]
    codes = re.compile(r"\b[a-z]\d+\b")
    of_the_news = {code for text in texts for code in codes.findall(text)}
    assert of_the_news and not of_the_news & set(codes.findall(catalogue))


def test_a_number_from_nowhere_is_found() -> None:
    text = "The score is 0.87, of 1,234, or 12%: 3 of 4."
    assert [number for number in NUMBER.findall(text) if TELLING.search(number)] == ["0.87", "1,234", "12%"]
    assert is_shown("1,234", "x = 1234") and is_shown("1,234", "1_234") and not is_shown("0.87", "10.871")
