"""Chapter 3: a class of twenty, with all that can happen to a submission."""

from __future__ import annotations

from grading.sample_class.student import Student

ATTENTION, PADDING, CAUSAL = "scaled_dot_product_attention", "padding_mask", "causal_mask"
SPLIT, MERGE, LAYER = "split_heads", "merge_heads", "MultiHeadAttention"

STUDENTS = [
    Student(
        "ada",
        "Right, with einsum and a kernel for each head.",
        {ATTENTION: "attention_einsum", SPLIT: "split_einops", LAYER: "layer_per_head"},
    ),
    Student(
        "boris",
        "Right, in plain TensorFlow; the notebook is full of warnings, progress bars and plots.",
        {ATTENTION: "attention_tensorflow", PADDING: "padding_tensorflow", CAUSAL: "causal_band_part"},
        quirk="noisy_outputs",
    ),
    Student(
        "chiara",
        "Right, with one projection for query, key and value, and a helper in a cell of its own.",
        {ATTENTION: "attention_helper", LAYER: "layer_fused"},
        helpers="softmax_helpers",
    ),
    Student(
        "dmitri",
        "Forgot to divide by √d_k.",
        {ATTENTION: "attention_unscaled"},
        {ATTENTION: 0.0},
        {ATTENTION: "The scores are not divided by √d_k."},
    ),
    Student(
        "elif",
        "Multiplies the scores by the mask.",
        {ATTENTION: "attention_times_mask"},
        {ATTENTION: 3.5},
        {ATTENTION: "The scores are multiplied by the mask, so a forbidden key has the score 0 and keeps weight."},
    ),
    Student(
        "farid",
        "Splits the heads by reshape alone.",
        {SPLIT: "split_reshape"},
        {SPLIT: 0.0},
        {SPLIT: "The features are cut by reshape alone: tokens and heads are mixed up."},
    ),
    Student(
        "grace",
        "The padding mask is upside down.",
        {PADDING: "padding_inverted"},
        {PADDING: 0.0},
        {PADDING: "The mask is inverted: it is True at padding."},
    ),
    Student(
        "hiro",
        "A causal mask that hides the diagonal, and heads merged by reshape alone.",
        {CAUSAL: "causal_strict", MERGE: "merge_reshape"},
        {CAUSAL: 0.0, MERGE: 0.0},
        {
            CAUSAL: "A query does not see itself.",
            MERGE: "The heads are merged by reshape alone: tokens and heads are mixed up.",
        },
    ),
    Student(
        "ines",
        "Dropout is always on.",
        {LAYER: {"if self.dropout and training:": "if self.dropout:"}},
        {LAYER: 9.0},
        {LAYER: "Dropout is always on: `training` is ignored."},
    ),
    Student(
        "jonas",
        "Uses -infinity: a query that may attend to nothing gets NaN.",
        {ATTENTION: "attention_minus_infinity"},
        {ATTENTION: 5.0},
        {ATTENTION: "A query that may attend to nothing gets NaN: all its scores are -inf before the softmax."},
    ),
    Student(
        "kofi",
        "The padding mask has no axes for heads and queries, and the attention returns only its output.",
        {
            PADDING: "padding_flat",
            ATTENTION: "attention_output_only",
            LAYER: {
                "output, weights = self._attend(": "output = scaled_dot_product_attention(",
                "if self.dropout and training:  # sums again, over the connections that are left\n"
                "    output = ops.matmul(self.dropout_layer(weights, training=True), value)": "",
                "hidden_dim)\nreturn (output, weights) if return_weights else output": "hidden_dim)\nreturn output",
            },
        },
        {PADDING: 0.0, ATTENTION: 0.0, LAYER: 8.0},
        {
            PADDING: "The mask has no axes for heads and queries: it is (batch, length).",
            ATTENTION: "Only the output is returned; the weights must be returned, too.",
        },
    ),
    Student(
        "lena",
        "The layer ignores its context.",
        {
            LAYER: {
                "context = inputs if context is None else context": "context = inputs",
                "context_shape = context_shape or inputs_shape": "context_shape = inputs_shape",
            }
        },
        {LAYER: 8.0},
        {LAYER: "The context is ignored: the inputs always attend to themselves."},
    ),
    Student(
        "mateo",
        "The layer's output projection is missing.",
        {
            LAYER: {
                'self.output_dense = projection("output")': "",
                "self.output_dense.build((*inputs_shape[:-1], self.hidden_dim))  # the merged heads": "",
                "self.output_dense(merge_heads(output))": "merge_heads(output)",
            }
        },
        {LAYER: 0.0},
        {LAYER: "The output projection is missing: there are weights for query, key and value only."},
    ),
    Student(
        "nadia",
        "Softmax over the queries.",
        {ATTENTION: "attention_wrong_axis"},
        {ATTENTION: 0.0},
        {ATTENTION: "The softmax runs over the queries instead of the keys."},
    ),
    Student(
        "omar",
        "Stays in float16, where -1e9 is infinite, and forgot to pass the mask on in the layer.",
        {
            ATTENTION: "attention_half",
            LAYER: {"mask = self.with_four_axes(attention_mask)": "mask = None"},
        },
        {ATTENTION: 5.0, LAYER: 6.0},
        {
            ATTENTION: "In float16, -1e9 is -infinity, and a query that may attend to nothing gets NaN.",
            LAYER: "The mask is ignored.",
        },
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
        {MERGE: "merge_aborts"},
        {MERGE: 0.0},
    ),
    Student(
        "rosa",
        "Never ends: a loop in causal_mask waits for what never comes.",
        {CAUSAL: "causal_endless"},
        {CAUSAL: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. The mask of the future is transposed.",
        {CAUSAL: "causal_transposed"},
        {CAUSAL: 0.0},
        {CAUSAL: "The mask is transposed: a query sees itself and the future."},
        quirk="ids_stripped",
    ),
    Student(
        "trudy",
        "Hostile: looks for the answers, patches what compares, writes to other students' files.",
        {ATTENTION: "attention_hostile", PADDING: "padding_hostile", LAYER: "layer_ready_made"},
        {ATTENTION: 0.0, PADDING: 0.0, LAYER: 0.0},
    ),
]
