"""The articles that benchmarks read: AG News if AG_NEWS_DIR names its folder, else the course's sample."""

from __future__ import annotations

import os

import pandas as pd

from course.data.datasets import load_ag_news, load_sample


def source() -> str:
    """The name of the corpus, as `python -m course prepare` takes it."""
    return "ag_news" if "AG_NEWS_DIR" in os.environ else "sample"


def articles() -> pd.DataFrame:
    """The articles, with the columns `title` and `description`."""
    return load_ag_news()["train"] if source() == "ag_news" else load_sample()


def lines() -> list[str]:
    """Each article as one line."""
    frame = articles()
    return list(frame["title"] + " " + frame["description"])
