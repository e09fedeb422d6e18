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
    "Words are counted instead of names: half a name is half right.",
    hint="A name is right as a whole, or wrong. Compare what entities_of gives.",
    change={
        NAME: "(number, word, entity[2])",
        f"for entity in {NAMES}": f"for entity in {NAMES} for word in range(entity[0], entity[1])",
    },
)
scoring.mistake(
    "outside_counts",
    "O is counted as if it were a name.",
    hint="Most words are no names, and to say so of them is easy. Whoever says O everywhere must get 0.",
    change={NAMES: f'{NAMES} + [(word, word + 1, "O") for word, tag in enumerate(tags) if tag == "O"]'},
)
scoring.mistake(
    "kind_not_compared",
    "The kind is not compared: a person that was taken for a place is right.",
    hint="Both ends and the kind must agree.",
    change={RATES: "**_rates({entity[:-1] for entity in kept}, {entity[:-1] for entity in found})"},
)
scoring.mistake(
    "ends_not_compared",
    "Only the first words are compared: a name that is too long or too short is right.",
    hint="A name has two ends.",
    change={NAME: "(number, entity[0], entity[2])"},
)
scoring.mistake(
    "overlap_counts",
    "A name is right if it overlaps with a true one of its kind.",
    hint="Both ends must agree. Half a name is none.",
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
    "The sentence of a name is forgotten: names at the same place in two sentences are one.",
    hint="Put the number of the sentence to each name before you count.",
    change={NAME: "entity"},
)
scoring.mistake(
    "mean_of_sentences",
    "Precision, recall and F1 are means over the sentences.",
    hint="A sentence with one name now weighs as much as one with ten. Count first, over all, and then divide.",
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
    "Precision, recall and F1 are means over the kinds: macro, and not micro.",
    hint="A kind with two names now weighs as much as one with a hundred. That mean is asked for as macro_f1 alone.",
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
    "macro_f1 is F1 over all names.",
    hint="Macro is the mean of the kinds' F1, in which a rare kind counts as much as a frequent one.",
    change={'"macro_f1": macro': '"macro_f1": _rates(kept, found)["f1"]'},
)
scoring.mistake(
    "arithmetic_mean",
    "F1 is the arithmetic mean of precision and recall.",
    hint="Who calls everything a name has a recall of 1. What should F1 be then?",
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
    "Precision and recall are exchanged.",
    hint="Precision is a share of what was found, recall a share of what is there.",
    change={"precision, recall =": "recall, precision ="},
)
scoring.mistake(
    "true_kinds_only",
    "Kinds that are only found, and never true, are left out.",
    hint="Whoever invents a kind has F1 0 in it. Take the kinds of both sides.",
    change={"for entity in kept | found": "for entity in kept"},
)
scoring.mistake(
    "not_a_number",
    "Where nothing is divided by nothing, it is NaN.",
    hint="A model that finds no name at all is no error. What is its precision?",
    change={RATES: RATES + ', **({} if found else {"precision": np.nan, "f1": np.nan})'},
)
scoring.mistake(
    "one_for_nothing",
    "Where nothing is divided by nothing, it is 1.",
    hint="Nothing was found, so nothing that was found is right.",
    change={RATES: RATES + ', **({} if found else {"precision": 1.0})'},
)
scoring.mistake(
    "strict_ignored",
    "`strict` is not handed on: stray I- always begin names.",
    hint="entities_of takes it. Do you pass it?",
    change={NAMES: "entities_of(tags)"},
)
scoring.mistake(
    "strict_on_one_side",
    "`strict` holds for what was found only, and not for what is true.",
    hint="Both sides are read by the same rules.",
    change={NAMES: "entities_of(tags, strict and sentences is predicted)"},
)
scoring.mistake(
    "one_long_sentence",
    "All sentences are read as one: a name goes on from the end of one sentence into the next.",
    hint="An I- at the beginning of a sentence has nothing to go on with. Read the names of each sentence by itself.",
    change={"enumerate(sentences)": "enumerate([[tag for tags in sentences for tag in tags]])"},
)
