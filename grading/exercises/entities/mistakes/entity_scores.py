"""What goes wrong in entity_scores."""

from __future__ import annotations

from grading.exercises.entities.checks import scoring

NAME = "(number, *entity)"
NAMES = "entities_of(tags, strict)"
BY_KIND = "kinds = {}"
RATES = "**_rates(kept, found)"
RETURNED = "return {" + RATES

scoring.mistake(
    "by_words",
    "Words are counted instead of names, so half a name is half right.",
    hint="A name is right or wrong as a whole. Compare the results of entities_of.",
    change={
        NAME: "(number, word, entity[2])",
        f"for entity in {NAMES}": f"for entity in {NAMES} for word in range(entity[0], entity[1])",
    },
)
scoring.mistake(
    "outside_counts",
    "O counts as a name.",
    hint="Most words are no names, and that is easy to predict. A model that predicts only O should score 0.",
    change={NAMES: f'{NAMES} + [(word, word + 1, "O") for word, tag in enumerate(tags) if tag == "O"]'},
)
scoring.mistake(
    "kind_not_compared",
    "The kind is not compared: a person found as a place counts as right.",
    hint="Both ends and the kind must agree.",
    change={RATES: "**_rates({entity[:-1] for entity in kept}, {entity[:-1] for entity in found})"},
)
scoring.mistake(
    "ends_not_compared",
    "Only the first words are compared, so a name that is too long or too short counts as right.",
    hint="A name has two ends.",
    change={NAME: "(number, entity[0], entity[2])"},
)
scoring.mistake(
    "overlap_counts",
    "A name counts as right if it overlaps a true name of its kind.",
    hint="Both ends must agree. Half a name does not count.",
    change={
        BY_KIND: """
            def partner(entity):
                number, first, last, kind = entity
                near = (one for one in sorted(kept) if one[0] == number and one[3] == kind)
                return next((one for one in near if one[1] < last and first < one[2]), entity)

            found = set(map(partner, found))
            kinds = {}
        """
    },
)
scoring.mistake(
    "sentences_mixed",
    "The sentence of a name is ignored, so names at the same place of two sentences count as one.",
    hint="Add the number of the sentence to each name before you count.",
    change={NAME: "entity"},
)
scoring.mistake(
    "mean_of_sentences",
    "Precision, recall and F1 are averaged over the sentences.",
    hint="A sentence with one name then weighs as much as one with ten. Count over all sentences first, then divide.",
    change={
        RETURNED: """
            each = [
                _rates(*({entity for entity in entities if entity[0] == number} for entities in (kept, found)))
                for number in range(len(true))
            ]
            means = {name: sum(rates[name] for rates in each) / len(each) for name in each[0]}
            return {**means
        """
    },
)
scoring.mistake(
    "macro_for_micro",
    "Precision, recall and F1 are averaged over the kinds: macro instead of micro.",
    hint="A kind with two names then weighs as much as one with a hundred. Only macro_f1 is that mean.",
    change={
        RETURNED: """
            names = ("precision", "recall", "f1")
            means = {name: sum(rates[name] for rates in kinds.values()) / max(len(kinds), 1) for name in names}
            return {**means
        """
    },
)
scoring.mistake(
    "micro_for_macro",
    "macro_f1 is the F1 of all names together.",
    hint="Macro F1 is the mean of the kinds' F1: a rare kind counts as much as a frequent one.",
    change={'"macro_f1": macro': '"macro_f1": _rates(kept, found)["f1"]'},
)
scoring.mistake(
    "macro_of_true_kinds",
    "macro_f1 leaves out the kinds that have no true name, though their F1 of 0 counts.",
    hint="A model that invents a kind finds names of it. Is that kind in your mean?",
    change={
        "macro = sum(": """
            whole, kinds = kinds, {kind: rates for kind, rates in kinds.items() if rates["true"]}
            macro = sum(
        """,
        '"kinds": kinds}': '"kinds": whole}',
    },
)
scoring.mistake(
    "arithmetic_mean",
    "F1 is the arithmetic mean of precision and recall.",
    hint="A model that finds every true name, among a thousand wrong ones, has a recall of 1. What should its F1 be?",
    change={
        RETURNED: """
            rates = _rates(kept, found)
            rates["f1"] = (rates["precision"] + rates["recall"]) / 2
            return {**rates
        """
    },
)
scoring.mistake(
    "exchanged",
    "Precision and recall are swapped.",
    hint="Precision is a share of the found names, recall a share of the true names.",
    change={"precision, recall =": "recall, precision ="},
)
scoring.mistake(
    "true_kinds_only",
    "Kinds that are found but never true are left out.",
    hint="A kind that a model invents has an F1 of 0. Take the kinds of both sides.",
    change={"for entity in kept | found": "for entity in kept"},
)
scoring.mistake(
    "not_a_number",
    "0 divided by 0 gives NaN.",
    hint="A model may find no name at all. Which precision does the docstring give it then?",
    change={RATES: RATES + ', **({} if found else {"precision": np.nan, "f1": np.nan})'},
)
scoring.mistake(
    "one_for_nothing",
    "0 divided by 0 gives 1.",
    hint="No name was found. How much of that is right?",
    change={RATES: RATES + ', **({} if found else {"precision": 1.0})'},
)
scoring.mistake(
    "strict_ignored",
    "`strict` is not passed on: stray I- always begin names.",
    hint="entities_of takes it. Do you pass it on?",
    change={NAMES: "entities_of(tags)"},
)
scoring.mistake(
    "strict_on_one_side",
    "`strict` applies only to the found names, not to the true ones.",
    hint="The same rules apply to both sides.",
    change={NAMES: "entities_of(tags, strict and sentences is predicted)"},
)
scoring.mistake(
    "one_long_sentence",
    "All sentences are read as one, so a name can continue into the next sentence.",
    hint="An I- at the beginning of a sentence continues nothing. Read each sentence separately.",
    change={"enumerate(sentences)": "enumerate([[tag for tags in sentences for tag in tags]])"},
)
scoring.mistake(
    "kinds_of_tags",
    "With `strict`, a kind that only stray I- tags have counts with an F1 of 0, and lowers macro_f1.",
    hint="With `strict`, a stray I- is in no name. Where do your kinds come from?",
    change={
        "{entity[-1] for entity in kept | found}": (
            '{tag_parts(tag)[1] for tags in [*true, *predicted] for tag in tags if tag != "O"}'
        )
    },
)
