"""The checks of chapter 9, positions. All sizes in a check differ, so that mixing up two axes shows."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from grading.exercises.random_arrays import Random, normal, projections
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(9, "Positions", "course.positions")

LONG = 131  # tokens: more than a fixed table of 128 holds

frequencies = chapter.exercise("rotary_frequencies")
angles = chapter.exercise("rotary_angles")
rotation = chapter.exercise("rotate")
scaling = chapter.exercise("scaled_frequencies")
slopes = chapter.exercise("alibi_slopes")
bias = chapter.exercise("alibi_bias")
layer = chapter.exercise("PositionedAttention")


def falling(pairs: int) -> np.ndarray:
    """Return frequencies of another base than the library's default."""
    return (50.0 ** (-np.arange(pairs) / pairs)).astype("float32")


# rotary_frequencies ----------------------------------------------------------------------------------------


@frequencies.check("returns one frequency per pair, base^(-2i / head_dim)", points=1)
def by_pair(implementation: Proxy, random: Random) -> Any:
    return {
        Message(
            "the frequencies of {count} features", plural="the frequencies of {count} features", count=width
        ): implementation(width)
        for width in (2, 6, 20, 98, 2 * LONG)  # np.arange(0, 1, 2 / 98) has 50 numbers
    }


@frequencies.check("accepts another base", points=1)
def other_base(implementation: Proxy, random: Random) -> Any:
    base = float(random.uniform(100, 5000))
    implementation(10)  # an earlier call must make no difference
    computed = implementation(14, base=base)
    with np.errstate(all="ignore"):  # wrong frequencies may be 0 or negative
        logarithms = np.log(np.asarray(computed, "float64"))
    return {
        **with_dtypes(computed),
        "their logarithms": logarithms,  # which also show errors in the smallest ones
        "the frequencies of a width that was asked for before": implementation(10, base=base),
    }


# rotary_angles ---------------------------------------------------------------------------------------------


@angles.check("returns the cosine and sine of position · θ", points=1, tolerance=1e-4)
def cosine_and_sine(implementation: Proxy, random: Random) -> Any:
    turned = implementation.after_another(lambda: (random.permutation(9)[:7].astype("int32"), falling(4)))
    alone = implementation.on_arrays(np.array([random.randint(1, 9)], "int32"), falling(2))
    return {**turned, **with_dtypes(turned["the result"]), "of one position": alone}


@angles.check(
    "lets each text's own positions broadcast over the heads, also in a compiled model", points=0.5, tolerance=1e-4
)
def positions_of_each_text(implementation: Proxy, random: Random) -> Any:
    positions = random.randint(0, 40, (3, LONG)).astype("int32")
    return {
        "of several texts": implementation(positions, falling(2)),
        "of one text": implementation(positions[:1], falling(2)),
        "of several texts in a compiled model": implementation.in_graph(positions, falling(2)),
        "of all texts in a compiled model": implementation.in_graph(
            np.arange(random.randint(5, 9), dtype="int32"), implementation.make("numpy.array", falling(3))
        ),
    }


@angles.check("is exact far into a text, whatever the dtype of the positions", points=0.5, tolerance=1e-4)
def far_into_a_text(implementation: Proxy, random: Random) -> Any:
    far = np.array([1, 257, 399, 400 + random.randint(100)])
    return {
        "integer positions": implementation(far.astype("int32"), falling(3)),
        "positions in float16": implementation(far.astype("float16"), falling(3)),
        "frequencies in float64": with_dtypes(implementation(far.astype("int32"), falling(3).astype("float64"))),
        "positions between tokens": implementation(far.astype("float32") / 4, falling(3)),
    }


# rotate ----------------------------------------------------------------------------------------------------


def by_angle(random: Random, *shape: int) -> tuple[np.ndarray, np.ndarray]:
    angle = random.uniform(-3, 3, shape)
    return np.cos(angle).astype("float32"), np.sin(angle).astype("float32")


