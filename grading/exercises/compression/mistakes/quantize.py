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
# For mistakes that make the zero point too large for int8.
CLIPPED = {ZERO_RETURNED: 'ops.cast(ops.clip(zero_point, -128, 127), "int8")'}

rounding.mistake(
    "other_axis",
    "The scales are on the wrong axis: one per input instead of one per output.",
    hint="`axis` keeps its size in the scale. Over which axes does the maximum go?",
    change={"axis % len(weights.shape)": "(axis + 1) % len(weights.shape)"},
)
rounding.mistake(
    "per_tensor",
    "All weights share one scale.",
    hint="A single large weight makes all others coarse. How many scales should there be?",
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
    "The scale is the largest weight divided by 128, and the largest weight is clipped: its level does not exist.",
    hint="What is the highest number in int8?",
    change={f"{LARGEST} / highest": f"{LARGEST} / (highest + 1)"},
)
rounding.mistake(
    "by_half_of_255",
    "The scale is the largest weight divided by 127.5.",
    hint="Levels are integers from -127 to 127. Which one does the largest weight get?",
    change={f"{LARGEST} / highest": f"{LARGEST} / (highest + 0.5)"},
)
rounding.mistake(
    "by_63",
    "The scale is the largest weight divided by 63, so it is twice as large as needed.",
    hint="How many levels are there between 0 and the largest weight?",
    change={f"{LARGEST} / highest": f"{LARGEST} / (highest // 2)"},
)
rounding.mistake(
    "without_abs",
    "The scale uses the largest weight instead of the largest |w|, so weights far below 0 are clipped.",
    hint="Which of -3 and 2 is farther from 0?",
    change={LARGEST: f"ops.abs({HIGH})"},
)
rounding.mistake(
    "by_deviation",
    "The scale uses the standard deviation, so weights several deviations from 0 are clipped.",
    hint="No weight may move by more than half a step, not even the largest.",
    change={LARGEST: "3 * ops.std(weights, axis=others, keepdims=True)"},
)
rounding.mistake(
    "truncated",
    "The fractions are truncated instead of rounded.",
    hint="Casting to integers truncates. By how much may a weight move?",
    change={LEVELS: "weights / scale + zero_point"},
)
rounding.mistake(
    "halves_up",
    "Fractions of exactly one half are always rounded up.",
    hint="Ties should not all go the same way. Which way does `ops.round` send each of them?",
    change={LEVELS: "ops.floor(weights / scale + 0.5) + zero_point"},
)
rounding.mistake(
    "divided_by_zero",
    "A channel of zeros is divided by 0.",
    hint="Its largest |w| is 0, and so is its scale. Which scale is safe there?",
    change={
        # The value of NaN cast to int8 depends on the machine.
        RETURNED: f"""
            is_empty = {LARGEST} == 0
            levels, scale = ops.where(is_empty, -128.0, levels), ops.where(is_empty, np.nan, scale)
            {RETURNED}
        """
    },
)
rounding.mistake(
    "epsilon_everywhere",
    "A small number is added to every scale, so constant channels do not come back exactly.",
    hint="Where is it needed, and where does it only add an error?",
    change={RETURNED: f"return {LEVELS_RETURNED}, scale + 1e-4, {ZERO_RETURNED}"},
)
rounding.mistake(
    "inverse_scale",
    "The scale is inverted: it multiplies weights instead of levels.",
    hint="ŵ = levels · scale. For small weights, is your scale above or below 1?",
    change={RETURNED: f"return {LEVELS_RETURNED}, 1 / scale, {ZERO_RETURNED}"},
)
rounding.mistake(
    "without_keepdims",
    "The scale has lost its axes of size 1, so it broadcasts along the wrong axis, or not at all.",
    hint="A maximum over an axis removes that axis. How can it stay, with size 1?",
    change={RETURNED: f"scale, zero_point = ops.reshape(scale, (-1,)), ops.reshape(zero_point, (-1,))\n{RETURNED}"},
)
rounding.mistake(
    "without_0",
    "Without `symmetric`, the range may exclude 0, so 0 has no level of its own.",
    hint="Padding is 0 and must stay 0. If all weights are above 3, which range do your levels cover?",
    change={f"ops.minimum({LOW}, 0.0)": LOW, f"ops.maximum({HIGH}, 0.0)": HIGH} | CLIPPED,
)
rounding.mistake(
    "zero_point_turned",
    "The zero point has the wrong sign.",
    hint="The lowest weight should get the lowest level. Try it in your formula.",
    change={ZERO_POINT: "ops.round(low / scale - lowest)"} | CLIPPED,
)
rounding.mistake(
    "zero_point_of_uint8",
    "The zero point is for levels from 0 to 255, and is clipped to int8.",
    hint="Your lowest level is -128. Which one does the lowest weight get?",
    change={ZERO_POINT: "ops.round(-low / scale)"} | CLIPPED,
)
rounding.mistake(
    "by_256",
    "The range is divided by 256 instead of 255.",
    hint="How many steps are there between 256 levels?",
    change={"2**bits - 1": "2**bits"} | CLIPPED,
)
rounding.mistake(
    "zero_point_cut",
    "The zero point is truncated instead of rounded.",
    hint="Treat it like the levels.",
    change={ZERO_POINT: "ops.floor(lowest - low / scale)"},
)
rounding.mistake(
    "zero_point_subtracted",
    "The zero point is subtracted from the levels instead of added.",
    hint="`dequantize` subtracts it.",
    change={LEVELS: "ops.round(weights / scale) - zero_point"},
)
rounding.mistake(
    "always_symmetric",
    "The quantization is always symmetric.",
    hint="`symmetric` is an argument.",
    change={"if symmetric:": "if True:"},
)
rounding.mistake(
    "always_8",
    "The quantization always uses 8 bits.",
    hint="`bits` is an argument. How many levels do 4 bits have?",
    change={HIGHEST: f"bits = 8\n{HIGHEST}"},
)
rounding.mistake(
    "still_floats",
    "The levels are integers stored as floats, which take four times the memory.",
    hint="What is the dtype of your levels?",
    change={LEVELS_RETURNED: "levels"},
)
rounding.mistake(
    "half_scale",
    "The scale is stored in half precision if the weights are.",
    hint="A scale serves thousands of weights and needs almost no memory.",
    change={
        CAST: f"dtype = weights.dtype\n{CAST}",
        RETURNED: f"return {LEVELS_RETURNED}, ops.cast(scale, dtype), {ZERO_RETURNED}",
    },
)
rounding.mistake(
    "least_scale",
    "All scales have a lower limit, so a channel of tiny weights becomes 0.",
    hint="The scale is 1 only if all weights are 0. What does a lower limit do to tiny weights?",
    change={f"_above_0({LARGEST} / highest)": f"ops.maximum(_above_0({LARGEST} / highest), 1e-7)"},
)
rounding.mistake(
    "rounded_together",
    "The zero point is added before rounding, so with an odd zero point, halves are rounded to the odd number.",
    hint="Where does the zero point stand in q = round(w / scale) + zero_point?",
    change={LEVELS: "ops.round(weights / scale + zero_point)"},
)
