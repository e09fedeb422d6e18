"""What goes wrong in quantize."""

from __future__ import annotations

from grading.exercises.compression.checks import rounding

CAST = 'weights = ops.cast(weights, "float32")'
HIGHEST = "highest = 2 ** (bits - 1) - 1"
LARGEST = "ops.max(ops.abs(weights), axis=others, keepdims=True)"
LOW, HIGH = "ops.min(weights, axis=others, keepdims=True)", "ops.max(weights, axis=others, keepdims=True)"
ZERO_POINT = "ops.round(lowest - low / scale)"
LEVELS = "ops.round(weights / scale) + zero_point"
LEVELS_RETURNED, ZERO_RETURNED = 'ops.cast(levels, "int8")', 'ops.cast(zero_point, "int8")'
RETURNED = f"return {LEVELS_RETURNED}, scale, {ZERO_RETURNED}"
# Where a mistake makes it too large for int8.
CLIPPED = {ZERO_RETURNED: 'ops.cast(ops.clip(zero_point, -128, 127), "int8")'}

rounding.mistake(
    "other_axis",
    "The scales belong to the other axis: one for each input instead of each output.",
    hint="`axis` is the one that keeps its size in the scale. Over which ones does the maximum go?",
    change={"axis % len(weights.shape)": "(axis + 1) % len(weights.shape)"},
)
rounding.mistake(
    "per_tensor",
    "There is one scale for all weights.",
    hint="A single large weight makes all others coarse. How many scales are asked for?",
    change={
        " if number != axis % len(weights.shape)": "",
        RETURNED: f"""
            shape = [1] * len(weights.shape)
            shape[axis] = weights.shape[axis]
            scale, zero_point = ops.broadcast_to(scale, shape), ops.broadcast_to(zero_point, shape)
            {RETURNED}
        """,
    },
)
rounding.mistake(
    "by_128",
    "The scale divides by 128, so that the largest weight would need a level that is not there, and is clipped.",
    hint="What is the highest number in int8?",
    change={f"{LARGEST} / highest": f"{LARGEST} / (highest + 1)"},
)
rounding.mistake(
    "by_half_of_255",
    "The scale divides by 127.5.",
    hint="Levels are whole numbers, from -127 to 127. Which one is the largest weight's?",
    change={f"{LARGEST} / highest": f"{LARGEST} / (highest + 0.5)"},
)
rounding.mistake(
    "by_63",
    "The scale is twice as large as it could be: it divides by 63.",
    hint="How many levels lie between 0 and the largest weight?",
    change={f"{LARGEST} / highest": f"{LARGEST} / (highest // 2)"},
)
rounding.mistake(
    "without_abs",
    "The scale is made of the largest weight, not of the largest |w|: what is far below 0 is clipped.",
    hint="Which of -3 and 2 is farther from 0?",
    change={LARGEST: f"ops.abs({HIGH})"},
)
rounding.mistake(
    "by_deviation",
    "The scale is made of the standard deviation: weights beyond some of these are clipped.",
    hint="No weight may move by more than half a step, the largest one neither.",
    change={LARGEST: "3 * ops.std(weights, axis=others, keepdims=True)"},
)
rounding.mistake(
    "truncated",
    "Fractions are cut off, not rounded.",
    hint="Casting to whole numbers cuts. By how much may a weight move?",
    change={LEVELS: "weights / scale + zero_point"},
)
rounding.mistake(
    "halves_up",
    "Halves are always rounded up.",
    hint="Half of the halves go up, half of them down. Which ones does `ops.round` send where?",
    change={LEVELS: "ops.floor(weights / scale + 0.5) + zero_point"},
)
rounding.mistake(
    "divided_by_zero",
    "A channel of zeros is divided by 0.",
    hint="Its largest |w| is 0, and so is its scale. Which scale does no harm there?",
    change={
        # What NaN becomes as int8 is the machine's to say.
        RETURNED: f"""
            is_empty = {LARGEST} == 0
            levels, scale = ops.where(is_empty, -128.0, levels), ops.where(is_empty, np.nan, scale)
            {RETURNED}
        """
    },
)
rounding.mistake(
    "epsilon_everywhere",
    "A small number is added to every scale, so that constant channels do not come back as they were.",
    hint="Where is it needed, and where does it only do harm?",
    change={RETURNED: f"return {LEVELS_RETURNED}, scale + 1e-4, {ZERO_RETURNED}"},
)
rounding.mistake(
    "inverse_scale",
    "The scale is the other way round: what weights are multiplied with, not levels.",
    hint="ŵ = levels · scale. Is yours above or below 1 for small weights?",
    change={RETURNED: f"return {LEVELS_RETURNED}, 1 / scale, {ZERO_RETURNED}"},
)
rounding.mistake(
    "without_keepdims",
    "The scale has lost its axes of size 1: it broadcasts along the wrong axis, or not at all.",
    hint="`keepdims` leaves them there.",
    change={RETURNED: f"scale, zero_point = ops.reshape(scale, (-1,)), ops.reshape(zero_point, (-1,))\n{RETURNED}"},
)
rounding.mistake(
    "without_0",
    "Where it is not symmetric, the range need not hold 0: 0 has no level of its own.",
    hint="Padding is 0, and must stay 0. From where to where do your levels go if all weights are above 3?",
    change={f"ops.minimum({LOW}, 0.0)": LOW, f"ops.maximum({HIGH}, 0.0)": HIGH} | CLIPPED,
)
rounding.mistake(
    "zero_point_turned",
    "The zero point has the wrong sign.",
    hint="The lowest weight should have the lowest level. Put it into your formula.",
    change={ZERO_POINT: "ops.round(low / scale - lowest)"} | CLIPPED,
)
rounding.mistake(
    "zero_point_of_uint8",
    "The zero point is that of levels from 0 to 255, and is clipped to int8.",
    hint="Your lowest level is -128. Which one does the lowest weight get?",
    change={ZERO_POINT: "ops.round(-low / scale)"} | CLIPPED,
)
rounding.mistake(
    "by_256",
    "The range is divided by 256 instead of 255.",
    hint="Between 256 levels there are how many steps?",
    change={"2**bits - 1": "2**bits"} | CLIPPED,
)
rounding.mistake(
    "zero_point_cut",
    "The zero point is cut, not rounded.",
    hint="It is rounded as the levels are.",
    change={ZERO_POINT: "ops.floor(lowest - low / scale)"},
)
rounding.mistake(
    "zero_point_subtracted",
    "The zero point is subtracted from the levels, where it should be added.",
    hint="On the way back it is subtracted.",
    change={LEVELS: "ops.round(weights / scale) - zero_point"},
)
rounding.mistake(
    "always_symmetric",
    "It is always symmetric.",
    hint="`symmetric` is an argument.",
    change={"if symmetric:": "if True:"},
)
rounding.mistake(
    "always_8",
    "There are always 8 bits.",
    hint="`bits` is an argument. How many levels do 4 bits have?",
    change={HIGHEST: f"bits = 8\n{HIGHEST}"},
)
rounding.mistake(
    "still_floats",
    "The levels are whole, but still floats: they take four times the room.",
    hint="What is the dtype of your levels?",
    change={LEVELS_RETURNED: "levels"},
)
rounding.mistake(
    "half_scale",
    "The scale is kept in half precision, where weights come in it.",
    hint="A scale stands for thousands of weights, and needs next to no room.",
    change={
        CAST: f"dtype = weights.dtype\n{CAST}",
        RETURNED: f"return {LEVELS_RETURNED}, ops.cast(scale, dtype), {ZERO_RETURNED}",
    },
)
rounding.mistake(
    "least_scale",
    "A scale that is small, but above 0, is not taken as it is: all tiny weights become 0.",
    hint="Only where all weights are 0, the scale is 1. A floor under all scales loses weights.",
    change={f"_above_0({LARGEST} / highest)": f"ops.maximum(_above_0({LARGEST} / highest), 1e-7)"},
)
