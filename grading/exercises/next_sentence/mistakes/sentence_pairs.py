"""Known mistakes in sentence_pairs."""

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
    hint="You draw from all documents, including this one. How do you skip it?",
    change={"len(documents) - 1": "len(documents)", STEP: ""},
)
pairs.mistake(
    "same_document",
    "The random sentence always comes from the same document.",
    hint="Two sentences of one document often fit each other. Which documents should you draw from?",
    change={OTHER: "number", STEP: ""},
)
pairs.mistake(
    "next_document",
    "The random sentence always comes from the following document.",
    hint="A model could learn which documents are neighbours. What else must be random, besides the sentence?",
    change={OTHER: "(number + 1) % len(documents)", STEP: ""},
)
pairs.mistake(
    "own_instead_of_next",
    "The step over the own document comes one too late: it can be drawn, and the one after it never is.",
    hint="The own number itself was drawn among one document fewer. Which document does it stand for?",
    change={STEP: "other += other > number"},
)
pairs.mistake(
    "each_sentence_alike",
    "Every sentence is equally likely, so long documents come up more often than short ones.",
    hint="What is drawn first: a sentence, or a document?",
    change={
        f"other = {OTHER}\n{STEP}\n{DRAWN}": """
            others = [each for other, texts in enumerate(documents) if other != number for each in texts]
            second = others[random.integers(len(others))]
        """
    },
)
pairs.mistake(
    "first_sentences",
    "The first sentence of the other document is always drawn.",
    hint="A model could learn to recognize first sentences. Which sentences may be drawn?",
    change={DRAWN: "second = documents[other][0]"},
)
pairs.mistake(
    "short_documents_dropped",
    "Documents of one sentence are dropped, so their sentence is never drawn.",
    hint="A single sentence cannot start a pair. Can it be the second of one?",
    change={CLEANED: "documents = [each for each in _without_blanks(documents) if len(each) > 1]"},
)
pairs.mistake(
    "gaps_beside_blanks",
    "Two sentences with a blank one between them make no pair.",
    hint="A blank sentence does not count. When must it be removed: before you look for neighbours, or after?",
    change={
        CLEANED: f"with_blanks = [each for each in documents if any(map(str.strip, each))]\n{CLEANED}",
        EACH_DOCUMENT: "for number, document in enumerate(with_blanks):",
        EACH_PAIR: f"{EACH_PAIR}\n    if not (first.strip() and true_next.strip()):\n        continue",
    },
)
pairs.mistake(
    "all_real",
    "All pairs are real.",
    hint="A model that always says yes would be right every time. When should the second sentence be a random one?",
    change={COIN: "False"},
)
pairs.mistake(
    "all_random",
    "All pairs are random.",
    hint="A model that always says no would be right every time. When should the second sentence be the true next one?",
    change={COIN: "True"},
)
pairs.mistake(
    "unfair_coin",
    "More than half of the pairs are random.",
    hint="For what share of the numbers from `random.random()` is your comparison true?",
    change={COIN: "random.random() < 0.75"},
)
pairs.mistake(
    "rare_random_pairs",
    "Fewer than half of the pairs are random.",
    hint="15% is the share of masked words. How often does a fair coin show heads?",
    change={COIN: "random.random() < 0.15"},
)
pairs.mistake(
    "by_turns",
    "Real and random pairs alternate; no coin is tossed.",
    hint="A model that knows one label would know them all. What should decide for each pair?",
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
    "The coins repeat in each document: the generator is created again from the seed.",
    hint="A generator with the same seed draws the same numbers. How often do you create it?",
    change={GENERATOR: "", EACH_PAIR: f"{GENERATOR}\n{EACH_PAIR}"},
)
pairs.mistake(
    "others_by_their_texts",
    "A sentence is never drawn from documents with the same text as this one.",
    hint="Two documents with the same text are still two. Do you compare their numbers or their texts?",
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
    "A pair counts as real if the drawn sentence equals any sentence of the first one's document.",
    hint="Which sentence alone makes a pair real? With which one do you compare?",
    change={LABEL: "IS_NEXT if second in document else NOT_NEXT"},
)
pairs.mistake(
    "labels_swapped",
    "The labels are swapped: a real pair gets 1.",
    hint="In the published weights, 0 is a real pair. Which of IS_NEXT and NOT_NEXT do you use for it?",
    change={LABEL: "NOT_NEXT if second == true_next else IS_NEXT"},
)
pairs.mistake(
    "label_by_coin",
    "The coin decides the label, even if the drawn sentence has the same text as the next one.",
    hint="Two documents can hold the same sentence. What should you compare before you choose the label?",
    change={
        "second = true_next": "second, label = true_next, IS_NEXT",
        DRAWN: f"{DRAWN}\nlabel = NOT_NEXT",
        LABEL: "label",
    },
)
pairs.mistake(
    "ends_overlooked",
    "The last sentence of a document is paired with the first sentence of the next document.",
    hint="After the last sentence of a document, nothing follows. Within what should you make pairs?",
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
    hint="How many pairs should each first sentence make, and what decides which?",
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
    hint="May a sentence that is second in one pair be first in the next pair?",
    change={
        CLEANED: f"""
            {CLEANED}
            documents = [each[start : start + 2] for each in documents for start in range(0, len(each), 2)]
        """
    },
)
pairs.mistake(
    "blanks_kept",
    "Blank sentences count as sentences.",
    hint="What is left of a blank line after `strip()`? Remove such lines first.",
    change={" if sentence.strip()": ""},
)
pairs.mistake(
    "empty_documents_kept",
    "Documents with only blank sentences can still be drawn, but contain nothing to draw.",
    hint="After the blank sentences are removed, some documents are empty. What should become of them?",
    change={"kept = [document for document in kept if document]": ""},
)
pairs.mistake(
    "seed_ignored",
    "The seed is ignored: the same integer does not give the same pairs again.",
    hint="What do you pass to `np.random.default_rng`?",
    change={"default_rng(seed)": "default_rng()"},
)
pairs.mistake(
    "no_seed_of_zero",
    "The seed 0 counts as no seed: it gives other pairs in each call.",
    hint="`seed or ...` tests whether the seed is true, and 0 is not. `np.random.default_rng` accepts None as it is.",
    change={"default_rng(seed)": "default_rng(seed or None)"},
)
pairs.mistake(
    "seed_fixed",
    "The seed is fixed: the pairs are the same in every call.",
    hint="A new epoch needs new pairs. What do you pass to `np.random.default_rng`?",
    change={"default_rng(seed)": "default_rng(0)"},
)
pairs.mistake(
    "generator_restarted",
    "A given generator is not continued: each call starts a new one.",
    hint="`np.random.default_rng(generator)` returns the generator itself. Do you give it the generator?",
    change={"default_rng(seed)": "default_rng(seed if isinstance(seed, int) else 0)"},
)
pairs.mistake(
    "without_labels",
    "The pairs have no label.",
    hint="How many values does the docstring give a pair?",
    change={f", {LABEL}": ""},
)
pairs.mistake(
    "one_coin_a_call",
    "One coin is tossed for all pairs of a call: the generator is created again from the seed for each pair.",
    hint="Where is the generator made, and how often does that line run?",
    change={"if random.random() < 0.5:": f"{GENERATOR}\nif random.random() < 0.5:"},
)
pairs.mistake(
    "stripped",
    "The sentences come back with other spaces than in the documents.",
    hint="A sentence is blank if nothing is left of it without spaces. What do you keep of one that is not?",
    change={CLEANED: f"{CLEANED}\ndocuments = [[sentence.strip() for sentence in each] for each in documents]"},
)
