"""What goes wrong in alibi_bias."""

from __future__ import annotations

from grading.exercises.positions.checks import bias

QUERIES, KEYS = "ops.arange(query_length) + offset", "ops.arange(key_length)"
STEPS = "queries[:, None] - keys[None, :]"
DISTANCE = f"ops.abs({STEPS})"
SLOPES = "alibi_slopes(num_heads)"
PENALTY = "-slopes * distance"

bias.mistake(
    "rewarded",
    "The minus is missing, so distant keys get higher scores.",
    hint="Should the score of a distant key become larger or smaller?",
    change={PENALTY: "slopes * distance"},
)
bias.mistake(
    "one_sided",
    "The distance keeps its sign, so later keys get higher scores.",
    hint="A key two words after the query is as far away as one two words before it.",
    change={DISTANCE: STEPS},
)
bias.mistake(
    "past_only",
    "Only earlier keys get a penalty; later keys cost nothing.",
    hint="That is enough if a mask hides the future. Here queries look both ways.",
    change={DISTANCE: f"ops.maximum({STEPS}, 0)"},
)
bias.mistake(
    "from_the_last_key",
    "Every query gets the distances of the last key. That only works under a causal mask.",
    hint="Each query has its own position. How far is the first query from the first key?",
    change={QUERIES: "ops.full((query_length,), key_length - 1, dtype='int32')"},
)
bias.mistake(
    "future_forbidden",
    "The bias hides the future with -infinity. Hiding keys is the mask's job.",
    hint="An encoder uses this bias, too, and it looks both ways.",
    change={f"({PENALTY})": f"ops.where(keys[None, :] > queries[:, None], -math.inf, {PENALTY})"},
)
bias.mistake(
    "offset_ignored",
    "The offset is ignored: the first query always stands at 0.",
    hint="Query i stands at offset + i.",
    change={QUERIES: "ops.arange(query_length)"},
)
bias.mistake(
    "offset_of_the_keys",
    "The offset is added to the keys instead of the queries.",
    hint="The keys stand at 0, 1, 2, ... Which side starts later?",
    change={QUERIES: "ops.arange(query_length)", KEYS: "ops.arange(key_length) + offset"},
)
bias.mistake(
    "transposed",
    "Queries and keys are exchanged: the result is (1, heads, key, query).",
    hint="A row is a query, a column a key, as in the scores.",
    change={STEPS: "queries[None, :] - keys[:, None]"},
)
bias.mistake(
    "one_slope",
    "All heads have the same slope, that of the first.",
    hint="Each head has its own slope; some look far, some near.",
    change={SLOPES: f"np.repeat({SLOPES}[:1], num_heads)"},
)
bias.mistake(
    "no_slopes",
    "The slopes are missing: the bias is the plain distance.",
    hint="Each head multiplies the distance by its slope.",
    change={SLOPES: "ops.ones(num_heads)"},
)
bias.mistake(
    "squared",
    "The distance is squared.",
    hint="The penalty is linear: each step costs the same.",
    change={PENALTY: "-slopes * distance**2"},
)
bias.mistake(
    "without_batch",
    "The batch axis is missing: the result is (heads, query, key).",
    hint="Scores are (batch, heads, query, key). With four axes, it is clear which axis is which.",
    change={f"({PENALTY})[None]": PENALTY},
)
bias.mistake(
    "coarse",
    "The distances are counted in float16, which has no odd numbers above 2048.",
    hint="Count in integers, then cast to float32.",
    change={DISTANCE: f"ops.cast({DISTANCE}, 'float16')"},
)
bias.mistake(
    "products_first",
    "The slope multiplies both positions before they are subtracted, so far into a text the difference has few digits.",
    hint="Of 3535.5 and 3536.2, float32 keeps three decimals. What is exact if it is subtracted first?",
    change={
        DISTANCE: STEPS,
        PENALTY: """
            -ops.abs(slopes * ops.cast(queries, "float32")[:, None] - slopes * ops.cast(keys, "float32")[None, :])
        """,
    },
)
bias.mistake(
    "after_the_softmax",
    "The exponential of the penalty is returned. The penalty itself is added to the scores, before the softmax.",
    hint="A token's own key gets 0, because nothing is added to its score.",
    change={f"({PENALTY})": f"ops.exp({PENALTY})"},
)
bias.mistake(
    "in_numpy",
    "NumPy counts the positions. It needs the lengths as numbers, and a compiled model has none yet.",
    hint="In a compiled model the lengths are tensors. Which `arange` takes one?",
    change={QUERIES: QUERIES.replace("ops", "np"), KEYS: KEYS.replace("ops", "np")},
)
