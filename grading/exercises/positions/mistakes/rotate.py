"""What goes wrong in rotate."""

from __future__ import annotations

from grading.exercises.positions.checks import rotation

CAST = "cos, sin = ops.cast(cos, precise), ops.cast(sin, precise)"
HALVES = "first, second = ops.split(ops.cast(x, precise), 2, axis=-1)"
NEIGHBOURS = "first, second = (ops.cast(part, precise) for part in (x[..., 0::2], x[..., 1::2]))"
FIRST, SECOND = "first * cos - second * sin", "second * cos + first * sin"
JOINED = f"ops.concatenate([{FIRST}, {SECOND}], axis=-1)"
STACKED = f"ops.reshape(ops.stack([{FIRST}, {SECOND}], axis=-1), ops.shape(x))"
# The mistakes of PositionedAttention use these changes, too.
INTERLEAVED = {HALVES: NEIGHBOURS, JOINED: STACKED}
OTHER_WAY_ROUND = {FIRST: "first * cos + second * sin", SECOND: "second * cos - first * sin"}

rotation.mistake(
    "interleaved",
    "Neighbouring features are paired, 2i and 2i + 1. GPT-J's weights need that; these do not.",
    hint="The paper also pairs neighbours. Here feature i of the first half goes with feature i of the second half.",
    change=INTERLEAVED,
)
rotation.mistake(
    "repeated_for_neighbours",
    "Cosines and sines are repeated as for neighbouring pairs, (θ0, θ0, θ1, θ1), but halves are paired.",
    hint="Both features of a pair must rotate by the same angle. Which cosine do features i and i + head_dim / 2 get?",
    change={
        f"turned = {JOINED}": """
            cos, sin = ops.repeat(cos, 2, axis=-1), ops.repeat(sin, 2, axis=-1)
            turned = ops.concatenate([first, second], -1) * cos + ops.concatenate([-second, first], -1) * sin
        """
    },
)
rotation.mistake(
    "doubled_for_halves",
    "Cosines and sines are repeated as for halves, (θ0, θ1, θ0, θ1), but neighbouring features are paired.",
    hint="Both features of a pair must rotate by the same angle. Which cosine do features 2i and 2i + 1 get?",
    change={
        HALVES: NEIGHBOURS,
        f"turned = {JOINED}": """
            cos, sin = (ops.concatenate([part, part], axis=-1) for part in (cos, sin))
            swapped = ops.reshape(ops.stack([-second, first], axis=-1), ops.shape(x))
            turned = ops.cast(x, precise) * cos + swapped * sin
        """,
    },
)
rotation.mistake(
    "other_way_round",
    "The rotation goes in the wrong direction, by the negative angle.",
    hint="A quarter turn takes (1, 0) to (0, 1). Which of the two sines has the minus?",
    change=OTHER_WAY_ROUND,
)
rotation.mistake(
    "sign_lost",
    "A minus sign is missing: the first half is a cos α + b sin α.",
    hint="A rotation keeps lengths. Try an eighth of a turn, 45°, of (1, 1).",
    change={FIRST: "first * cos + second * sin"},
)
rotation.mistake(
    "scaled_only",
    "Nothing is rotated: each feature is multiplied by its cosine plus its sine.",
    hint="In a rotation, each feature of a pair depends on the other one.",
    change={FIRST: "first * (cos + sin)", SECOND: "second * (cos + sin)"},
)
rotation.mistake(
    "second_half_kept",
    "Only the first half changes; the second half is returned as it was.",
    hint="Both features of a pair change.",
    change={SECOND: "second"},
)
rotation.mistake(
    "overwritten",
    "The second half is computed from the new values of the first half.",
    hint="Both sums need the old values. Which variable did you overwrite?",
    change={f"turned = {JOINED}": f"first = {FIRST}\nturned = ops.concatenate([first, {SECOND}], axis=-1)"},
)
rotation.mistake(
    "twice",
    "The features are rotated twice, by double the angle.",
    hint="Rotate each query once and each key once. Their product then depends on the difference.",
    change={"ops.cast(turned, x.dtype)": "right.rotate(ops.cast(turned, x.dtype), cos, sin)"},
)
rotation.mistake(
    "exchanged",
    "Cosine and sine are swapped.",
    hint="At position 0 the cosine is 1 and the sine is 0, and nothing may change.",
    change={CAST: "cos, sin = ops.cast(sin, precise), ops.cast(cos, precise)"},
)
rotation.mistake(
    "without_cosine",
    "The sum x cos α + (−b, a) sin α has lost its first term.",
    hint="At angle 0, nothing may change. What does your code return there?",
    change={FIRST: "-second * sin", SECOND: "first * sin"},
)
rotation.mistake(
    "halves_exchanged",
    "The two halves are joined in the wrong order.",
    hint="At angle 0, the result is x itself.",
    change={JOINED: f"ops.concatenate([{SECOND}, {FIRST}], axis=-1)"},
)
rotation.mistake(
    "put_back_as_neighbours",
    "The pairs come out as neighbours: they are stacked and reshaped instead of joined as halves.",
    hint="Feature i of the second half must end up in the second half again.",
    change={JOINED: STACKED},
)
rotation.mistake(
    "cast_before",
    "Cosine and sine are cast to float16 before the multiplication.",
    hint="When two large products cancel, the rounding error is all that remains.",
    change={'keras.backend.result_type(x.dtype, "float32")': "x.dtype"},
)
rotation.mistake(
    "rounded_before",
    "Cosine and sine are rounded to the dtype of x, and only then multiplied in float32.",
    hint="The digits that a cast removes do not come back. Which of the three has to lose none?",
    change={CAST: "cos, sin = (ops.cast(ops.cast(part, x.dtype), precise) for part in (cos, sin))"},
)
rotation.mistake(
    "in_numpy",
    "No gradient flows: the rotation is computed outside the backend.",
    hint="NumPy knows neither gradients nor graphs. Use keras.ops.",
    change={"ops.convert_to_tensor(tensor)": "ops.convert_to_tensor(ops.convert_to_numpy(tensor))"},
)
rotation.mistake(
    "by_heads",
    "The heads axis is used as the length: each head is rotated by the angle of one position.",
    hint="The length is the second-to-last axis. Along which axes do cosine and sine broadcast?",
    change={
        CAST: """
            if len(x.shape) == 4 and len(cos.shape) == 2:
                cos, sin = (part[: x.shape[1], None, :] for part in (cos, sin))
            cos, sin = ops.cast(cos, precise), ops.cast(sin, precise)
        """
    },
)
rotation.mistake(
    "by_the_first_text",
    "All texts are rotated by the angles of the first text.",
    hint="If each text has its own positions, cosine and sine have a batch axis.",
    change={CAST: f"if len(cos.shape) == 4:\n    cos, sin = cos[:1], sin[:1]\n{CAST}"},
)
