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
    "The vectors are not brought to length 1: the scores are products, not cosines.",
    hint="A long vector would have high scores with everything. What is a cosine divided by?",
    change={UNIT: "x"},
)
batch_loss.mistake(
    "one_side_normalised",
    "Only the queries are brought to length 1.",
    hint="A cosine is divided by both lengths.",
    change={"ops.transpose(documents)": 'ops.transpose(ops.cast(document_vectors, "float32"))'},
)
batch_loss.mistake(
    "normalised_over_batch",
    "Vectors are normalised over the batch, not over their features.",
    hint="Each vector gets length 1 for itself. Which axis holds its features?",
    change={"axis=-1": "axis=0"},
)
batch_loss.mistake(
    "scale_divides",
    "The cosines are divided by `scale` instead of multiplied.",
    hint="As a temperature, it would divide. Are the scores to be farther apart, or closer?",
    change={f"scale * {COSINES}": f"{COSINES} / scale"},
)
batch_loss.mistake(
    "without_scale",
    "`scale` is not used: a softmax over cosines hardly tells one document from another.",
    hint="Cosines lie between -1 and 1. How large can a probability of five documents be then?",
    change={f"scale * {COSINES}": COSINES},
)
batch_loss.mistake(
    "always_20",
    "`scale` is always 20, whatever was asked for.",
    hint="`scale` is an argument.",
    change={f"scale * {COSINES}": f"20.0 * {COSINES}"},
)
batch_loss.mistake(
    "over_queries",
    "The softmax goes over the queries, not over the documents.",
    hint="A query looks for its document among all documents. Which axis are these on?",
    change={SURPRISE: TURNED},
)
batch_loss.mistake(
    "both_directions",
    "Both directions are averaged: queries look for documents, and documents for queries.",
    hint="That is a loss, too, and CLIP has it. Here only queries look for documents.",
    change={SURPRISE: f"({SURPRISE} + {TURNED}) / 2"},
)
batch_loss.mistake(
    "always_the_first",
    "For every query the first document is taken to be right.",
    hint="Document i is that of query i. What are the labels of a batch?",
    change={"crossentropy(number,": "crossentropy(ops.zeros_like(number),"},
)
batch_loss.mistake(
    "sigmoid_of_each",
    "Each score is judged by itself, with a sigmoid: the documents of a batch do not compete.",
    hint="The loss is a softmax's: the better one document fits, the worse fit the others.",
    change={SURPRISE: f'ops.binary_crossentropy(ops.cast({OWN}, "float32"), scores, from_logits=True)'},
)
batch_loss.mistake(
    "summed",
    "The sum is returned, not the mean over the queries.",
    hint="Twice as many pairs in a batch should not double the loss.",
    change={"ops.mean(": "ops.sum("},
)
batch_loss.mistake(
    "mean_over_cells",
    "The mean is over all cells of the table, not over its rows.",
    hint="There is one loss for each query. How many queries are there?",
    change={SURPRISE: f"ops.where({OWN}, -ops.log_softmax(scores), 0.0)"},
)
batch_loss.mistake(
    "negative",
    "The sign is wrong: it is the mean of log P, which training would make as small as it can.",
    hint="log P is at most 0. A loss is at least 0.",
    change={"ops.mean(": "-ops.mean("},
)
batch_loss.mistake(
    "same_forgotten",
    "`same` is not looked at: what is right for a query counts as a wrong answer.",
    hint="The same document may stand in a batch twice. Who should tell both copies apart?",
    change={"if same is not None:": "if False:"},
)
batch_loss.mistake(
    "own_hidden",
    "`same` also hides the query's own document, so there is nothing left to be right.",
    hint="`same` may be True on the diagonal. What stands there must stay.",
    change={"ops.logical_and(same, ops.logical_not(is_own))": "same"},
)
batch_loss.mistake(
    "hidden_with_0",
    "What is right as well gets a score of 0, and so still counts in the softmax.",
    hint="exp(0) is 1. Which score has an exponential of 0?",
    change={"-1e9": "0.0"},
)
batch_loss.mistake(
    "same_turned",
    "`same` is read from the column to the row.",
    hint="Row i is query i. `same` need not be symmetric.",
    change={"logical_and(same,": "logical_and(ops.transpose(same),"},
)
batch_loss.mistake(
    "no_floor",
    "The vectors are divided by their lengths without a floor: a vector of zeros makes NaN of the loss.",
    hint="0 / 0 is NaN, and one NaN ends a training. How long must a vector be at least, to be divided by?",
    change={UNIT: "x / ops.sqrt(ops.sum(x * x, axis=-1, keepdims=True))"},
)
batch_loss.mistake(
    "in_half_precision",
    "The loss is computed in the precision of the vectors, here float16: squares of large numbers are infinite there.",
    hint="float16 ends at 65504. Cast the vectors before anything else.",
    change={IN_FLOAT32: "ops.convert_to_tensor(vectors)"},
)
batch_loss.mistake(
    "documents_stopped",
    "No gradient goes to the documents.",
    hint="Both towers learn. What does `ops.stop_gradient` take away?",
    change={"ops.transpose(documents)": "ops.transpose(ops.stop_gradient(documents))"},
)
batch_loss.mistake(
    "in_numpy",
    "The loss leaves the tensors for NumPy, so it cannot be compiled, and no gradient comes back.",
    hint="NumPy keeps no record of what was computed. Use `keras.ops` from the first line to the last.",
    change={IN_FLOAT32: 'ops.cast(ops.convert_to_numpy(vectors), "float32")'},
)
batch_loss.mistake(
    "powers_overflow",
    "The softmax is e^score over their sum, and then the logarithm: at a large scale that is infinite, or NaN.",
    hint="e^200 is no float32, and the logarithm of 0 is infinite. `ops.log_softmax` gets there without either.",
    change={
        f"scale * {COSINES}": f"ops.exp(scale * {COSINES})",
        "-1e9": "0.0",
        SURPRISE: "-ops.log(ops.diagonal(scores) / ops.sum(scores, axis=-1))",
    },
)
