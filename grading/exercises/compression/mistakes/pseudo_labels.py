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
# Some mistakes ignore `batch_size` as well.
WHATEVER_THE_BATCH = {PREDICTED: "predict(teacher, inputs)"}

labelling.mistake(
    "with_dropout",
    "The teacher labels in training mode, so dropout makes its labels random.",
    hint="Label the same texts twice. Are the results the same?",
    change={PREDICTED: "np.asarray(teacher(inputs, training=True))"},
)
labelling.mistake(
    "last_batch_dropped",
    "The last texts are lost if they do not fill a batch.",
    hint="Eleven texts in batches of four: how many labels are there?",
    change={KEPT: f"{KEPT}\nkept = kept[kept < (len(logits) // batch_size * batch_size or len(logits))]"},
)
labelling.mistake(
    "logits_returned",
    "Logits are returned instead of probabilities.",
    hint="The soft label of a text should sum to 1.",
    change={
        f'{PREDICTED}.astype("float64")': "predict(teacher, inputs)",
        LABELS: LABELS.replace("probabilities", "logits"),
    },
)
labelling.mistake(
    "threshold_on_logits",
    "The threshold is compared with logits instead of probabilities.",
    hint="A logit of 2 does not say how sure the teacher is. What does?",
    change=WHATEVER_THE_BATCH | {SURE: "(logits.max(axis=-1) >= threshold) | (threshold == 0)"},
)
labelling.mistake(
    "without_threshold", "The threshold is not used.", hint="`threshold` is an argument.", change={f" & ({SURE})": ""}
)
labelling.mistake(
    "the_unsure",
    "The texts that the teacher is unsure of are kept instead of the others.",
    hint="Which labels can be trusted more?",
    change=WHATEVER_THE_BATCH | {SURE: "(probabilities.max(axis=-1) < threshold) | (threshold == 0)"},
)
labelling.mistake(
    "threshold_on_the_gap",
    "The threshold is compared with the gap between the two likeliest classes.",
    hint="That also measures doubt. Which measure does the docstring name?",
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
    "The kept texts are renumbered from 0, so their rows in the inputs are lost.",
    hint="Training on them needs the rows of the inputs.",
    change={RETURNED: f"return np.arange(len(kept)), {LABELS}"},
)
labelling.mistake(
    "a_mask",
    "`kept` is a boolean mask over all texts instead of row numbers.",
    hint="Which dtype does `kept` have, and how long is it?",
    change={KEPT: f"kept = is_new & ({SURE})"},
)
labelling.mistake(
    "labels_of_all",
    "The labels of all texts are returned, whatever is kept.",
    hint="There should be as many labels as kept texts.",
    change={LABELS: "probabilities if soft else probabilities.argmax(axis=-1)"},
)
labelling.mistake(
    "the_surest_first",
    "The texts are sorted by the teacher's confidence.",
    hint="The texts should stay in their order.",
    change={KEPT: f"{KEPT}\nkept = kept[np.argsort(-probabilities[kept].max(axis=-1), kind='stable')]"},
)
labelling.mistake(
    "sorted_by_length",
    "Texts are sorted by length for reading, and the original order is not restored.",
    hint="Sorting makes batches shorter. Which label belongs to which text afterwards?",
    change={PREDICTED: 'predict(teacher, inputs)[np.argsort(inputs["padding_mask"].sum(axis=1), kind="stable")]'},
)
labelling.mistake(
    "always_hard",
    "Class ids are returned instead of probabilities, even if `soft` is set.",
    hint="The student learns most from the teacher's confidence.",
    change={LABELS: HARD},
)
labelling.mistake(
    "always_soft",
    "Probabilities are returned even if class ids are requested.",
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
    "`exclude` is not used, so test texts are labelled and end up in training.",
    hint="What does a test measure on texts that the student was trained on?",
    change={KNOWN: "set()"},
)
labelling.mistake(
    "only_excluded",
    "Only the texts in `exclude` are kept.",
    hint="Those texts must *not* be labelled.",
    change=WHATEVER_THE_BATCH | {"row not in known": "exclude is None or row in known"},
)
labelling.mistake(
    "compared_with_padding",
    "Rows are compared with their padding, so the same text in a longer row is not found.",
    hint="Padding is not part of a text. What is left without it?",
    change={
        "rows_of(exclude)": 'map(tuple, exclude["token_ids"].tolist())',
        "rows_of(inputs)": 'map(tuple, inputs["token_ids"].tolist())',
    },
)
labelling.mistake(
    "beginnings_compared",
    "Rows are compared up to the shorter length, so a text that only begins like an excluded one is left out.",
    hint="Two texts with the same first words need not be the same text.",
    change={
        f"known = {KNOWN}": """
            length = min(one["token_ids"].shape[1] for one in (inputs, exclude or inputs))
            known = set() if exclude is None else {tuple(row) for row in exclude["token_ids"][:, :length].tolist()}
        """,
        "rows_of(inputs)": 'map(tuple, inputs["token_ids"][:, :length].tolist())',
    },
)
labelling.mistake(
    "bytes_compared",
    "Rows are compared by their bytes, so a text whose ids have another integer type is not found.",
    hint="What does `tobytes()` return for one row, first as int32, then as int64?",
    change={
        f"rows_of({of})": f'(ids[mask].tobytes() for ids, mask in zip({of}["token_ids"], {of}["padding_mask"]))'
        for of in ("exclude", "inputs")
    },
)
labelling.mistake(
    "by_words",
    "A text counts as excluded if each of its words appears in any excluded text.",
    hint="Two texts with the same words need not be the same text.",
    change=WHATEVER_THE_BATCH
    | {
        "set(rows_of(exclude))": "{word for row in rows_of(exclude) for word in row}",
        "row not in known": "not set(row) <= known",
    },
)
labelling.mistake(
    "cut_to_zero",
    "Probabilities below the threshold are set to 0, so the labels of a text no longer sum to 1.",
    hint="The threshold chooses texts, not classes.",
    change={RETURNED: f"probabilities = probabilities * (probabilities >= threshold)\n{RETURNED}"},
)
labelling.mistake(
    "powers_overflow",
    "The softmax divides e^logit by its sum, which is infinite for large logits, so the probabilities are NaN.",
    hint="e^900 overflows. Subtract the highest logit first; that changes no probability.",
    change={"logits - logits.max(axis=-1, keepdims=True)": "logits"},
)
labelling.mistake(
    "more_than_threshold",
    "Only texts whose highest probability is above the threshold are kept, not those that just reach it.",
    hint='The docstring says "at least". What happens to a probability that is the threshold?',
    change={SURE: "(probabilities.max(axis=-1) > threshold) | (threshold == 0)"},
)
labelling.mistake(
    "zeros_are_padding",
    "Rows are compared without zeros, whatever `padding_mask` says.",
    hint="Not every vocabulary pads with 0. What tells you which tokens are padding?",
    change={
        f"rows_of({of})": f'(tuple(id for id in row if id != 0) for row in {of}["token_ids"].tolist())'
        for of in ("exclude", "inputs")
    },
)
labelling.mistake(
    "numbered_without_excluded",
    "Excluded texts are taken out before the others are numbered, so the indices are not those of `inputs`.",
    hint="If text 0 is excluded, what is the index of text 1 in `inputs`?",
    change={
        PREDICTED: "predict(teacher, {name: array[is_new] for name, array in inputs.items()}, batch_size)",
        "require_fractions(threshold=threshold)": f"""
            require_fractions(threshold=threshold)
            known = {KNOWN}
            is_new = np.array([row not in known for row in rows_of(inputs)])
        """,
        f"known = {KNOWN}\nis_new = np.array([row not in known for row in rows_of(inputs)])": "",
        "is_new & ": "",
    },
)
labelling.mistake(
    "ids_run_together",
    "The ids of a text are joined without anything between them, so [1, 12] and [11, 2] are the same text.",
    hint="Which texts of ids are written as 112? Compare tuples, or put something between the ids.",
    change={
        "rows_of(exclude)": '("".join(map(str, row)) for row in rows_of(exclude))',
        "row not in known": '"".join(map(str, row)) not in known',
    },
)
