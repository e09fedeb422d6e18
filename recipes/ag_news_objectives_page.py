"""What the page for people says of the AG News recipe with each objective."""

from __future__ import annotations

import json
from pathlib import Path


def section_of(path: Path) -> str:
    """The section, from the numbers that `recipes.ag_news_objectives` keeps."""
    results = json.loads(path.read_text(encoding="utf-8"))
    settings = results["settings"]
    lines = [
        "## AG News with each objective, for equally long",
        "",
        "`python -m recipes.ag_news_objectives` pretrains the encoder of above from nothing, once with each objective,",
        f"for {settings['minutes']:g} minutes of one core in place of sixteen epochs, in batches of "
        f"{settings['batch_tokens']:,} tokens, on the same {settings['articles']:,}",
        f"articles. Then the recipe above fine-tunes it on {settings['rows']:,} of them, and all are measured on "
        f"{settings['test_articles']:,} test articles.",
        "",
        "| objective | steps | minutes | tokens of text a second | accuracy of each seed | mean | gain over mlm+nsp |",
        "|---|---:|---:|---:|---|---:|---:|",
    ]
    for name, found in results["objectives"].items():
        pretraining = found["pretraining"]
        if pretraining is None:
            cells = "| | | "
        else:
            cells = "| {steps:,} | {minutes:.1f} | {tokens_per_second:,.0f} ".format(**pretraining)
        each = ", ".join(f"{accuracy:.2%}" for accuracy in found["accuracies"])
        mean, spread = found["mean"], found["deviation"]
        said = f"{mean:.2%}" if spread is None else f"{mean:.2%} ± {spread:.2%}"
        gain = found["gain"]
        points = "" if gain is None else "{:+.2f} ({:+.2f} to {:+.2f})".format(*(100 * value for value in gain))
        lines.append(f"| {name} {cells}| {each} | {said} | {points} |")
    return "\n".join(lines) + "\n"
