"""What goes wrong in rotary_angles."""

from __future__ import annotations

from grading.exercises.positions.checks import angles

POSITIONS = 'ops.cast(positions, "float32")'
FREQUENCIES = 'ops.cast(frequencies, "float32")'
FOR_ALL_HEADS = "if len(positions.shape) == 2:\n    angles = angles[:, None]"
RETURNED = "return ops.cos(angles), ops.sin(angles)"

angles.mistake(
    "one_step_on",
    "1 is added to the positions, so every angle is off by one step.",
    hint="The positions are given. Use them as they are.",
    change={POSITIONS: 'ops.cast(positions + 1, "float32")'},
)
angles.mistake(
    "counted_anew",
    "The given positions are ignored: the code counts from 0.",
    hint="The positions are an argument, and a text may begin at any of them.",
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
    "The angles are treated as degrees and converted to radians a second time.",
    hint="A frequency of 1 is one radian per step.",
    change={FREQUENCIES: f"{FREQUENCIES} * (math.pi / 180)"},
)
angles.mistake(
    "divided",
    "The positions are divided by the frequencies.",
    hint="A frequency says how far a pair rotates in one step. How far does it rotate in ten?",
    change={FREQUENCIES: f"(1 / {FREQUENCIES})"},
)
angles.mistake(
    "bare",
    "The angles themselves are returned, without cosine and sine.",
    hint="Return two arrays: the cosine of each angle, and its sine.",
    change={FOR_ALL_HEADS: "", RETURNED: "return angles"},
)
angles.mistake(
    "transposed",
    "The axes are (head_dim / 2, length), with one row per frequency.",
    hint="A row is a position, a column a pair.",
    change={RETURNED: f"angles = ops.swapaxes(angles, -1, -2)\n{RETURNED}"},
)
angles.mistake(
    "doubled",
    "Each cosine and sine appears twice, for head_dim features. This function returns one per pair.",
    hint="Some code for RoPE needs both copies; `rotate` does not. Which shape does the docstring give?",
    change={RETURNED: f"angles = ops.concatenate([angles, angles], axis=-1)\n{RETURNED}"},
)
angles.mistake(
    "without_heads",
    "When each text has its own positions, the heads axis is missing: the result is (batch, length, head_dim / 2).",
    hint="Queries are (batch, heads, length, head_dim). Which axis of your result broadcasts over the heads?",
    change={FOR_ALL_HEADS: ""},
)
angles.mistake(
    "of_the_first_text",
    "All texts get the positions of the first text.",
    hint="If positions are (batch, length), each row belongs to another text.",
    change={"angles[:, None]": "ops.repeat(angles[:1, None], positions.shape[0], axis=0)"},
)
angles.mistake(
    "in_their_dtype",
    "The angles are computed in the dtype of the positions; in float16, large angles are inexact.",
    hint="Between 256 and 512, float16 has only steps of 0.25. Cast the positions before you multiply.",
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
    "The angles are computed in bfloat16, which has no integer 257: positions 256 and 257 become the same.",
    hint="Compute angles in float32, whatever the dtype of the layer is.",
    change={POSITIONS: 'ops.cast(ops.cast(positions, "bfloat16"), "float32")'},
)
angles.mistake(
    "fixed_table",
    "The angles come from a table of fixed length: later positions all get its last row.",
    hint="A text may be longer than any table. Do you need a table at all?",
    change={POSITIONS: 'ops.cast(ops.minimum(positions, 255), "float32")'},
)
angles.mistake(
    "in_numpy",
    "NumPy computes the angles. It needs the positions as numbers, and a compiled model has none yet.",
    hint="In a compiled model the positions are tensors. Which library computes with them?",
    change={POSITIONS: "np.asarray(positions).astype('float32')"},
)
