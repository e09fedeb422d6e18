"""What goes wrong in pseudo_labels."""

from __future__ import annotations

from grading.exercises.compression.checks import labelling

PREDICTED = "predict(teacher, inputs, batch_size)"
KNOWN = "set() if exclude is None else set(rows_of(exclude))"
SURE = "probabilities.max(axis=-1) >= threshold"
KEPT = f"kept = np.flatnonzero(is_new & ({SURE}))"
SOFT, HARD = "probabilities[kept]", "probabilities[kept].argmax(axis=-1)"
LABELS = f"{SOFT} if soft else {HARD}"
RETURNED = f"return kept, {LABELS}"
# Some mistakes do not heed `batch_size`, either.
WHATEVER_THE_BATCH = {PREDICTED: "predict(teacher, inputs)"}

labelling.mistake(
    "with_dropout",
    "The teacher labels as if it were in training: what it drops by chance is in the labels.",
    hint="Ask twice. Is the answer the same?",
    change={PREDICTED: "np.asarray(teacher(inputs, training=True))"},
)
labelling.mistake(
    "last_batch_dropped",
    "The last texts, which do not fill a batch, are forgotten.",
    hint="Eleven texts in batches of four: how many labels are there?",
    change={KEPT: f"{KEPT}\nkept = kept[kept < (len(logits) // batch_size * batch_size or len(logits))]"},
)
labelling.mistake(
    "logits_returned",
    "Logits are returned, not probabilities.",
    hint="The labels of a text should be 1 together.",
    change={
        f'{PREDICTED}.astype("float64")': "predict(teacher, inputs)",
        LABELS: LABELS.replace("probabilities", "logits"),
    },
)
labelling.mistake(
    "threshold_on_logits",
    "The threshold is compared with logits, not with probabilities.",
    hint="A logit of 2 says nothing of how sure the teacher is. What does?",
    change=WHATEVER_THE_BATCH | {SURE: "(logits.max(axis=-1) >= threshold) | (threshold == 0)"},
)
labelling.mistake(
    "without_threshold", "The threshold is not used.", hint="`threshold` is an argument.", change={f" & ({SURE})": ""}
)
labelling.mistake(
    "the_unsure",
    "The texts that the teacher is unsure of are kept, and the others left out.",
    hint="Which labels can be trusted more?",
    change=WHATEVER_THE_BATCH | {SURE: "(probabilities.max(axis=-1) < threshold) | (threshold == 0)"},
)
labelling.mistake(
    "threshold_on_the_gap",
    "The threshold is on the gap between the two likeliest classes.",
    hint="That is a measure of doubt, too. Which one is asked for?",
    change=WHATEVER_THE_BATCH
    | {
        KEPT: """
            rising = np.sort(probabilities, axis=-1)
            kept = np.flatnonzero(is_new & (rising[:, -1] - rising[:, -2] >= threshold))
        """
    },
)
labelling.mistake(
    "numbered_anew",
    "What is kept is numbered anew, 0, 1, 2, ...: nobody knows which texts these were.",
    hint="Whoever trains on them needs rows of the inputs.",
    change={RETURNED: f"return np.arange(len(kept)), {LABELS}"},
)
labelling.mistake(
    "a_mask",
    "What is kept is told by True and False for all texts, not by numbers.",
    hint="Which dtype has `kept`, and how long is it?",
    change={KEPT: f"kept = is_new & ({SURE})"},
)
labelling.mistake(
    "labels_of_all",
    "The labels are those of all texts, whatever is kept.",
    hint="There are as many labels as texts that are kept.",
    change={LABELS: "probabilities if soft else probabilities.argmax(axis=-1)"},
)
labelling.mistake(
    "the_surest_first",
    "The texts are sorted by how sure the teacher is.",
    hint="They stay in their order.",
    change={KEPT: f"{KEPT}\nkept = kept[np.argsort(-probabilities[kept].max(axis=-1), kind='stable')]"},
)
labelling.mistake(
    "sorted_by_length",
    "Texts are sorted by their length to be read, and not brought back into their order.",
    hint="To sort makes batches short. Which label belongs to which text afterwards?",
    change={PREDICTED: 'predict(teacher, inputs)[np.argsort(inputs["padding_mask"].sum(axis=1), kind="stable")]'},
)
labelling.mistake(
    "always_hard",
    "Class ids are returned where probabilities are asked for.",
    hint="How sure the teacher is, is what the student learns most from.",
    change={LABELS: HARD},
)
labelling.mistake(
    "always_soft",
    "Probabilities are returned where class ids are asked for.",
    hint="`soft` is an argument.",
    change={LABELS: SOFT},
)
labelling.mistake(
    "one_hot",
    "Hard labels are rows of 0 and 1, not class ids.",
    hint="What shape do ids have?",
    change={HARD: f'np.eye(probabilities.shape[1], dtype="float32")[{HARD}]'},
)
labelling.mistake(
    "nothing_excluded",
    "`exclude` is not looked at: texts of the test are labelled, and would come into training.",
    hint="Who measures on texts that a student has learned from?",
    change={KNOWN: "set()"},
)
labelling.mistake(
    "only_excluded",
    "Only the texts in `exclude` are kept.",
    hint="They are the ones that must *not* be labelled.",
    change=WHATEVER_THE_BATCH | {"row not in known": "exclude is None or row in known"},
)
labelling.mistake(
    "compared_with_padding",
    "Rows are compared with their padding: the same text in a longer row is not found.",
    hint="Padding is no part of a text. What is left without it?",
    change={
        "rows_of(exclude)": 'map(tuple, exclude["token_ids"].tolist())',
        "rows_of(inputs)": 'map(tuple, inputs["token_ids"].tolist())',
    },
)
labelling.mistake(
    "by_words",
    "A text is taken for known if all of its words stand in some excluded text.",
    hint="Two texts of the same words are not the same text.",
    change=WHATEVER_THE_BATCH
    | {
        "set(rows_of(exclude))": "{word for row in rows_of(exclude) for word in row}",
        "row not in known": "not set(row) <= known",
    },
)
labelling.mistake(
    "cut_to_zero",
    "Probabilities below the threshold are set to 0: labels of one text are no longer 1 together.",
    hint="The threshold chooses texts, not classes.",
    change={RETURNED: f"probabilities = probabilities * (probabilities >= threshold)\n{RETURNED}"},
)
labelling.mistake(
    "powers_overflow",
    "The softmax is e^logit over their sum, which is infinite for large logits: the probabilities are NaN.",
    hint="e^900 is no number. Subtract the highest logit first; that changes no probability.",
    change={"logits - logits.max(axis=-1, keepdims=True)": "logits"},
)
