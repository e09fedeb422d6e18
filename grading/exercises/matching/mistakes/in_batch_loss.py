"""What goes wrong in in_batch_loss."""

from __future__ import annotations

from grading.exercises.matching.checks import batch_loss

IN_FLOAT32 = 'ops.cast(vectors, "float32")'
UNIT = "x * ops.rsqrt(ops.maximum(ops.sum(x * x, axis=-1, keepdims=True), 1e-12))"
COSINES = "ops.matmul(queries, ops.transpose(documents))"
OWN = "ops.equal(number[:, None], number[None, :])"
SURPRISE = "ops.sparse_categorical_crossentropy(number, scores, from_logits=True)"
TURNED = "ops.sparse_categorical_crossentropy(number, ops.transpose(scores), from_logits=True)"

batch_loss.mistake(
    "not_normalised",
    "The vectors are not normalised to length 1, so the scores are dot products instead of cosines.",
    hint="A long vector would have high scores with every other. What divides a cosine?",
    change={UNIT: "x"},
)
batch_loss.mistake(
    "one_side_normalised",
    "Only the queries are normalised to length 1.",
    hint="A cosine is divided by both lengths.",
    change={"ops.transpose(documents)": 'ops.transpose(ops.cast(document_vectors, "float32"))'},
)
batch_loss.mistake(
    "normalised_over_batch",
    "Vectors are normalised over the batch instead of over their features.",
    hint="Each vector gets length 1 on its own. Which axis holds its features?",
    change={"axis=-1": "axis=0"},
)
batch_loss.mistake(
    "scale_divides",
    "The cosines are divided by `scale` instead of multiplied by it.",
    hint="Should `scale` move the scores farther apart, or closer together?",
    change={f"scale * {COSINES}": f"{COSINES} / scale"},
)
batch_loss.mistake(
    "without_scale",
    "`scale` is not used, and a softmax over plain cosines gives all documents almost the same probability.",
    hint="Cosines lie between -1 and 1. With five documents, how large can a probability get then?",
    change={f"scale * {COSINES}": COSINES},
)
batch_loss.mistake(
    "always_20",
    "`scale` is always 20, whatever the argument is.",
    hint="`scale` is an argument.",
    change={f"scale * {COSINES}": f"20.0 * {COSINES}"},
)
batch_loss.mistake(
    "over_queries",
    "The softmax runs over the queries instead of the documents.",
    hint="A query looks for its document among all documents. Which axis holds them?",
    change={SURPRISE: TURNED},
)
batch_loss.mistake(
    "both_directions",
    "Both directions are averaged: query to document, and document to query.",
    hint="CLIP's loss does that. Here only queries look for documents.",
    change={SURPRISE: f"({SURPRISE} + {TURNED}) / 2"},
)
batch_loss.mistake(
    "always_the_first",
    "The first document is the label of every query.",
    hint="Document i belongs to query i. What are the labels of a batch?",
    change={"crossentropy(number,": "crossentropy(ops.zeros_like(number),"},
)
batch_loss.mistake(
    "sigmoid_of_each",
    "Each score is judged separately with a sigmoid, so the documents of a batch do not compete.",
    hint="In a softmax, a higher probability for one document lowers all others.",
    change={SURPRISE: f'ops.binary_crossentropy(ops.cast({OWN}, "float32"), scores, from_logits=True)'},
)
batch_loss.mistake(
    "summed",
    "The sum over the queries is returned instead of the mean.",
    hint="Twice as many pairs in a batch should not double the loss.",
    change={"ops.mean(": "ops.sum("},
)
batch_loss.mistake(
    "mean_over_cells",
    "The mean is over all cells of the table instead of its rows.",
    hint="Each query has one loss. How many queries are there?",
    change={SURPRISE: f"ops.where({OWN}, -ops.log_softmax(scores), 0.0)"},
)
batch_loss.mistake(
    "negative",
    "The sign is wrong: the loss is the mean of log P, and training would push P towards 0.",
    hint="log P is at most 0. A loss is at least 0.",
    change={"ops.mean(": "-ops.mean("},
)
batch_loss.mistake(
    "same_forgotten",
    "`same` is not used, so another correct document counts as a wrong answer.",
    hint="A document may be in a batch twice. How could the model distinguish the copies?",
    change={"if same is not None:": "if False:"},
)
batch_loss.mistake(
    "own_hidden",
    "`same` also hides the query's own document, so no right answer is left.",
    hint="`same` may be True on the diagonal. What is on the diagonal must stay.",
    change={"ops.logical_and(same, ops.logical_not(is_own))": "same"},
)
batch_loss.mistake(
    "hidden_with_0",
    "Hidden documents get a score of 0, so they still count in the softmax.",
    hint="exp(0) is 1. Which score has an exponential of 0?",
    change={"-1e9": "0.0"},
)
batch_loss.mistake(
    "same_turned",
    "`same` is read from column to row.",
    hint="Row i is query i. `same` need not be symmetric.",
    change={"logical_and(same,": "logical_and(ops.transpose(same),"},
)
batch_loss.mistake(
    "no_floor",
    "The vectors are divided by their lengths without a lower limit, so a vector of zeros gives NaN.",
    hint="0 / 0 is NaN, and a single NaN ruins a training run. What is the smallest length that you may divide by?",
    change={UNIT: "x / ops.sqrt(ops.sum(x * x, axis=-1, keepdims=True))"},
)
batch_loss.mistake(
    "in_half_precision",
    "The loss is computed in the precision of the vectors; in float16, the squares of large numbers are infinite.",
    hint="float16 ends at 65504. Cast the vectors before anything else.",
    change={IN_FLOAT32: "ops.convert_to_tensor(vectors)"},
)
batch_loss.mistake(
    "documents_stopped",
    "No gradient reaches the documents.",
    hint="Both towers learn. What does `ops.stop_gradient` do?",
    change={"ops.transpose(documents)": "ops.transpose(ops.stop_gradient(documents))"},
)
batch_loss.mistake(
    "in_numpy",
    "The loss leaves the tensors for NumPy, so it cannot be compiled and has no gradient.",
    hint="NumPy does not track gradients. Use `keras.ops` from the first line to the last.",
    change={IN_FLOAT32: 'ops.cast(ops.convert_to_numpy(vectors), "float32")'},
)
batch_loss.mistake(
    "powers_overflow",
    "The logarithm is taken of e^score divided by its sum: with a large scale, that is infinite or NaN.",
    hint="e^200 overflows float32, and log 0 is infinite. Which function takes the scores and avoids both?",
    change={
        f"scale * {COSINES}": f"ops.exp(scale * {COSINES})",
        "-1e9": "0.0",
        SURPRISE: "-ops.log(ops.diagonal(scores) / ops.sum(scores, axis=-1))",
    },
)
batch_loss.mistake(
    "hidden_with_minus_10000",
    "Hidden documents get a score of -10,000, which is not below all others if `scale` is large.",
    hint="Set `scale` to 20,000. How low can the scores of the other documents be?",
    change={"-1e9": "-1e4"},
)
