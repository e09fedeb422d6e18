"""Chapter 3: a class of twenty, with all that can happen to a submission."""

from __future__ import annotations

from grading.exercises.students import Student, answer, change, mistake, solution

ATTENTION, PADDING, CAUSAL = "scaled_dot_product_attention", "padding_mask", "causal_mask"
SPLIT, MERGE, LAYER = "split_heads", "merge_heads", "MultiHeadAttention"

STUDENTS = [
    Student(
        "ada",
        "Right, with einsum and a kernel for each head.",
        {ATTENTION: solution("einsum"), SPLIT: solution("einsum"), LAYER: solution("einsum_dense")},
    ),
    Student(
        "boris",
        "Right, in plain TensorFlow; the notebook is full of warnings, progress bars and plots.",
        {ATTENTION: solution("tensorflow_only"), PADDING: solution("tensorflow_only"), CAUSAL: solution("band_part")},
        quirk="noisy_outputs",
    ),
    Student(
        "chiara",
        "Right, with one projection for query, key and value, and a helper in a cell of its own.",
        {ATTENTION: answer("attention_helper"), LAYER: solution("fused_query_key_value")},
        helpers="softmax_helpers",
    ),
    Student(
        "dmitri",
        "Forgot to divide by √d_k.",
        {ATTENTION: mistake("The scores are not divided by √d_k.")},
        {ATTENTION: 0.0},
    ),
    Student(
        "elif",
        "Multiplies the scores by the mask.",
        {
            ATTENTION: mistake(
                "The scores are multiplied by the mask, so a forbidden key has the score 0 and keeps weight."
            )
        },
        {ATTENTION: 3.5},
    ),
    Student(
        "farid",
        "Splits the heads by reshape alone.",
        {SPLIT: mistake("The features are cut by reshape alone: tokens and heads are mixed up.")},
        {SPLIT: 0.0},
    ),
    Student(
        "grace",
        "The padding mask is upside down.",
        {PADDING: mistake("The mask is inverted: it is True at padding.")},
        {PADDING: 0.0},
    ),
    Student(
        "hiro",
        "A causal mask that hides the diagonal, and heads merged by reshape alone.",
        {
            CAUSAL: mistake("A query does not see itself."),
            MERGE: mistake("The heads are merged by reshape alone: tokens and heads are mixed up."),
        },
        {CAUSAL: 0.0, MERGE: 0.0},
    ),
    Student(
        "ines",
        "Dropout is always on.",
        {LAYER: mistake("Dropout is always on: `training` is ignored.")},
        {LAYER: 9.0},
    ),
    Student(
        "jonas",
        "Uses -infinity: a query that may attend to nothing gets NaN.",
        {
            ATTENTION: mistake(
                "A query that may attend to nothing gets NaN: its scores are -inf, or its weights are divided by a "
                "sum of 0."
            )
        },
        {ATTENTION: 5.0},
    ),
    Student(
        "kofi",
        "The padding mask has no axes for heads and queries, and the attention returns only its output.",
        {
            PADDING: mistake("The mask has no axes for heads and queries: it is (batch, length)."),
            ATTENTION: mistake("Only the output is returned; the weights must be returned, too."),
            LAYER: change(
                {
                    "output, weights = self._attend(": "output = scaled_dot_product_attention(",
                    "if self.dropout and training:  # sums again, over the connections that are left\n"
                    "    output = ops.matmul(self.dropout_layer(weights, training=True), value)": "",
                    "hidden_dim)\nreturn (output, weights) if return_weights else output": "hidden_dim)\nreturn output",
                }
            ),
        },
        {PADDING: 0.0, ATTENTION: 0.0, LAYER: 8.0},
    ),
    Student(
        "lena",
        "The layer ignores its context.",
        {LAYER: mistake("The context is ignored: the inputs always attend to themselves.")},
        {LAYER: 8.0},
    ),
    Student(
        "mateo",
        "The layer's output projection is missing.",
        {LAYER: mistake("The output projection is missing: there are weights for query, key and value only.")},
        {LAYER: 0.0},
    ),
    Student(
        "nadia",
        "Softmax over the queries.",
        {ATTENTION: mistake("The softmax runs over the queries instead of the keys.")},
        {ATTENTION: 0.0},
    ),
    Student(
        "omar",
        "Stays in float16, where -1e9 is infinite, and forgot to pass the mask on in the layer.",
        {
            ATTENTION: mistake("In float16, -1e9 is -infinity, and a query that may attend to nothing gets NaN."),
            LAYER: mistake("The mask is ignored."),
        },
        {ATTENTION: 4.5, LAYER: 6.0},
    ),
    Student(
        "petra",
        "Half done: the masks and the heads are written, the rest is as it was released.",
        {ATTENTION: None, LAYER: None},
        {ATTENTION: 0.0, LAYER: 0.0},
    ),
    Student(
        "quentin",
        "Crashes: a loop in merge_heads nests iterators until the stack overflows.",
        {MERGE: answer("merge_aborts")},
        {MERGE: 0.0},
    ),
    Student(
        "rosa",
        "Never ends: a loop in causal_mask waits for what never comes.",
        {CAUSAL: answer("causal_endless")},
        {CAUSAL: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. The mask of the future is transposed.",
        {CAUSAL: mistake("The mask is transposed: a query sees itself and the future.")},
        {CAUSAL: 0.0},
        quirk="ids_stripped",
    ),
    Student(
        "trudy",
        "Hostile: looks for the answers, patches what compares, writes to other students' files.",
        {ATTENTION: answer("attention_hostile"), PADDING: answer("padding_hostile"), LAYER: answer("layer_ready_made")},
        {ATTENTION: 0.0, PADDING: 0.0, LAYER: 0.0},
    ),
]