@rotation.check("rotates feature i with feature i + head_dim / 2, by the angle of its position", points=1)
def by_halves(implementation: Proxy, random: Random) -> Any:
    return {
        **implementation.after_another(lambda: (normal(random, 2, 3, 5, 8), *by_angle(random, 5, 4))),
        "the result for a table of one pair": implementation(normal(random, 5, 2), *by_angle(random, 5, 1)),
        "the result for five axes": implementation(normal(random, 1, 2, 1, 3, 4), *by_angle(random, 3, 2)),
    }


@rotation.check("uses each text's own positions", points=0.5)
def by_text(implementation: Proxy, random: Random) -> Any:
    return implementation(normal(random, 3, 2, 7, 10), *by_angle(random, 3, 1, 7, 5))


_SHIFTED = (2, 7, 12)


def _products(query: Any, key: Any) -> np.ndarray:
    if not np.shape(query) == np.shape(key) == _SHIFTED:  # of others there could be more products than memory holds
        raise ValueError("wanted the shape of what was rotated")
    return np.asarray(query) @ np.swapaxes(key, -1, -2)


def _shift_moves_nothing(answers: dict[str, Any]) -> str | None:
    """Judge the products of queries and keys, before and after all positions are shifted."""
    here, there = (_products(*pair) for pair in answers.values())
    if not np.isfinite(here).all() or np.abs(here).max() < 1e-3:
        return Message("returns queries and keys whose products are all 0, NaN or infinite")
    moved = np.abs(here - there).max()
    return (
        None
        if moved < 1e-3
        else Message("makes products that change by {moved} when all positions are shifted", moved=f"{moved:.2g}")
    )


@rotation.check("makes products of queries and keys depend only on distance", points=1.5, judge=_shift_moves_nothing)
def shifted(implementation: Proxy, random: Random) -> Any:
    query, key = normal(random, *_SHIFTED), normal(random, *_SHIFTED)

    def turned(start: int) -> Any:
        at = np.multiply.outer(start + np.arange(7), falling(6))
        cos, sin = np.cos(at).astype("float32"), np.sin(at).astype("float32")
        return implementation(query, cos, sin), implementation(key, cos, sin)

    return {"where the text stands": turned(0), "further on": turned(5 + random.randint(20))}


@rotation.check("is right in float16: computed in float32 and rounded once", points=0.5, tolerance=1.2e-3)
def half_precision(implementation: Proxy, random: Random) -> Any:
    in_double = implementation(normal(random, 2, 4, 9, 6, dtype="float64"), *by_angle(random, 9, 3))
    # bfloat16 has one number for the cosine and the sine of angles so close to π / 4, and then all differences are 0.
    diagonal = np.pi / 4 + random.uniform(0.0015, 0.0025, (7, 2))
    turn = np.cos(diagonal).astype("float32"), np.sin(diagonal).astype("float32")
    signs = 16.0 * random.permutation(np.repeat([-1, 1], 42)).reshape(3, 7, 4)
    return {
        **with_dtypes(implementation(100 * normal(random, 2, 4, 9, 6, dtype="float16"), *by_angle(random, 9, 3))),
        "in float64": with_dtypes(in_double),
        "in bfloat16": with_dtypes(implementation(signs.astype(ml_dtypes.bfloat16), *turn)),
    }


@rotation.check("runs in a compiled model and passes gradients on", points=0.5)
def compiled(implementation: Proxy, random: Random) -> Any:
    x, turn = normal(random, 2, 3, LONG, 8), by_angle(random, LONG, 4)
    return {
        "the output in a compiled model": implementation.in_graph(x, *turn),
        **implementation.gradients(x, *turn, along=normal(random, 2, 3, LONG, 8), by=("x", "cosines", "sines")),
    }


# scaled_frequencies ----------------------------------------------------------------------------------------


def scaled(implementation: Proxy, *widths: int, method: str, **options: Any) -> dict[str, Any]:
    return {
        Message("{count} features", plural="{count} features", count=width): implementation(width, method, **options)
        for width in widths
    }


