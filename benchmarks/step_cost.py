"""How the cost of a training step grows: with the length of its rows, and with its tokens.

BERT-mini, float32. First 4,096 tokens a batch, in rows of length N. Attention costs in proportion to N for each token,
and so to N² for each row; all else costs the same for each token. So the seconds are fitted with a + b N, and the share
of attention is b N of that. [A picture](results/step_cost.png), told [in words](results/step_cost.txt), shows the
points and the line. Then come other numbers of rows of 128 tokens, fitted with c + d T, where T counts the tokens of
all rows: the cost is linear in the tokens, and c is the cost of a step that reads next to nothing.
"""

from __future__ import annotations

import math
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from benchmarks.turns import Work
from course.plots import Picture
from course.storage.outputs import write_picture

LENGTHS = (64, 128, 256, 512, 1024)
TOKENS = 4096
MORE_ROWS, OF_LENGTH = (8, 16, 64), 128
TURNS = 4

_Shape = tuple[int, int]  # rows, and their length


def measure() -> list[dict[str, Any]]:
    """A row for each length, and one for each other number of rows."""
    of_lengths = [(TOKENS // length, length) for length in LENGTHS]
    of_numbers = [(rows, OF_LENGTH) for rows in MORE_ROWS]
    seconds = _take_turns([*of_lengths, *of_numbers])
    medians = {shape: statistics.median(found) for shape, found in seconds.items()}
    constant, slope = _line({length: medians[rows, length] for rows, length in of_lengths})
    each_step, each_token = _line({math.prod(shape): medians[shape] for shape in medians if shape[1] == OF_LENGTH})
    lines = {shape: constant + slope * shape[1] for shape in of_lengths}
    _draw([medians[shape] for shape in of_lengths], list(lines.values()), constant)
    lines |= {shape: each_step + each_token * math.prod(shape) for shape in of_numbers}
    return [
        {
            "rows": shape[0],
            "length": shape[1],
            "seconds a step": median,
            "spread": f"{min(seconds[shape]):.2f} - {max(seconds[shape]):.2f}",
            "tokens/s": math.prod(shape) / median,
            "fitted": lines[shape],
            "share of attention": slope * shape[1] / lines[shape] if shape in of_lengths else "",
        }
        for shape, median in medians.items()
    ]


def _line(points: dict[int, float]) -> tuple[float, float]:
    """The intercept and the slope of the line through the points, by least squares."""
    slope, constant = np.polyfit(list(points), list(points.values()), 1)
    return float(constant), float(slope)


def _take_turns(shapes: list[_Shape]) -> dict[_Shape, list[float]]:
    """The seconds per step of each shape, for each turn."""
    works = {shape: _steps(*shape) for shape in shapes}
    seconds: dict[_Shape, list[float]] = {shape: [] for shape in shapes}
    for turn in range(TURNS + 1):
        for shape, work in works.items():
            start = time.perf_counter()
            steps = work()
            if turn:  # the first turn compiles
                seconds[shape].append((time.perf_counter() - start) / steps)
    return seconds


def _steps(rows: int, length: int) -> Work:
    from benchmarks.training import our_model, random_arrays, steps_on_a_batch

    arrays = random_arrays(rows=rows, length=length)
    inputs = {name: arrays[name] for name in ("token_ids", "segment_ids")}
    work = steps_on_a_batch(our_model("float32", length), inputs, arrays["labels"], variable_length=False, steps=2)
    return lambda: work() / (rows * length)


def _draw(medians: list[float], fitted: list[float], constant: float) -> None:
    figure = Figure((6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.plot(LENGTHS, medians, "o", color="#0072B2", label="measured")
    axes.plot(LENGTHS, fitted, "--", color="#E69F00", label="a + b N")
    axes.axhline(constant, color="gray", linestyle=":", label="a, all but attention")
    axes.set(xlabel="length of a row, N", ylabel="seconds for 4,096 tokens", ylim=(0, None))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    times = ", ".join(f"{seconds:.2f} s at {length}" for length, seconds in zip(LENGTHS, medians, strict=True))
    alt = f"A step of 4,096 tokens takes {times}. The fitted line starts at {constant:.2f} s."
    write_picture(Path(__file__).parent / "results" / "step_cost.png", Picture(figure, alt))
