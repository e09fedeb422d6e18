"""python -m recipes.translation: four translators of the toy language, from three seeds, by length of sentence.

All learn from at most 20,000 sentences of up to 14 words, and translate up to 100 unseen ones of each length from 5 to
19 words. The Transformer also translates 20 of each with a search of four beams. It takes a quarter of an hour on one
core.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import keras
import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from course.applications.translation.recorded_results import TRANSLATION_FILE
from course.applications.translation.scores import alignment_score, exact_match
from course.applications.translation.toy_language import Sentence, sentences
from course.applications.translation.training import train
from course.applications.translation.translate import ENGLISH, INVENTED, LONGEST_IN_TRAINING, translate
from course.applications.translation.translators import RecurrentTranslator, SequenceToSequence, Translator
from course.applications.translation.words import END_ID, START_ID
from course.decoder import beam_search, teacher_forcing
from course.evaluation.bootstrap import bootstrap_interval
from course.storage.outputs import write_json
from course.storage.packed import write_packed

RESULTS = Path(__file__).with_suffix(".json")
LENGTHS, OF_EACH, SEEDS = range(5, 20), 100, (1, 2, 3)
# After as many sentences as the others read, an RNN without attention has learned almost nothing. So it reads eight
# times as many, in batches twice as large.
STEPS = {"RNN": 2000, "RNN with attention": 500, "Transformer": 500, "Transformer with RoPE": 500}
BEAMS, SEARCHED = 4, 20  # of each length
SEARCHES = ("Transformer, 1 beam", "Transformer, 4 beams")
NAMES = (*STEPS, *SEARCHES)


def make(name: str) -> SequenceToSequence:
    """An untrained translator."""
    sizes = len(ENGLISH), len(INVENTED)
    if name.startswith("RNN"):
        return RecurrentTranslator(*sizes, attends=name != "RNN")
    return Translator(*sizes, positions="rope" if "RoPE" in name else "sinusoidal")


def measure(name: str, seed: int, tests: list[Sentence]) -> list[dict[str, Any]]:
    """Trains a translator from a seed, and measures exact sentences, the alignment of its attention, and seconds.

    The Transformer has two more results, from fewer sentences: with one beam, and with several.
    """
    learned = sentences(20_000, seed, longest=LONGEST_IN_TRAINING)
    seen = {tuple(sentence.source) for sentence in learned}
    keras.utils.set_random_seed(seed)
    model = make(name)
    taught = teacher_forcing(INVENTED.ids(sentence.target for sentence in learned), START_ID, END_ID)
    began = time.process_time()
    train(
        model,
        ENGLISH.ids(sentence.source for sentence in learned),
        *map(np.array, taught),
        steps=STEPS[name],
        batch_size=64 if name == "RNN" else 32,
        seed=seed,
    )
    seconds = time.process_time() - began
    written = translate(model, [sentence.source for sentence in tests])
    right = exact_match(written, [sentence.target for sentence in tests])
    unseen = np.array([tuple(sentence.source) not in seen for sentence in tests])
    result = {
        "model": name,
        "seed": seed,
        "seconds": round(seconds, 1),
        "right": right.tolist(),
        "unseen": unseen.tolist(),
    }
    if name != "RNN":
        shown = [sentence for sentence in tests if len(sentence.source) <= LONGEST_IN_TRAINING]
        inputs, *_ = teacher_forcing(INVENTED.ids(sentence.target for sentence in shown), START_ID, END_ID)
        looks = model.weights_of(ENGLISH.ids(sentence.source for sentence in shown), np.array(inputs))
        result["alignment"] = alignment_score(list(looks), [sentence.alignment for sentence in shown])
    return [result, *searched(model, result, tests)] if name == "Transformer" else [result]


def searched(model: SequenceToSequence, result: dict[str, Any], tests: list[Sentence]) -> list[dict[str, Any]]:
    """The results of the Transformer on the first tests of each length: greedy, which is one beam, and with several.

    The other tests count as seen, so they are left out.
    """
    right, unseen = np.zeros(len(tests), bool), np.zeros(len(tests), bool)
    for number, sentence in enumerate(tests):
        if number % OF_EACH < SEARCHED:
            step = model.step(ENGLISH.ids([sentence.source]), is_compiled=True)
            ids, _ = beam_search(step, START_ID, END_ID, BEAMS, max_length=24)
            right[number] = INVENTED.texts([ids])[0] == sentence.target
            unseen[number] = result["unseen"][number]
    searches = (result["right"], right.tolist())
    return [
        {**result, "model": name, "right": search_right, "unseen": unseen.tolist()}
        for name, search_right in zip(SEARCHES, searches, strict=True)
    ]


def main() -> None:
    """Trains and tests all translators, and writes the results."""
    tests = [s for words in LENGTHS for s in sentences(OF_EACH, 1000 + words, shortest=words, longest=words)]
    words = np.array([len(sentence.source) for sentence in tests])
    runs = []
    for seed in SEEDS:
        for name in STEPS:
            for run in measure(name, seed, tests):
                runs.append(run)
                share = np.mean(np.array(run["right"])[run["unseen"]])
                Console().print(f"seed {seed}, {run['model']}: {share:.1%}, {run['seconds']:.0f} s")
    keep(runs, words)


def keep(found: list[dict[str, Any]], words: np.ndarray) -> None:
    """Writes the results by length for the lesson, and their summary."""
    rows: list[dict[str, Any]] = []
    results: dict[str, Any] = {}
    for run in found:
        right, unseen = np.array(run["right"]), np.array(run["unseen"])
        for length in LENGTHS:
            of_length = (words == length) & unseen
            counts = {"sentences": int(of_length.sum()), "right": int(right[of_length].sum())}
            rows.append({"model": run["model"], "seed": run["seed"], "words": length, **counts})
    table = Table("", "up to 14 words", "longer", "looks right", "seconds")
    for name in NAMES:
        runs = [run for run in found if run["model"] == name]
        right = np.mean([run["right"] for run in runs], axis=0)
        unseen = np.all([run["unseen"] for run in runs], axis=0)
        is_longer = words > LONGEST_IN_TRAINING
        parts = {"up to 14 words": unseen & ~is_longer, "longer": unseen & is_longer}
        results[name] = {
            "steps": STEPS["Transformer" if name in SEARCHES else name],
            "seconds": [run["seconds"] for run in runs],
            "alignment": [run.get("alignment") for run in runs],
            "exact": {
                part: {
                    "seeds": [float(np.array(run["right"])[mask].mean()) for run in runs],
                    "interval": bootstrap_interval(np.mean, right[mask])._asdict(),
                }
                for part, mask in parts.items()
            },
        }
        shares = [f"{part['interval']['value']:.1%}" for part in results[name]["exact"].values()]
        looks = ["-" if run.get("alignment") is None else f"{run['alignment']:.0%}" for run in runs]
        table.add_row(name, *shares, ", ".join(looks), ", ".join(f"{run['seconds']:.0f}" for run in runs))
    write_packed(TRANSLATION_FILE, rows)
    write_json(RESULTS, results)
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