def part(answer: Any, index: int) -> Any:
    """Return one of the two expected results, or the whole answer if it is not a pair."""
    return answer[index] if isinstance(answer, list | tuple) and len(answer) == 2 else answer


@scaling.check("linear: divides all frequencies by the factor", points=0.5, tolerance=1e-6)
def linear(implementation: Proxy, random: Random) -> Any:
    return scaled(implementation, 2, 6, 2 * LONG, method="linear", factor=float(random.uniform(2, 9)), base=300.0)


@scaling.check(
    "ntk: stretches the base, so that only the slowest pair is divided by the whole factor", points=1, tolerance=1e-6
)
def ntk(implementation: Proxy, random: Random) -> Any:
    options = {"factor": float(random.uniform(2, 9)), "trained_length": 40, "base": 300.0}
    return scaled(implementation, 4, 10, method="ntk", **options)


@scaling.check("yarn: keeps fast pairs, divides slow pairs, and mixes between them", points=2, tolerance=1e-6)
def yarn(implementation: Proxy, random: Random) -> Any:
    def frequencies_of(width: int, length: int, **options: float) -> Any:
        return part(implementation(width, "yarn", factor, length, base=300.0, **options), 0)

    factor = float(random.uniform(3, 9))
    return {
        "32 features, trained at 2,048": frequencies_of(32, 2048),
        "24 features, trained at 512": frequencies_of(24, 512, beta_fast=20.0, beta_slow=2.0),
        "10 features, trained at 32, where no pair is fast": frequencies_of(10, 32, beta_fast=32.0, beta_slow=0.7),
        "12 features, trained at 5, where low and high are the same": frequencies_of(12, 5),
        "4 features, trained at 200,000, where high is clipped": frequencies_of(4, 200_000, beta_fast=3000.0),
        "8 features, trained at 4, where high is below low": frequencies_of(8, 4, beta_slow=9.0),
        "32 features, with the usual base": part(implementation(32, "yarn", factor, 2048), 0),
    }


@scaling.check("also returns the factor for queries and keys", points=0.5)
def attention_factor(implementation: Proxy, random: Random) -> Any:
    def factor_of(method: str) -> Any:
        return part(implementation(8, method, factor, 64), 1)

    factor = float(random.uniform(2, 30))

    def dtype_of(method: str) -> str:
        frequencies = part(implementation(8, method, factor, 64), 0)
        return str(getattr(frequencies, "dtype", type(frequencies).__name__))

    methods = ("yarn", "ntk", "linear", "none")
    dtypes = {
        Message('the dtype of the frequencies of "{method}"', method=method): dtype_of(method) for method in methods
    }
    return {
        **{Message('the attention factor of "{method}"', method=method): factor_of(method) for method in methods},
        **dtypes,
    }


@scaling.check("changes nothing if the factor is 1 or there is no method", points=1, tolerance=1e-6)
def nothing_changed(implementation: Proxy, random: Random) -> Any:
    same = {method: implementation(10, method, 1.0, 48, base=700.0) for method in ("linear", "ntk", "yarn")}
    return {
        "no method": implementation(6, "none", float(random.uniform(2, 9)), 32, base=90.0),
        "only the width": implementation(14),
        **{Message("{method} with the factor 1", method=method): answer for method, answer in same.items()},
    }


# alibi_slopes and alibi_bias -------------------------------------------------------------------------------


@slopes.check("returns 2^(-8h / n) for each head if n is a power of two", points=1)
def powers_of_two(implementation: Proxy, random: Random) -> Any:
    answers: dict[str, Any] = {
        Message("the slopes of {count} heads", plural="the slopes of {count} heads", count=heads): implementation(heads)
        for heads in (1, 2, 4, 16)
    }
    return {**answers, **with_dtypes(answers["the slopes of 4 heads"])}


