"""How the cost of a training step grows with the length of its rows, at the same number of tokens.

BERT-mini, 4,096 tokens a batch, float32. Attention costs in proportion to the length N for each token, and so to N² for
each row; all else costs the same for each token. So the seconds are fitted with a + b N, and the share of attention is
b N of that. [A picture](results/growth.png) shows the points and the line.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from benchmarks.turns import Work
from course.output_files import write_picture
from course.plots import Picture

LENGTHS = (64, 128, 256, 512, 1024)
TOKENS = 4096
TURNS = 4


def measure() -> list[dict[str, Any]]:
    """A row for each length."""
    works = {length: _steps(length) for length in LENGTHS}
    seconds: dict[int, list[float]] = {length: [] for length in LENGTHS}
    for turn in range(TURNS + 1):
        for length, work in works.items():
            start = time.perf_counter()
            steps = work()
            if turn:  # the first compiles
                seconds[length].append((time.perf_counter() - start) / steps)
    medians = np.array([statistics.median(seconds[length]) for length in LENGTHS])
    slope, constant = np.polyfit(LENGTHS, medians, 1)
    fitted = constant + slope * np.array(LENGTHS)
    _draw(medians, fitted, constant)
    return [
        {
            "length": length,
            "rows": TOKENS // length,
            "seconds a step": float(median),
            "spread": f"{min(seconds[length]):.2f} - {max(seconds[length]):.2f}",
            "tokens/s": TOKENS / float(median),
            "times the first": float(median / medians[0]),
            "a + b N": float(fit),
            "share of attention": float(slope * length / fit),
        }
        for length, median, fit in zip(LENGTHS, medians, fitted, strict=True)
    ]


def _steps(length: int) -> Work:
    from benchmarks.training import our_model, random_arrays, steps_on_a_batch

    arrays = random_arrays(rows=TOKENS // length, length=length)
    inputs = {name: arrays[name] for name in ("token_ids", "segment_ids")}
    work = steps_on_a_batch(our_model("float32", length), inputs, arrays["labels"], variable_length=False, steps=2)
    return lambda: work() / TOKENS


def _draw(medians: np.ndarray, fitted: np.ndarray, constant: float) -> None:
    figure = Figure((6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.plot(LENGTHS, medians, "o", color="#0072B2", label="measured")
    axes.plot(LENGTHS, fitted, "--", color="#E69F00", label="a + b N")
    axes.axhline(constant, color="gray", linestyle=":", label="a, all but attention")
    axes.set(xlabel="length of a row, N", ylabel="seconds for 4,096 tokens", ylim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    said = ", ".join(f"{seconds:.2f} s at {length}" for length, seconds in zip(LENGTHS, medians, strict=True))
    alt = f"A step of 4,096 tokens takes {said}. The fitted line starts at {constant:.2f} s."
    write_picture(Path(__file__).parent / "results" / "growth.png", Picture(figure, alt))
