"""python -m recipes.positions: five ways to encode positions, trained on rows of 32 words and tested on longer ones.

Chapter 9 does this live with two of them: the same model, steps and words, here from three seeds each. It takes ten
minutes on one core.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import keras
import numpy as np
import typer
from keras import ops
from rich.console import Console
from rich.table import Table

from course.data.datasets import load_sample
from course.data.text.vocabulary import Vocabulary, train_vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.evaluation.bootstrap import bootstrap_interval
from course.given.positioned_encoder import PositionedEncoder
from course.masked_lm import (
    MaskedLMHead,
    mask_tokens,
    masked_lm_loss,
    masked_positions,
    unigram_probabilities,
)
from course.storage.outputs import write_json
from course.storage.packed import write_packed
from course.training.longer_texts import LONGER_TEXTS_FILE

RESULTS = Path(__file__).with_suffix(".json")
TRAINED, LENGTHS, SEEDS, STEPS, BATCH = 32, (32, 64, 128, 256), (1, 2, 3), 600, 64
TEST_BLOCKS = 64  # of 256 words each, for rows of any length
# Two heads have sixteen clock hands (rotary pairs) each; ALiBi needs eight heads to have steep and flat slopes.
HEADS = {"learned": 2, "sinusoidal": 2, "rope": 2, "alibi": 8, "none": 2}
# How a text longer than those in training is read: for each way, the positions in training and their scaling.
READINGS: dict[str, tuple[str, Mapping[str, Any] | None]] = {
    "learned": ("learned", None),
    "sinusoidal": ("sinusoidal", None),
    "RoPE": ("rope", None),
    "RoPE, linear": ("rope", {"method": "linear"}),
    "RoPE, NTK": ("rope", {"method": "ntk"}),
    "RoPE, YaRN": ("rope", {"method": "yarn", "trained_length": TRAINED, "beta_fast": 4.0, "beta_slow": 0.5}),
    "ALiBi": ("alibi", None),
    "no positions": ("none", None),
}


class MaskedWords(keras.Model):
    """An encoder of one block that masks words and guesses them; its output is the loss.

    Args:
        vocabulary: the vocabulary of the words.
        probabilities: the frequency of each word.
        positions, scaling: as in `PositionedEncoder`.
        max_length: the longest row, for a position table.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        probabilities: np.ndarray,
        positions: str,
        scaling: Mapping[str, Any] | None = None,
        max_length: int = max(LENGTHS),
    ) -> None:
        super().__init__()
        self.vocabulary, self.probabilities = vocabulary, probabilities
        self.encoder = PositionedEncoder(
            len(vocabulary),
            num_layers=1,
            num_heads=HEADS[positions],
            hidden_dim=64,
            intermediate_dim=128,
            max_length=max_length,
            dropout=0.0,
            positions=positions,
            scaling=scaling,
        )
        self.head = MaskedLMHead(len(vocabulary), 64)
        self.seed_generator = keras.random.SeedGenerator(9)  # all models guess the same words

    def call(self, token_ids: Any) -> Any:
        masked_ids, selected = mask_tokens(
            token_ids,
            self.probabilities,
            self.vocabulary.mask_id,
            self.vocabulary.special_ids,
            seed=self.seed_generator,
        )
        places, weights = masked_positions(selected)
        output = self.encoder(masked_ids)["sequence_output"]
        logits = self.head(output, self.encoder.embedding.token_embeddings, places)
        loss = masked_lm_loss(ops.take_along_axis(token_ids, places, axis=1), logits, weights)
        self.add_loss(loss)
        return loss


def longest_of(positions: str) -> int:
    """The longest row that a model can read: a learned table has no rows beyond the training length."""
    return TRAINED if positions == "learned" else max(LENGTHS)


