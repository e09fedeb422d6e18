"""What goes wrong in rotate."""

from __future__ import annotations

from grading.exercises.positions.checks import rotation

CAST = "cos, sin = ops.cast(cos, precise), ops.cast(sin, precise)"
HALVES = "first, second = ops.split(ops.cast(x, precise), 2, axis=-1)"
NEIGHBOURS = "first, second = (ops.cast(part, precise) for part in (x[..., 0::2], x[..., 1::2]))"
FIRST, SECOND = "first * cos - second * sin", "second * cos + first * sin"
JOINED = f"ops.concatenate([{FIRST}, {SECOND}], axis=-1)"
STACKED = f"ops.reshape(ops.stack([{FIRST}, {SECOND}], axis=-1), ops.shape(x))"
# Changes that the layer can be given, too.
INTERLEAVED = {HALVES: NEIGHBOURS, JOINED: STACKED}
OTHER_WAY_ROUND = {FIRST: "first * cos + second * sin", SECOND: "second * cos - first * sin"}

rotation.mistake(
    "interleaved",
    "Neighbours are paired, features 2i and 2i + 1. That is right for GPT-J's weights, and not here.",
    hint="The paper pairs neighbours, too. Here feature i of the first half goes with feature i of the second half.",
    change=INTERLEAVED,
)
rotation.mistake(
    "repeated_for_neighbours",
    "Cosines and sines are repeated as for neighbours, (θ0, θ0, θ1, θ1), but the features are paired by halves.",
    hint="The two features of a pair must turn by one angle. Which cosine do features i and i + head_dim / 2 get?",
    change={
        f"turned = {JOINED}": """
            cos, sin = ops.repeat(cos, 2, axis=-1), ops.repeat(sin, 2, axis=-1)
            turned = ops.concatenate([first, second], -1) * cos + ops.concatenate([-second, first], -1) * sin
        """
    },
)
rotation.mistake(
    "doubled_for_halves",
    "Cosines and sines are doubled as for halves, (θ0, θ1, θ0, θ1), but neighbours are paired.",
    hint="The two features of a pair must turn by one angle. Which cosine do features 2i and 2i + 1 get?",
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
    "Everything is turned the other way round: by the negative angle.",
    hint="By a quarter turn, (1, 0) becomes (0, 1). Which of the two sines has the minus?",
    change=OTHER_WAY_ROUND,
)
rotation.mistake(
    "sign_lost",
    "A sign is lost: the first half is a cos α + b sin α.",
    hint="A rotation keeps lengths. Try a quarter turn of (1, 1).",
    change={FIRST: "first * cos + second * sin"},
)
rotation.mistake(
    "scaled_only",
    "Nothing is turned: each feature is multiplied by its cosine plus its sine.",
    hint="In a rotation, each feature of a pair gets something from the other one.",
    change={FIRST: "first * (cos + sin)", SECOND: "second * (cos + sin)"},
)
rotation.mistake(
    "second_half_kept",
    "Only the first half is new; the second is passed on as it was.",
    hint="Both features of a pair move.",
    change={SECOND: "second"},
)
rotation.mistake(
    "overwritten",
    "The second half is computed from the first half's new values.",
    hint="Both sums need the old values. Which one did you overwrite?",
    change={f"turned = {JOINED}": f"first = {FIRST}\nturned = ops.concatenate([first, {SECOND}], axis=-1)"},
)
rotation.mistake(
    "twice",
    "It is turned twice, by double the angle.",
    hint="Queries are turned once, keys are turned once. The product sees the difference by itself.",
    change={"ops.cast(turned, x.dtype)": "right.rotate(ops.cast(turned, x.dtype), cos, sin)"},
)
rotation.mistake(
    "exchanged",
    "Cosine and sine are exchanged.",
    hint="At position 0 the cosine is 1 and the sine 0, and nothing may change there.",
    change={CAST: "cos, sin = ops.cast(sin, precise), ops.cast(cos, precise)"},
)
rotation.mistake(
    "without_cosine",
    "The sum of x cos α and the turned x sin α is missing one part: only the turned one is left.",
    hint="x cos α + (−b, a) sin α has two terms.",
    change={FIRST: "-second * sin", SECOND: "first * sin"},
)
rotation.mistake(
    "halves_exchanged",
    "The halves are put together in the wrong order.",
    hint="Where the angle is 0, the result is x itself.",
    change={JOINED: f"ops.concatenate([{SECOND}, {FIRST}], axis=-1)"},
)
rotation.mistake(
    "put_back_as_neighbours",
    "The pairs come out as neighbours: they are stacked and reshaped, instead of put back as halves.",
    hint="What was feature i of the second half must stand there again.",
    change={JOINED: STACKED},
)
rotation.mistake(
    "cast_before",
    "Cosine and sine are cast to float16 before they are multiplied.",
    hint="Where two large products cancel, what was rounded before is all that is left.",
    change={'keras.backend.result_type(x.dtype, "float32")': "x.dtype"},
)
rotation.mistake(
    "in_numpy",
    "No gradient comes through: the rotation is computed outside of the backend.",
    hint="NumPy knows nothing of gradients, and of graphs neither. Use keras.ops.",
    change={"ops.convert_to_tensor(tensor)": "ops.convert_to_tensor(ops.convert_to_numpy(tensor))"},
)
rotation.mistake(
    "by_heads",
    "The length is taken for the axis of the heads: each head is turned by the angle of one position.",
    hint="The length is the last axis but one. In which axes do cosine and sine broadcast?",
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
    "All texts are turned by the angles of the first one.",
    hint="Where each text has positions of its own, cosine and sine have an axis for the batch.",
    change={CAST: f"if len(cos.shape) == 4:\n    cos, sin = cos[:1], sin[:1]\n{CAST}"},
)
