"""What goes wrong in sentence_pairs."""

from __future__ import annotations

from grading.exercises.next_sentence.checks import pairs

GENERATOR = "random = np.random.default_rng(seed)"
CLEANED = "documents = _without_blanks(documents)"
EACH_DOCUMENT = "for number, document in enumerate(documents):"
EACH_PAIR = "for first, true_next in itertools.pairwise(document):"
COIN = "random.random() < 0.5"
OTHER = "int(random.integers(len(documents) - 1))"
STEP = "other += other >= number"
DRAWN = "second = documents[other][random.integers(len(documents[other]))]"
LABEL = "IS_NEXT if second == true_next else NOT_NEXT"

pairs.mistake(
    "any_document",
    "The random sentence may come from the same document.",
    hint="A document is drawn from all of them, this one among them. How do you step over it?",
    change={"len(documents) - 1": "len(documents)", STEP: ""},
)
pairs.mistake(
    "same_document",
    "The random sentence is always from the same document.",
    hint="Two sentences of one document fit each other often. Draw from another one.",
    change={OTHER: "number", STEP: ""},
)
pairs.mistake(
    "next_document",
    "It is always the document below that the random sentence comes from.",
    hint="A model could learn which documents stand beside each other. Draw the document, too.",
    change={OTHER: "(number + 1) % len(documents)", STEP: ""},
)
pairs.mistake(
    "each_sentence_alike",
    "Every sentence is as likely to be drawn, so long documents come up more often than short ones.",
    hint="There are two draws: first a document, then one of its sentences.",
    change={
        f"other = {OTHER}\n{STEP}\n{DRAWN}": """
            others = [each for other, texts in enumerate(documents) if other != number for each in texts]
            second = others[random.integers(len(others))]
        """
    },
)
pairs.mistake(
    "first_sentences",
    "It is always the first sentence of the other document that is drawn.",
    hint="First sentences are special: a model could learn to know them. Any sentence may be drawn.",
    change={DRAWN: "second = documents[other][0]"},
)
pairs.mistake(
    "short_documents_dropped",
    "Documents of one sentence are dropped, so their sentence is never drawn.",
    hint="It starts no pair, but it can be the second of one.",
    change={CLEANED: "documents = [each for each in _without_blanks(documents) if len(each) > 1]"},
)
pairs.mistake(
    "gaps_beside_blanks",
    "Where a blank sentence stands between two others, these make no pair.",
    hint="A blank sentence counts for nothing: take it out before you look for neighbours.",
    change={
        CLEANED: f"with_blanks = [each for each in documents if any(map(str.strip, each))]\n{CLEANED}",
        EACH_DOCUMENT: "for number, document in enumerate(with_blanks):",
        EACH_PAIR: f"{EACH_PAIR}\n    if not (first.strip() and true_next.strip()):\n        continue",
    },
)
pairs.mistake(
    "all_real",
    "All pairs are real.",
    hint="A model that always says yes would be right every time. When does another sentence come in?",
    change={COIN: "False"},
)
pairs.mistake(
    "all_random",
    "All pairs are random.",
    hint="A model that always says no would be right every time. When does the true next sentence come in?",
    change={COIN: "True"},
)
pairs.mistake(
    "unfair_coin",
    "More than half of the pairs are random.",
    hint="A fair coin: which side are the numbers below 0.5 of `random.random()`?",
    change={COIN: "random.random() < 0.75"},
)
pairs.mistake(
    "rare_random_pairs",
    "Fewer than half of the pairs are random.",
    hint="A fair coin: 15% is for masked words, not for pairs.",
    change={COIN: "random.random() < 0.15"},
)
pairs.mistake(
    "by_turns",
    "Real and random pairs take turns; no coin is tossed.",
    hint="Whoever knows one label would know them all. Let chance decide for each pair.",
    change={COIN: "len(pairs) % 2 == 1"},
)
pairs.mistake(
    "one_coin_a_document",
    "One coin is tossed for each document, not for each pair.",
    hint="In which of your two loops do you toss it?",
    change={EACH_PAIR: f"is_random = {COIN}\n{EACH_PAIR}", f"if {COIN}:": "if is_random:"},
)
pairs.mistake(
    "coins_begin_anew",
    "The coins begin anew in each document: the generator is made from the seed again.",
    hint="What is drawn from one seed is always the same. Make the generator once, before both loops.",
    change={GENERATOR: "", EACH_PAIR: f"{GENERATOR}\n{EACH_PAIR}"},
)
pairs.mistake(
    "others_by_their_texts",
    "Documents that read the same as this one are never drawn from, as if they were this one.",
    hint="Another document is one that stands elsewhere, whatever it says. Compare the numbers, not the texts.",
    change={
        f"other = {OTHER}\n{STEP}\n{DRAWN}": """
            others = [each for each in documents if each != document]
            other = others[random.integers(len(others))]
            second = other[random.integers(len(other))]
        """
    },
)
pairs.mistake(
    "real_if_in_document",
    "A drawn sentence counts as real where it reads the same as any sentence of the first one's document.",
    hint="Only the next sentence makes a pair real. With which one do you compare?",
    change={LABEL: "IS_NEXT if second in document else NOT_NEXT"},
)
pairs.mistake(
    "labels_swapped",
    "The labels are the wrong way round: 1 for a real pair.",
    hint="In the published weights, 0 is a real pair. IS_NEXT and NOT_NEXT say it for you.",
    change={LABEL: "NOT_NEXT if second == true_next else IS_NEXT"},
)
pairs.mistake(
    "label_by_coin",
    "The label says what the coin showed, even where the sentence that was drawn reads the same as the next one.",
    hint="Two documents can hold the same sentence. Compare the two texts before you choose the label.",
    change={
        "second = true_next": "second, label = true_next, IS_NEXT",
        DRAWN: f"{DRAWN}\nlabel = NOT_NEXT",
        LABEL: "label",
    },
)
pairs.mistake(
    "ends_overlooked",
    "The end of a document is overlooked: its last sentence is paired with the first of the next document.",
    hint="A blank line between two documents means that nothing follows there. Make pairs within each document.",
    change={
        EACH_PAIR: """
            first_of_next = [following[0] for following in documents[number + 1 : number + 2]]
            for first, true_next in itertools.pairwise(document + first_of_next):
        """
    },
)
pairs.mistake(
    "both_pairs",
    "Each sentence makes two pairs, a real one and a random one.",
    hint="One pair for each first sentence; the coin says which.",
    change={
        "second = true_next": """
            if (first, true_next, IS_NEXT) in pairs:
                continue
            pairs.append((first, true_next, IS_NEXT))
        """,
        COIN: "True",
    },
)
pairs.mistake(
    "no_overlap",
    "Only every second sentence is the first of a pair.",
    hint="A sentence that was second in one pair is first in the next one.",
    change={
        CLEANED: f"""
            {CLEANED}
            documents = [each[start : start + 2] for each in documents for start in range(0, len(each), 2)]
        """
    },
)
pairs.mistake(
    "blanks_kept",
    "Blank sentences are taken for sentences.",
    hint="What is left of a blank line after `strip()`? Remove such lines first.",
    change={" if sentence.strip()": ""},
)
pairs.mistake(
    "empty_documents_kept",
    "Documents that have nothing but blank sentences are still drawn from, and there is nothing in them to draw.",
    hint="When the blank sentences are gone, some documents are empty. Remove these, too.",
    change={"kept = [document for document in kept if document]": ""},
)
pairs.mistake(
    "seed_ignored",
    "The seed is ignored: the same integer does not give the same pairs again.",
    hint="`np.random.default_rng` takes the seed, whatever it is.",
    change={"default_rng(seed)": "default_rng()"},
)
pairs.mistake(
    "no_seed_of_zero",
    "The seed 0 is taken for no seed at all: its pairs are not the same again.",
    hint="`seed or ...` asks whether the seed is true, and 0 is not. `np.random.default_rng` takes None by itself.",
    change={"default_rng(seed)": "default_rng(seed or None)"},
)
pairs.mistake(
    "seed_fixed",
    "The seed is fixed: the pairs are the same in every call.",
    hint="A new epoch wants new pairs. `np.random.default_rng` takes the seed that you were given.",
    change={"default_rng(seed)": "default_rng(0)"},
)
pairs.mistake(
    "generator_restarted",
    "A generator is not gone on with: each call starts it anew.",
    hint="`np.random.default_rng(generator)` returns the generator itself, which remembers where it is.",
    change={"default_rng(seed)": "default_rng(seed if isinstance(seed, int) else 0)"},
)
pairs.mistake(
    "without_labels",
    "The label is left out.",
    hint="A pair is (first, second, label).",
    change={f", {LABEL}": ""},
)