def train(model: MaskedWords, words: np.ndarray, seed: int) -> None:
    """Trains on rows of 32 words, in an order that depends on the seed."""
    schedule = keras.optimizers.schedules.CosineDecay(0.0, STEPS, warmup_target=0.003, warmup_steps=STEPS // 10)
    model.compile(keras.optimizers.Adam(schedule), jit_compile=False)
    rows = words[: len(words) // TRAINED * TRAINED].reshape(-1, TRAINED)
    order = np.random.default_rng(seed).permutation(len(rows))
    with warnings.catch_warnings():
        # The pooler is unused, so it has no gradient, and Keras would warn about that.
        warnings.filterwarnings("ignore", message="Gradients do not exist")
        model.fit(rows[np.resize(order, STEPS * BATCH)], batch_size=BATCH, verbose=0)


def losses(model: MaskedWords, scaling: Mapping[str, Any] | None, words: np.ndarray) -> dict[int, list[float]]:
    """For each length the loss of each block of 256 words, read in rows of that length."""
    positions = model.encoder.positions
    block_losses = {}
    for length in LENGTHS:
        if length > longest_of(positions):
            continue
        factor = {**scaling, "factor": length / TRAINED} if scaling else None
        longer = MaskedWords(model.vocabulary, model.probabilities, positions, factor, longest_of(positions))
        blocks = words.reshape(TEST_BLOCKS, -1, length)
        longer(blocks[0])
        longer.set_weights(model.get_weights())
        longer.seed_generator.state.assign(keras.random.SeedGenerator(9).state)
        block_losses[length] = [float(longer(block)) for block in blocks]
    return block_losses


def main() -> None:
    """Trains and tests all models, and writes the results."""
    articles = load_sample()["description"]
    vocabulary = train_vocabulary(articles, size=2000)
    words = WordPieceTokenizer(vocabulary)(articles, max_length=128)["token_ids"]
    words = words[(words != vocabulary.padding_id) & (words != vocabulary.cls_id)]  # one long row
    probabilities = unigram_probabilities(words, len(vocabulary), vocabulary.special_ids)
    held_out = TEST_BLOCKS * max(LENGTHS)
    results: list[dict[str, Any]] = []
    for seed in SEEDS:
        for positions in HEADS:
            keras.utils.set_random_seed(seed)
            model = MaskedWords(vocabulary, probabilities, positions, max_length=longest_of(positions))
            began = time.process_time()
            train(model, words[:-held_out], seed)
            seconds = round(time.process_time() - began, 1)
            for name, (trained_with, scaling) in READINGS.items():
                if trained_with == positions:
                    by_length = losses(model, scaling, words[-held_out:])
                    results.append({"reading": name, "seed": seed, "seconds": seconds, "losses": by_length})
                    means = ", ".join(f"{length}: {np.mean(loss):.2f}" for length, loss in by_length.items())
                    Console().print(f"seed {seed}, {name}, {seconds} s; {means}")
    keep(results)


def keep(found: list[dict[str, Any]]) -> None:
    """Writes the mean losses for the lesson, and as results with their confidence intervals."""
    rows = [
        {"reading": run["reading"], "seed": run["seed"], "words": length, "loss": round(float(np.mean(loss)), 4)}
        for run in found
        for length, loss in run["losses"].items()
    ]
    table = Table("", *map(str, LENGTHS), "seconds")
    results: dict[str, Any] = {}
    for name in READINGS:
        runs = [run for run in found if run["reading"] == name]
        results[name] = {"steps": STEPS, "seconds": [run["seconds"] for run in runs], "loss": {}}
        cells = []
        for length in runs[0]["losses"]:
            blocks = np.array([run["losses"][length] for run in runs])  # (seeds, blocks)
            interval = bootstrap_interval(np.mean, blocks.mean(axis=0))
            seeds = blocks.mean(axis=1).tolist()
            results[name]["loss"][str(length)] = {"seeds": seeds, "interval": interval._asdict()}
            cells.append(f"{interval.value:.2f} ({interval.low:.2f} to {interval.high:.2f})")
        cells += ["-"] * (len(LENGTHS) - len(cells))
        table.add_row(name, *cells, str(results[name]["seconds"]))
    write_packed(LONGER_TEXTS_FILE, rows)
    write_json(RESULTS, results)
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
