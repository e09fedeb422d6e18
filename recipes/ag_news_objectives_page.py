"""The section of README.md on the AG News recipe with each objective."""

from __future__ import annotations

import json
from pathlib import Path


def section_of(path: Path) -> str:
    """The section, from the results of `recipes.ag_news_objectives`."""
    results = json.loads(path.read_text(encoding="utf-8"))
    settings, objectives = results["settings"], results["objectives"]
    options = {name: settings[name] for name in ("minutes", "batch_tokens", "rows")}
    options["seeds"] = max(len(objective["accuracies"]) for objective in objectives.values())
    arguments = " ".join(f"--{name.replace('_', '-')} {value:g}" for name, value in options.items())
    lines = [
        "## AG News with each objective, for the same time",
        "",
        f"    python -m recipes.ag_news_objectives {arguments}",
        "",
        "This command pretrains the encoder of the first recipe from nothing, once with each objective, for "
        f"{settings['minutes']:g} minutes",
        f"of one core instead of 24 epochs, on the same {settings['articles']:,} articles. The first recipe then "
        "fine-tunes it on",
        f"{settings['rows']:,} of them, and all are measured on {settings['test_articles']:,} test articles.",
        "",
        "| objective | steps | minutes | text a second | loss | accuracy of each seed | mean | gain over mlm+nsp |",
        "|---|---:|---:|---:|---:|---|---:|---:|",
    ]
    for name, objective in objectives.items():
        pretraining = objective["pretraining"]
        if pretraining is None:
            cells = "| | | | "
        else:
            cells = "| {steps:,} | {minutes:.1f} | {tokens_per_second:,.0f} | {loss:.2f} ".format(**pretraining)
        accuracies = ", ".join(f"{accuracy:.2%}" for accuracy in objective["accuracies"])
        mean, spread = objective["mean"], objective["deviation"]
        average = f"{mean:.2%}" if spread is None else f"{mean:.2%} ± {spread:.2%}"
        gain = objective["gain"]
        points = "" if gain is None else "{:+.2f} ({:+.2f} to {:+.2f})".format(*(100 * value for value in gain))
        lines.append(f"| {name} {cells}| {accuracies} | {average} | {points} |")
    lines += [
        "",
        "Minutes and seconds are the processor's. Text is counted in tokens, without padding; rows that are not packed",
        "are bucketed by their lengths. The loss is that of the hidden words in the last ten rows of the history; with",
        "ELECTRA, its generator guesses them. Word frequencies alone give a loss of "
        f"{settings['loss_by_frequency']:.2f}. A gain is in",
        "points, the mean of the seeds, paired by article; its interval is for other test articles. There is only one",
        "pretraining with each objective, and another would differ, too.",
    ]
    return "\n".join(lines) + "\n"