@slopes.check("takes the missing slopes from those of twice as many heads if n is not a power of two", points=1)
def other_numbers(implementation: Proxy, random: Random) -> Any:
    answers: dict[str, Any] = {
        Message("the slopes of {count} heads", plural="the slopes of {count} heads", count=heads): implementation(heads)
        for heads in (3, 5, 7, 12, LONG)
    }
    return {**answers, **with_dtypes(answers["the slopes of 3 heads"])}


@bias.check("returns -slope · distance, in both directions, for every head", points=1)
def both_sides(implementation: Proxy, random: Random) -> Any:
    return with_dtypes(implementation(4, 5, 7))


@bias.check("lets the queries start later than the keys", points=1)
def further_on(implementation: Proxy, random: Random) -> Any:
    return {
        "the bias of queries at the start": implementation(3, 4, 9),
        "the bias": implementation(3, 4, 9, offset=int(random.randint(2, 6))),
        "the bias of queries after all keys": implementation(3, 2, 4, offset=7),
        "the bias of more queries than keys": implementation(3, 6, 2),
        "the bias of a single key": implementation(3, 4, 1),
        # Twelve heads have slopes that float32 only has rounded, and far from the start their products with it, too.
        "the bias of the next keys, far into a text": implementation(12, 2, 5003, offset=4999)[..., -7:],
    }


@bias.check("is exact far into a text", points=0.5)
def far_away(implementation: Proxy, random: Random) -> Any:
    return implementation(2, 1, 10_007)


@bias.check("gives each head its own slope, whatever the sizes, also in a compiled model", points=0.5)
def of_other_sizes(implementation: Proxy, random: Random) -> Any:
    lengths = [np.array(length, "int32") for length in (random.randint(4, 7), 9)]
    return {
        **{
            Message("{count} heads", plural="{count} heads", count=heads): implementation(heads, length, length + 2)
            for heads, length in ((1, 3), (6, 2))
        },
        "5 heads in a compiled model": implementation.in_graph(5, *lengths),
        "3 heads in a compiled model, further on": implementation.in_graph(3, *lengths, offset=2),
    }


# PositionedAttention ---------------------------------------------------------------------------------------

HIDDEN_DIM, NUM_HEADS = 12, 2
SCALINGS = {
    "": None,
    "linear": {"method": "linear", "factor": 6.0},
    "yarn": {"method": "yarn", "factor": 6.0, "trained_length": 40, "base": 100.0},
}


def built(
    implementation: Proxy, width: int, context_width: int | None, positions: str, scaling: str, **options: Any
) -> Proxy:
    made = implementation(HIDDEN_DIM, NUM_HEADS, positions=positions, scaling=SCALINGS[scaling], **options)
    contexts = [np.zeros((2, 7, context_width), "float32")] if context_width else []
    made.build(np.zeros((2, 5, width), "float32"), *contexts)
    return made


def loaded(
    implementation: Proxy,
    random: Random,
    inputs: np.ndarray,
    *context: np.ndarray,
    positions: str,
    scaling: str = "",
    **options: Any,
) -> Proxy:
    """Return a layer with random parameters, built once per set of options and shared by the checks."""
    width, context_width = inputs.shape[-1], context[0].shape[-1] if context else None
    kind = {"positions": positions, "scaling": scaling, **options}
    made = implementation.once(built, width=width, context_width=context_width, **kind)
    made.load(projections(random, width, context_width or width, HIDDEN_DIM))
    return made


def real_tokens() -> np.ndarray:
    """Return a mask (batch, 1, 1, key): the second text has three tokens and two of padding."""
    return (np.arange(5) < np.array([5, 3])[:, None])[:, None, None, :]


