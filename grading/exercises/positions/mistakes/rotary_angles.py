"""What goes wrong in rotary_angles."""

from __future__ import annotations

from grading.exercises.positions.checks import angles

POSITIONS = 'ops.cast(positions, "float32")'
FREQUENCIES = 'ops.cast(frequencies, "float32")'
FOR_ALL_HEADS = "if len(positions.shape) == 2:\n    angles = angles[:, None]"
RETURNED = "return ops.cos(angles), ops.sin(angles)"

angles.mistake(
    "one_step_on",
    "Positions count from 1 on top of what was given: every angle is off by one step.",
    hint="The positions are given. Take them as they are.",
    change={POSITIONS: 'ops.cast(positions + 1, "float32")'},
)
angles.mistake(
    "counted_anew",
    "The positions are counted anew from 0, whatever is given.",
    hint="The positions are an argument: a text may begin anywhere.",
    change={POSITIONS: f"(ops.zeros_like({POSITIONS}) + ops.arange(positions.shape[-1], dtype='float32'))"},
)
angles.mistake(
    "exchanged",
    "Sine and cosine are returned in the wrong order.",
    hint="Look at the docstring: the cosine comes first.",
    change={RETURNED: "return ops.sin(angles), ops.cos(angles)"},
)
angles.mistake(
    "degrees",
    "The angles are taken for degrees: they are turned into radians once more.",
    hint="A frequency of 1 is one radian a step.",
    change={FREQUENCIES: f"{FREQUENCIES} * (math.pi / 180)"},
)
angles.mistake(
    "divided",
    "The angles are the positions divided by the frequencies.",
    hint="A frequency says how far a pair turns in one step. How far does it turn in ten?",
    change={FREQUENCIES: f"(1 / {FREQUENCIES})"},
)
angles.mistake(
    "bare",
    "The angles are returned themselves, without cosine and sine.",
    hint="Two things are wanted: the cosine of each angle, and its sine.",
    change={FOR_ALL_HEADS: "", RETURNED: "return angles"},
)
angles.mistake(
    "transposed",
    "The axes are (head_dim / 2, length): a row a frequency.",
    hint="A row is a position, a column a pair.",
    change={RETURNED: f"angles = ops.swapaxes(angles, -1, -2)\n{RETURNED}"},
)
angles.mistake(
    "doubled",
    "Each cosine and sine is there twice, for head_dim features. Here one for each pair is wanted.",
    hint="Some rotations want them twice. Look at the shape in the docstring.",
    change={RETURNED: f"angles = ops.concatenate([angles, angles], axis=-1)\n{RETURNED}"},
)
angles.mistake(
    "without_heads",
    "Positions of each text have no axis for the heads: the result is (batch, length, head_dim / 2).",
    hint="Queries are (batch, heads, length, head_dim). What broadcasts over the second axis?",
    change={FOR_ALL_HEADS: ""},
)
angles.mistake(
    "of_the_first_text",
    "All texts get the positions of the first one.",
    hint="Where positions are (batch, length), each row is a text of its own.",
    change={"angles[:, None]": "ops.repeat(angles[:1, None], positions.shape[0], axis=0)"},
)
angles.mistake(
    "in_their_dtype",
    "The angles are computed in the positions' dtype: in float16, large ones are coarse.",
    hint="float16 has 11 bits for 399.5. Cast the positions before you multiply.",
    change={
        f"angles = {POSITIONS}[..., None] * {FREQUENCIES}": """
            dtype = keras.backend.result_type(positions.dtype, float)
            angles = ops.cast(positions, dtype)[..., None] * ops.cast(frequencies, dtype)
            angles = ops.cast(angles, "float32")
        """
    },
)
angles.mistake(
    "in_bfloat16",
    "The angles are computed in bfloat16, which cannot count beyond 256: positions 256 and 257 are one.",
    hint="Angles are computed in float32, whatever the layer's dtype is.",
    change={POSITIONS: 'ops.cast(ops.cast(positions, "bfloat16"), "float32")'},
)
angles.mistake(
    "fixed_table",
    "There is a table of fixed length: positions beyond it get its last row.",
    hint="A text may be longer than any table. What do you need a table for?",
    change={POSITIONS: 'ops.cast(ops.minimum(positions, 255), "float32")'},
)
