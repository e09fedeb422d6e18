"""What can be seen of a spoiled text, and what is wrong with it.

The words of a text all differ, and none of them is among those that may be put in. So each word that comes back shows
where it comes from. Every sentence of a judge says which mistake it is, and holds no number that chance could change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.judging.comparison import describe
from grading.judging.proxies import Proxy
from grading.judging.significance import explained_by_chance

Random = np.random.RandomState

PADDING, CLS, SEP, MASK = 0, 3, 5, 8
SPECIAL_IDS = [PADDING, CLS, SEP, MASK]
FIRST_WORD, VOCABULARY_SIZE = 40, 1400
TO_DRAW = np.arange(10, 34)  # some of them ten times as likely as others
PROBABILITIES = np.zeros(VOCABULARY_SIZE)
PROBABILITIES[TO_DRAW] = 1 / (1 + 7 * np.arange(24) % 12)
PROBABILITIES[19] = 0.0
PROBABILITIES /= PROBABILITIES.sum()

# How many words stand between special tokens.
SEVERAL, MANY = (31, 1, 44, 17, 0, 29), (333, 90, 201)

# How the names of texts begin that `few_words` makes.
FEW = "few words"

Seen = dict[str, Any]


def text(random: Random, stretches: tuple[int, ...]) -> list[int]:
    """[CLS] words [SEP] words [SEP] ..., with so many words in each stretch, no two of them the same."""
    words = iter((FIRST_WORD + random.permutation(VOCABULARY_SIZE - FIRST_WORD)[: sum(stretches)]).tolist())
    return [CLS, *(number for count in stretches for number in [*(next(words) for _ in range(count)), SEP])]


def generator(implementation: Proxy, random: Random) -> Proxy:
    return implementation.make("numpy.random.default_rng", int(random.randint(1, 10**6)))


def spoiled(
    implementation: Proxy,
    given: Any,
    kind: str,
    rate: float,
    drawing: Any,
    probabilities: np.ndarray = PROBABILITIES,
    special_ids: list[int] = SPECIAL_IDS,
) -> Any:
    array = implementation.make("numpy.array", probabilities)
    return implementation(given, kind, rate, drawing, probabilities=array, mask_id=MASK, special_ids=special_ids)


def few_words(implementation: Proxy, random: Random, likely: list[int], **options: Any) -> Seen:
    """A text of two words that are likely to be drawn, each of which was substituted."""
    given = [CLS, *likely * 80, SEP]
    found = spoiled(implementation, given, "substitute", 1, generator(implementation, random), **options)
    return {"given": given, "rate": 1, "found": found}


def case(implementation: Proxy, random: Random, kind: str, rate: float, stretches: tuple[int, ...]) -> Seen:
    """A text, and what became of it."""
    given = text(random, stretches)
    return {
        "given": given,
        "rate": rate,
        "found": spoiled(implementation, given, kind, rate, generator(implementation, random)),
    }


def cases(implementation: Proxy, random: Random, kind: str, stretches: tuple[int, ...] = SEVERAL) -> dict[str, Seen]:
    """A text of such stretches at three rates each, and what became of it."""
    return {f"at a rate of {rate}": case(implementation, random, kind, rate, stretches) for rate in (0.3, 0.85, 1)}


def of_words(implementation: Proxy, random: Random, kind: str, rate: float, words: int) -> Seen:
    """A text without special tokens, and what became of it."""
    given = text(random, (words,))[1:-1]
    found = spoiled(implementation, given, kind, rate, generator(implementation, random))
    return {"given": given, "rate": rate, "found": found}


def wrong_form(found: Any) -> str | None:
    if not isinstance(found, list) or not all(isinstance(number, int | np.integer) for number in found):
        return f"returns {describe(found)}; wanted a list of ids"
    return None


def is_special(number: int) -> bool:
    return number in (PADDING, CLS, SEP)


def stretches_of(ids: list[int]) -> list[list[int]]:
    """The words between special tokens; [MASK] is one of them."""
    found: list[list[int]] = [[]]
    for number in ids:
        if is_special(number):
            found.append([])
        else:
            found[-1].append(number)
    return found


def how_many(rate: float, words: int) -> int:
    return round(rate * words)


def count_finding(found: int, wanted: int, what: str) -> str | None:
    if found == wanted:
        return None
    return f"{what} {'nothing' if not found else 'too many' if found > wanted else 'too few'}"


def common(one: Seen) -> str | None:
    """What is wrong with the form, or with the special tokens: the same for all kinds."""
    if problem := wrong_form(one["found"]):
        return problem
    given, found = ([number for number in ids if is_special(number)] for ids in (one["given"], one["found"]))
    if len(found) != len(given):
        return f"{'puts in' if len(found) > len(given) else 'loses'} special tokens"
    return "changes the order of special tokens" if found != given else None


def judge_places_kept(answers: dict[str, Seen], what: str, wrong_word: Any) -> str | None:
    """For "mask" and "substitute", where every other token stays where it was."""
    findings = []
    for name, one in answers.items():
        if problem := common(one):
            return problem
        given, found = np.array(one["given"]), np.array(one["found"])
        if len(given) != len(found):
            return f"makes a text {'longer' if len(found) > len(given) else 'shorter'}; wanted as many tokens"
        changed = given != found
        if np.isin(given[changed], SPECIAL_IDS).any():
            return "changes special tokens"
        if finding := wrong_word(given, found, changed):
            return str(finding)
        words = int((~np.isin(given, SPECIAL_IDS)).sum())
        if finding := count_finding(int(changed.sum()), how_many(one["rate"], words), what):
            findings.append(f"{finding} words {name}")
    return "; ".join(findings) or None


def judge_masks(answers: dict[str, Seen]) -> str | None:
    def wrong_word(given: np.ndarray, found: np.ndarray, changed: np.ndarray) -> str | None:
        return None if (found[changed] == MASK).all() else "puts something else than [MASK] in place of words"

    return judge_places_kept(answers, "masks", wrong_word)


# Words that are put in -------------------------------------------------------------------------------------


def judge_drawn(words: np.ndarray) -> str | None:
    """24 counts or 1,400, nearly all of which are 0 for sure: a false alarm in at most 3 of 100 million runs."""
    if (words == MASK).any():
        return "puts in [MASK]"
    if np.isin(words, SPECIAL_IDS).any():
        return "puts in special tokens as words"
    if (words >= FIRST_WORD).any() or (PROBABILITIES[words] == 0).any():
        return "puts in words whose probability is 0"
    counts = np.bincount(words, minlength=VOCABULARY_SIZE)
    if np.count_nonzero(counts) == 1:
        return "puts in one and the same word everywhere"
    if explained_by_chance(counts, len(words), PROBABILITIES):
        return None
    return "puts in some words too often and others too rarely"


def judge_substitutes(answers: dict[str, Any]) -> str | None:
    def wrong_word(given: np.ndarray, found: np.ndarray, changed: np.ndarray) -> str | None:
        return judge_drawn(found[changed])

    rest = {name: one for name, one in answers.items() if not name.startswith(FEW)}
    if finding := judge_places_kept(rest, "substitutes", wrong_word):
        return finding
    return next((wrong for name, one in answers.items() if name not in rest and (wrong := _judge_few(one))), None)


def _judge_few(few: Seen) -> str | None:
    if problem := wrong_form(few["found"]):
        return problem
    if len(few["given"]) != len(few["found"]):
        return "makes a text of few words longer or shorter"
    if (few["found"][0], few["found"][-1]) != (CLS, SEP):
        return "changes special tokens"
    same = [one == other for one, other in zip(few["given"][1:-1], few["found"][1:-1], strict=True)]
    if any(same):
        return "draws the word that stands there already, so that nothing is changed"
    return (
        None if set(few["given"][1:-1]) & set(few["found"]) else "never draws a word that stands elsewhere in the text"
    )


def judge_deleted(answers: dict[str, Seen]) -> str | None:
    findings = []
    for name, one in answers.items():
        if problem := common(one):
            return problem
        given, found = one["given"], one["found"]
        if MASK in found:
            return "puts [MASK] where words were deleted"
        if set(found) - set(given):
            return "puts in words that were not there"
        left = set(found)
        if found != [number for number in given if number in left][: len(found)]:
            return "changes the order of words"
        words = sum(not is_special(number) for number in given)
        if finding := count_finding(len(given) - len(found), how_many(one["rate"], words), "deletes"):
            findings.append(f"{finding} words {name}")
    return "; ".join(findings) or None


def judge_inserted(answers: dict[str, Seen]) -> str | None:
    findings, drawn = [], []
    for name, one in answers.items():
        if problem := common(one):
            return problem
        given, found = one["given"], one["found"]
        stood_there = set(given)
        if [number for number in found if number in stood_there] != given:
            kept = stood_there <= set(found)
            return "changes the order of words" if kept else "loses words that stood there"
        for before, after in zip(stretches_of(given), stretches_of(found), strict=True):
            if after and not before:
                return "puts words where there are none, such as before [CLS] or between two special tokens"
        words = sum(not is_special(number) for number in given)
        new = [number for number in found if number not in stood_there]
        drawn += new
        if finding := count_finding(len(new), how_many(one["rate"], words), "puts in"):
            findings.append(f"{finding} words {name}")
    return "; ".join(findings) or judge_drawn(np.array(drawn)) or _wrong_sides(answers["at a rate of 1"])


def _wrong_sides(one: Seen) -> str | None:
    """Stretches of one word: half of what is put in stands in front of it. Two counts."""
    front = behind = 0
    sizes = {len(after) for after in stretches_of(one["found"]) if after}
    if sizes == {2}:
        return "puts one word beside each; wanted each beside a random one, so that some have several"
    if max(sizes) > 20:
        return "puts all words beside a few"
    for before, after in zip(stretches_of(one["given"]), stretches_of(one["found"]), strict=True):
        if before:
            place = after.index(before[0])
            front, behind = front + place, behind + len(after) - 1 - place
    if not front or not behind:
        return f"puts words only {'behind' if behind else 'in front of'} others"
    if not explained_by_chance(front, front + behind, 0.5):
        return f"puts words more often {'behind' if behind > front else 'in front of'} others"
    return None


# Words out of order ----------------------------------------------------------------------------------------


def windows_of(ids: list[int]) -> list[list[int]]:
    return [words[start : start + 3] for words in stretches_of(ids) for start in range(0, len(words), 3)]


def judge_reordered(answers: dict[str, Any]) -> str | None:
    findings = []
    # At a low rate, those windows may be left alone in which special tokens are, or which reach over them.
    for one in answers["long texts"].values():
        given, found = one["given"], one["found"]
        if problem := common(one):
            return problem
        if sorted(found) != sorted(given):
            return "loses words, or doubles them"
        if list(map(is_special, found)) != list(map(is_special, given)):
            return "moves special tokens"
    for name, one in answers["long texts"].items():
        given, found = one["given"], one["found"]
        for before, after in zip(stretches_of(given), stretches_of(found), strict=True):
            if sorted(before) != sorted(after):
                return "moves words over special tokens"
        pairs = list(zip(windows_of(given), windows_of(found), strict=True))
        if any(sorted(before) != sorted(after) for before, after in pairs):
            return _out_of_windows(given, found)
        changed = sum(before != after for before, after in pairs)
        allowed = how_many(one["rate"], len(pairs))
        if changed > allowed:
            findings.append(f"changes too many windows {name}")
        elif finding := _wrong_orders([(before, after) for before, after in pairs if len(before) == 3], one["rate"]):
            findings.append(f"{finding} {name}")
    return "; ".join(findings) or _wrong_windows(answers["short texts"])


def _wrong_windows(several: list[Seen]) -> str | None:
    """Of two windows one is chosen, and stays as it was once in six: no false alarm in 10^17 runs."""
    changed = [
        [before != after for before, after in zip(windows_of(one["given"]), windows_of(one["found"]), strict=True)]
        for one in several
    ]
    if max(map(sum, changed)) > 1:
        return "changes too many windows of a short text"
    return None if np.any(changed, axis=0).all() else "never changes some windows of a short text"


def _out_of_windows(given: list[int], found: list[int]) -> str:
    place = {number: index for index, number in enumerate(given)}
    furthest = max(abs(place[number] - index) for index, number in enumerate(found) if not is_special(number))
    return f"moves words out of their windows{', and far away' if furthest > 4 else ''}"


def _wrong_orders(pairs: list[tuple[list[int], list[int]]], rate: float) -> str | None:
    """Six orders, each as likely: six counts, in which windows that were not chosen stay as they were."""
    orders = [tuple(before.index(number) for number in after) for before, after in pairs]
    counts = {order: orders.count(order) for order in set(orders)}
    same = counts.pop((0, 1, 2), 0)
    if not counts:
        return "changes nothing"
    all_orders = [(0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    total = len(orders)
    if len(counts) == 1:
        return "puts the words of all windows into one and the same order"
    if not explained_by_chance(same, total, 1 - rate * 5 / 6):
        return f"leaves windows as they were too {'often' if same / total > 1 - rate * 5 / 6 else 'rarely'}"
    if any(not explained_by_chance(counts.get(order, 0), total, rate / 6) for order in all_orders):
        return "puts words into some orders more often than into others"
    return None


# Nothing, and again ----------------------------------------------------------------------------------------


def judge_unchanged(answers: dict[str, Any]) -> str | None:
    """Of 18 windows that are reordered, at least 17 of three words, all stay as they were once in 10^13 runs."""
    for kind, (given, first, spoiled, again) in answers.items():
        if problem := wrong_form(first) or wrong_form(spoiled) or wrong_form(again):
            return problem
        if first != given:
            return f"changes a text at rate 0, with {kind}"
        if again != given:
            return f"changes the list that it was given, with {kind}"
        if spoiled == given:
            return f"changes nothing at a rate of 0.5 either, with {kind}"
    return None


def judge_places(answers: dict[str, Any]) -> str | None:
    """Four counts, so a false alarm in at most one of 100 million runs."""
    for one in answers["calls"]:
        if problem := common(one):
            return problem
    texts = [tuple(one["found"]) for one in answers["calls"]]
    if all(set(found[1 : 1 + found.count(MASK)]) == {MASK} for found in texts):
        return "concerns the first words of the text"
    if len(set(texts)) < len(texts):
        return "concerns the same words at each call with the same generator"
    for kind, (one, other) in answers["same seed"].items():
        if one != other:
            return f"gives other texts of kind {kind!r} though the generator starts from the same seed"
    counts, total = np.zeros(4), 0
    for one in answers["calls"]:
        places = [index for index, number in enumerate(one["found"]) if number == MASK]
        total += len(places)
        for place in places:
            counts[min(3, (place - 1) * 4 // (len(one["given"]) - 2))] += 1
    if not explained_by_chance(counts, total, 0.25):
        return "concerns words in one part of the text more often than in others"
    return None