@layer.check("rope: rotates queries and keys in every head", points=1.5)
def rope(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    return loaded(implementation, random, inputs, positions="rope").with_one(inputs)


@layer.check("alibi: adds the bias to the scores of every head", points=1)
def alibi(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    return loaded(implementation, random, inputs, positions="alibi").with_one(inputs)


@layer.check("none: equals the attention of chapter 3", points=0.5)
def no_positions(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    return loaded(implementation, random, inputs, positions="none")(inputs, attention_mask=real_tokens())


def _shift_changes_nothing(answers: dict[str, np.ndarray]) -> str | None:
    for kind, (alone, further_on) in answers.items():
        if not np.isfinite(alone).all() or np.ptp(alone) < 1e-3:
            return Message("returns a constant, NaN or infinite output with {kind}", kind=kind)
        moved = np.abs(alone - further_on[:, -alone.shape[1] :]).max()
        if moved > 1e-3:
            return Message(
                "returns outputs that change by {moved} with {kind} when hidden tokens are put in front",
                moved=f"{moved:.2g}",
                kind=kind,
            )
    return None


@layer.check("depends only on distances: hidden tokens in front change nothing", points=1, judge=_shift_changes_nothing)
def hidden_tokens_in_front(implementation: Proxy, random: Random) -> Any:
    inputs, in_front = normal(random, 2, 5, 8), normal(random, 2, 6, 8)
    longer, seen = np.concatenate([in_front, inputs], axis=1), np.arange(11) >= 6
    answers = {}
    for kind in ("rope", "alibi"):
        made = loaded(implementation, random, inputs, positions=kind)
        answers[kind] = made(inputs), made(longer, attention_mask=seen[None, None, None, :])
    return answers


@layer.check("lets no query attend to padding", points=0.5)
def no_padding(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    answers = {}
    for kind in ("rope", "alibi"):
        made = loaded(implementation, random, inputs, positions=kind)
        answers[Message("the output with {kind}", kind=kind)] = made(inputs, attention_mask=real_tokens())
        of_each_head = np.arange(5) != np.arange(NUM_HEADS)[:, None, None]
        answers[Message("the output with {kind} and a mask for each head", kind=kind)] = made(
            inputs, attention_mask=of_each_head[None]
        )
    return answers


@layer.check("counts the positions of a context separately", points=0.5)
def other_context(implementation: Proxy, random: Random) -> Any:
    inputs, context = normal(random, 2, 5, 8), normal(random, 2, 7, 10)
    answers = {}
    for kind in ("rope", "alibi"):
        made = loaded(implementation, random, inputs, context, positions=kind)
        answers[Message("the output with {kind}", kind=kind)] = made(inputs, context, return_weights=True)
    return answers


@layer.check("scales the frequencies, and multiplies queries and keys by the attention factor", points=1)
def scaled_rope(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    return {
        Message("the output and the weights with {scaling}", scaling=scaling): loaded(
            implementation, random, inputs, positions="rope", scaling=scaling
        ).with_one(inputs, return_weights=True)
        for scaling in ("yarn", "linear")
    }


@layer.check("is right in mixed precision", points=0.5, tolerance=3e-2)
def mixed_precision(implementation: Proxy, random: Random) -> Any:
    inputs = normal(random, 2, 5, 8)
    made = loaded(implementation, random, inputs, positions="rope", dtype="mixed_float16")
    # float16 has no integer between 2,048 and 2,050.
    long, last = normal(random, 1, 2060, 8), np.arange(2060) >= 2055
    far = made(long, attention_mask=last[None, None, None, :])
    alibi = loaded(implementation, random, inputs, positions="alibi", dtype="mixed_float16")
    masked = [each(inputs, attention_mask=real_tokens()) for each in (made, alibi)]
    return with_dtypes([*masked, far[:, -5:]], made)


# Angles of far positions are rounded, more where a sine is taken as a shifted cosine.
@layer.check(
    "runs in a compiled model, for texts of any length, and survives saving and loading",
    points=0.5,
    tolerance=1e-4,
    slow=True,
)
def compiled_and_saved(implementation: Proxy, random: Random) -> Any:
    inputs, many = normal(random, 2, 5, 8), normal(random, 2, LONG, 8)
    answers = {}
    for kind in ("rope", "alibi"):
        made = loaded(implementation, random, inputs, positions=kind)
        answers[Message("the output with {kind} in a compiled model", kind=kind)] = made.in_graph(many)
    answers[Message("the output of the layer from the file")] = made.saved(inputs)(inputs)
    return answers
