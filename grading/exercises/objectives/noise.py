"""Judge a noisy text: what it shows, and what is wrong with it.

The words of most texts all differ, and none of them is among those that may be drawn. So each word of the result shows
where it comes from. The sentences of a judge identify mistakes, so they contain no number that varies with the seed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from grading.judging.comparison import describe
from grading.judging.proxies import Proxy
from grading.judging.significance import explained_by_chance
from grading.messages import Message, in_turn

Random = np.random.RandomState

PADDING, CLS, SEP, MASK = 0, 3, 5, 8
SPECIAL_IDS = [PADDING, CLS, SEP, MASK]
FIRST_WORD, VOCABULARY_SIZE = 40, 1400
TO_DRAW = np.arange(10, 34)  # some of them ten times as likely as others
PROBABILITIES = np.zeros(VOCABULARY_SIZE)
PROBABILITIES[TO_DRAW] = 1 / (1 + 7 * np.arange(24) % 12)
PROBABILITIES[19] = 0.0
PROBABILITIES /= PROBABILITIES.sum()

# Numbers of words between special tokens.
SEVERAL, MANY = (31, 1, 44, 17, 0, 29), (333, 90, 201)

# The names of texts from `few_words` and `one_likely_word`.
FEW, FEW_WITH_0, ALIKE = "few words", "few words, one of which has the id 0", "one likely word"
# The names of other texts: one in which a half is rounded to the even number, and three with the same words.
REPEATING = Message("in a text that repeats its words")
HALF = Message("at a rate of 0.5, in a text of 45 words")
CALLS = Message("at a rate of 1"), Message("at a rate of 1, a second time"), Message("at a rate of 1, a third time")

Seen = dict[str, Any]


class Counted(NamedTuple):
    """What is said of wrong numbers of words; each with a place for `where`.

    Attributes:
        nothing: if there are none.
    """

    nothing: Message
    too_few: Message
    too_many: Message


MASKS = Counted(
    Message("masks nothing {where}"),
    Message("masks too few words {where}"),
    Message("masks too many words {where}"),
)
SUBSTITUTES = Counted(
    Message("substitutes nothing {where}"),
    Message("substitutes too few words {where}"),
    Message("substitutes too many words {where}"),
)
DELETES = Counted(
    Message("deletes nothing {where}"),
    Message("deletes too few words {where}"),
    Message("deletes too many words {where}"),
)
INSERTS = Counted(
    Message("inserts nothing {where}"),
    Message("inserts too few words {where}"),
    Message("inserts too many words {where}"),
)


def text(random: Random, stretches: tuple[int, ...]) -> list[int]:
    """Return [CLS] words [SEP] words [SEP] ..., with the given numbers of words in the stretches, all different."""
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
    found = implementation(given, kind, rate, drawing, probabilities=array, mask_id=MASK, special_ids=special_ids)
    return [_plain(number) for number in found] if isinstance(found, list) else found


def _plain(number: Any) -> Any:
    """Return NumPy's integers, which come as arrays without an axis, as those of Python."""
    is_integer = isinstance(number, np.ndarray) and number.ndim == 0 and number.dtype.kind in "iu"
    return int(number) if is_integer else number


def few_words(implementation: Proxy, random: Random, likely: list[int], **options: Any) -> Seen:
    """Return a text of two words that are likely to be drawn, and the text after all of them were substituted."""
    given = [CLS, *likely * 80, SEP]
    result = spoiled(implementation, given, "substitute", 1, generator(implementation, random), **options)
    return {"given": given, "rate": 1, "found": result}


def one_likely_word(implementation: Proxy, random: Random) -> Seen:
    """Return a text of one word, which is drawn nine times in ten, and the text after it was substituted everywhere."""
    word, *others = random.choice(TO_DRAW[::2], 3, replace=False).tolist()
    probabilities = np.zeros(VOCABULARY_SIZE)
    probabilities[[word, *others]] = 0.9, 0.07, 0.03
    given = [CLS, *[word] * 1200, SEP]
    found = spoiled(implementation, given, "substitute", 1, generator(implementation, random), probabilities)
    return {"given": given, "rate": 1, "found": found, "others": others}


def case(implementation: Proxy, random: Random, kind: str, rate: float, stretches: tuple[int, ...]) -> Seen:
    """Return a text and its noisy version."""
    given = text(random, stretches)
    return {
        "given": given,
        "rate": rate,
        "found": spoiled(implementation, given, kind, rate, generator(implementation, random)),
    }


def repeating(implementation: Proxy, random: Random, kind: str) -> dict[str, Seen]:
    """Return a text that has each of three words many times, and its noisy version."""
    given = [CLS, *text(random, (3,))[1:-1] * 13, SEP]
    found = spoiled(implementation, given, kind, 0.3, generator(implementation, random))
    return {REPEATING: {"given": given, "rate": 0.3, "found": found}}


def cases(implementation: Proxy, random: Random, kind: str, stretches: tuple[int, ...] = SEVERAL) -> dict[str, Seen]:
    """Return texts of these stretches and their noisy versions at three rates."""
    return {
        Message("at a rate of {rate}", rate=rate): case(implementation, random, kind, rate, stretches)
        for rate in (0.3, 0.85, 1)
    }


def of_words(implementation: Proxy, random: Random, kind: str, rate: float, words: int) -> Seen:
    """Return a text without special tokens and its noisy version."""
    given = text(random, (words,))[1:-1]
    result = spoiled(implementation, given, kind, rate, generator(implementation, random))
    return {"given": given, "rate": rate, "found": result}


def wrong_form(found: Any) -> str | None:
    if not isinstance(found, list) or not all(isinstance(number, int | np.integer) for number in found):
        return Message("returns {found}; wanted a list of ids", found=describe(found))
    return None


def is_special(number: int) -> bool:
    return number in (PADDING, CLS, SEP)


def stretches_of(ids: list[int]) -> list[list[int]]:
    """Return the words between special tokens; [MASK] counts as a word."""
    stretches: list[list[int]] = [[]]
    for number in ids:
        if is_special(number):
            stretches.append([])
        else:
            stretches[-1].append(number)
    return stretches


def how_many(rate: float, words: int) -> int:
    return round(rate * words)


def count_finding(found: int, wanted: int, counted: Counted, where: str) -> Message | None:
    if found == wanted:
        return None
    said = counted.nothing if not found else counted.too_many if found > wanted else counted.too_few
    return Message.of_parts(said, "", {"where": where})


def common(sample: Seen) -> str | None:
    """Return what is wrong with the form or the special tokens, for noise of any kind."""
    if problem := wrong_form(sample["found"]):
        return problem
    given, found = ([number for number in ids if is_special(number)] for ids in (sample["given"], sample["found"]))
    if len(found) != len(given):
        longer = len(found) > len(given)
        return Message("inserts special tokens") if longer else Message("loses special tokens")
    return Message("changes the order of special tokens") if found != given else None


def judge_places_kept(answers: dict[str, Seen], counted: Counted, wrong_word: Any) -> str | None:
    """Judge "mask" and "substitute", which leave all other tokens in place."""
    findings = []
    for name, sample in answers.items():
        if problem := common(sample):
            return problem
        given, found = np.array(sample["given"]), np.array(sample["found"])
        if len(given) != len(found):
            if len(found) > len(given):
                return Message("makes a text longer; wanted as many tokens")
            return Message("makes a text shorter; wanted as many tokens")
        changed = given != found
        if np.isin(given[changed], SPECIAL_IDS).any():
            return Message("changes special tokens")
        if finding := wrong_word(given, found, changed):
            return str(finding)
        words = int((~np.isin(given, SPECIAL_IDS)).sum())
        if finding := count_finding(int(changed.sum()), how_many(sample["rate"], words), counted, name):
            findings.append(finding)
    return in_turn(findings) if findings else None


def judge_masks(answers: dict[str, Seen]) -> str | None:
    def wrong_word(given: np.ndarray, found: np.ndarray, changed: np.ndarray) -> str | None:
        return None if (found[changed] == MASK).all() else Message("replaces words by something other than [MASK]")

    return judge_places_kept(answers, MASKS, wrong_word)


# Words that are put in -------------------------------------------------------------------------------------


def judge_drawn(words: np.ndarray) -> str | None:
    """Judge 24 counts, or 1,400 of which nearly all must be 0: a false alarm in at most 3 of 100 million runs."""
    if (words == MASK).any():
        return Message("inserts [MASK]")
    if np.isin(words, SPECIAL_IDS).any():
        return Message("inserts special tokens as words")
    if (words >= FIRST_WORD).any() or (PROBABILITIES[words] == 0).any():
        return Message("inserts words whose probability is 0")
    counts = np.bincount(words, minlength=VOCABULARY_SIZE)
    if np.count_nonzero(counts) == 1:
        return Message("inserts the same word everywhere")
    if explained_by_chance(counts, len(words), PROBABILITIES):
        return None
    if explained_by_chance(counts, len(words), (PROBABILITIES > 0) / np.count_nonzero(PROBABILITIES)):
        return Message("inserts all words equally often whose probability is not 0")
    return Message("inserts some words too often and others too rarely")


def judge_substitutes(answers: dict[str, Any]) -> str | None:
    def wrong_word(given: np.ndarray, found: np.ndarray, changed: np.ndarray) -> str | None:
        return judge_drawn(found[changed])

    few = {name: sample for name, sample in answers.items() if name in (FEW, FEW_WITH_0)}
    rest = {name: sample for name, sample in answers.items() if name not in (*few, ALIKE)}
    if finding := judge_places_kept(rest, SUBSTITUTES, wrong_word):
        return finding
    return next(filter(None, map(_judge_few, few.values())), None) or _judge_others(answers[ALIKE])


def _judge_few(few: Seen) -> str | None:
    if problem := wrong_form(few["found"]):
        return problem
    if len(few["given"]) != len(few["found"]):
        return Message("makes a text of few words longer or shorter")
    if (few["found"][0], few["found"][-1]) != (CLS, SEP):
        return Message("changes special tokens")
    same = [before == after for before, after in zip(few["given"][1:-1], few["found"][1:-1], strict=True)]
    if any(same):
        return Message("draws the word that is already there, which changes nothing")
    return (
        None
        if set(few["given"][1:-1]) & set(few["found"])
        else Message("never draws a word that is elsewhere in the text")
    )


def _judge_others(sample: Seen) -> str | None:
    """Judge which of two words is put in place of a third, which is likelier than both. One count."""
    if problem := common(sample):
        return problem
    words, (likely, rare) = sample["found"][1:-1], sample["others"]
    if sample["given"][1] in words:
        return Message("draws the word that is already there, which changes nothing")
    if set(words) <= {likely, rare} and explained_by_chance(words.count(likely), len(words), 0.7):
        return None
    return Message("draws other words than by their probability where the word that is already there is likely")


def judge_deleted(answers: dict[str, Seen]) -> str | None:
    findings = []
    for name, sample in answers.items():
        if problem := common(sample):
            return problem
        given, found = sample["given"], sample["found"]
        if MASK in found:
            return Message("puts [MASK] where words were deleted")
        if set(found) - set(given):
            return Message("inserts words")
        rest = iter(given)
        if not all(number in rest for number in found):
            return Message("changes the order of words")
        words = sum(not is_special(number) for number in given)
        if finding := count_finding(len(given) - len(found), how_many(sample["rate"], words), DELETES, name):
            findings.append(finding)
    return in_turn(findings) if findings else None


def judge_inserted(answers: dict[str, Seen]) -> str | None:
    findings: list[Message] = []
    drawn: list[int] = []
    for name, sample in answers.items():
        if problem := common(sample):
            return problem
        given, found = sample["given"], sample["found"]
        originals = set(given)
        if [number for number in found if number in originals] != given:
            kept = originals <= set(found)
            return Message("changes the order of words") if kept else Message("loses original words")
        for before, after in zip(stretches_of(given), stretches_of(found), strict=True):
            if after and not before:
                return Message(
                    "inserts words where no word is adjacent, such as before [CLS] or between two special tokens"
                )
        words = sum(not is_special(number) for number in given)
        new = [number for number in found if number not in originals]
        drawn += new
        if finding := count_finding(len(new), how_many(sample["rate"], words), INSERTS, name):
            findings.append(finding)
    if findings:
        return in_turn(findings)
    calls = [answers[name] for name in CALLS]
    if problem := judge_drawn(np.array(drawn)) or _wrong_sides(calls[0]):
        return problem
    repeating = answers[REPEATING]
    if repeating["found"][-36:] == repeating["given"][-36:]:
        return Message("inserts words only next to the first of several equal words")
    return _next_to_new(calls)


def _next_to_new(samples: list[Seen]) -> str | None:
    """Judge how many of the words, drawn as often as there are words, were never drawn. One count."""
    sizes = [len(after) for sample in samples for after in stretches_of(sample["found"]) if after]
    words = len(sizes) // len(samples)
    if explained_by_chance(sizes.count(1), len(sizes), (1 - 1 / words) ** words):
        return None
    return Message("inserts words next to inserted ones, or not next to each word equally often")


def _wrong_sides(sample: Seen) -> str | None:
    """Judge stretches of one word, before which half of the insertions belong. Two counts."""
    front = behind = 0
    sizes = {len(after) for after in stretches_of(sample["found"]) if after}
    if sizes == {2}:
        return Message("inserts one word next to each; wanted each next to a random one, so that some get several")
    if max(sizes) > 20:
        return Message("inserts all words next to a few")
    for before, after in zip(stretches_of(sample["given"]), stretches_of(sample["found"]), strict=True):
        if before:
            place = after.index(before[0])
            front, behind = front + place, behind + len(after) - 1 - place
    if not front or not behind:
        return Message("inserts words only after others") if behind else Message("inserts words only before others")
    if explained_by_chance(front, front + behind, 0.5):
        return None
    if behind > front:
        return Message("inserts words more often after others")
    return Message("inserts words more often before others")


# Words out of order ----------------------------------------------------------------------------------------


def windows_of(ids: list[int]) -> list[list[int]]:
    return [words[start : start + 3] for words in stretches_of(ids) for start in range(0, len(words), 3)]


def judge_reordered(answers: dict[str, Any]) -> str | None:
    findings = []
    # At a low rate, a text may happen to keep the windows that contain or cross special tokens.
    for sample in (*answers["long texts"].values(), answers["pairs"]):
        given, found = sample["given"], sample["found"]
        if problem := common(sample):
            return problem
        if sorted(found) != sorted(given):
            return Message("loses or repeats words")
        if list(map(is_special, found)) != list(map(is_special, given)):
            return Message("moves special tokens")
    for name, sample in answers["long texts"].items():
        given, found = sample["given"], sample["found"]
        for before, after in zip(stretches_of(given), stretches_of(found), strict=True):
            if sorted(before) != sorted(after):
                return Message("moves words across special tokens")
        pairs = list(zip(windows_of(given), windows_of(found), strict=True))
        if any(sorted(before) != sorted(after) for before, after in pairs):
            return _out_of_windows(given, found)
        changed = sum(before != after for before, after in pairs)
        allowed = how_many(sample["rate"], len(pairs))
        if changed > allowed:
            findings.append(Message("changes too many windows {where}", where=name))
        else:
            whole = [(before, after) for before, after in pairs if len(before) == 3]
            if finding := _wrong_orders(whole, sample["rate"], name):
                findings.append(finding)
    if findings:
        return in_turn(findings)
    return _wrong_pairs(answers["pairs"]) or next(filter(None, map(_wrong_windows, answers["short texts"])), None)


def _wrong_windows(several: list[Seen]) -> str | None:
    """Judge 80 texts: each window of three changes 5 times in 18, or oftener. A false alarm in one of 10^11 runs."""
    changed = [
        [
            before != after
            for before, after in zip(windows_of(sample["given"]), windows_of(sample["found"]), strict=True)
        ]
        for sample in several
    ]
    windows = windows_of(several[0]["given"])
    if max(map(sum, changed)) > how_many(several[0]["rate"], len(windows)):
        return Message("changes too many windows of a short text")
    can_change = [len(window) > 1 for window in windows]
    if np.any(changed, axis=0)[can_change].all():
        return None
    return Message(
        "never changes some of {number} windows at a rate of {rate}", number=len(windows), rate=several[0]["rate"]
    )


def _wrong_pairs(sample: Seen) -> str | None:
    """Judge stretches of two words, all chosen, which stay in order half of the time. One count."""
    pairs = list(zip(windows_of(sample["given"]), windows_of(sample["found"]), strict=True))
    if any(sorted(before) != sorted(after) for before, after in pairs):
        return Message("moves words across special tokens")
    changed = sum(before != after for before, after in pairs)
    if explained_by_chance(changed, len(pairs), 0.5):
        return None
    if not changed:
        return Message("never reorders a window of two words")
    if changed < len(pairs) / 2:
        return Message("leaves windows of two words in order too often")
    return Message("leaves windows of two words in order too rarely")


def _out_of_windows(given: list[int], found: list[int]) -> Message:
    place = {number: index for index, number in enumerate(given)}
    furthest = max(abs(place[number] - index) for index, number in enumerate(found) if not is_special(number))
    if furthest > 4:
        return Message("moves words out of their windows, and far away")
    return Message("moves words out of their windows")


def _wrong_orders(pairs: list[tuple[list[int], list[int]]], rate: float, where: str) -> Message | None:
    """Judge six equally likely orders: six counts. Windows that were not chosen stay in order."""
    orders = [tuple(before.index(number) for number in after) for before, after in pairs]
    counts = {order: orders.count(order) for order in set(orders)}
    same = counts.pop((0, 1, 2), 0)
    if not counts:
        return Message("changes nothing {where}", where=where)
    all_orders = [(0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    total = len(orders)
    if len(counts) == 1:
        return Message("puts the words of all windows into the same order {where}", where=where)
    if not explained_by_chance(same, total, 1 - rate * 5 / 6):
        if same / total > 1 - rate * 5 / 6:
            return Message("leaves windows in order too often {where}", where=where)
        return Message("leaves windows in order too rarely {where}", where=where)
    if any(not explained_by_chance(counts.get(order, 0), total, rate / 6) for order in all_orders):
        return Message("puts words into some orders more often than into others {where}", where=where)
    return None


# Rate 0, and seeds -----------------------------------------------------------------------------------------


def judge_unchanged(answers: dict[str, Any]) -> str | None:
    """Judge rates 0 and 0.5: 18 reordered windows, 17 or more of three words, all stay in order once in 10^13 runs."""
    for kind, (given, first, spoiled, again) in answers["texts"].items():
        if problem := wrong_form(first) or wrong_form(spoiled) or wrong_form(again):
            return problem
        if first != given:
            return Message("changes a text at rate 0, with {kind}", kind=kind)
        if again != given:
            return Message("changes the given list, with {kind}", kind=kind)
        if spoiled == given:
            return Message("changes nothing even at a rate of 0.5, with {kind}", kind=kind)
    for case, (given, found) in answers["too little"].items():
        if problem := wrong_form(found):
            return problem
        if found != given:
            return Message("changes something {case}", case=case)
    return None


def judge_places(answers: dict[str, Any]) -> str | None:
    """Judge four counts for each of three kinds, so a false alarm in at most three of 100 million runs."""
    for kind, calls in answers["calls"].items():
        if finding := next(filter(None, map(common, calls)), None):
            return finding
        if finding := _judge_changed(kind, [_changed(sample) for sample in calls], len(calls[0]["given"]) - 2):
            return finding
    for kind, (first, second) in answers["same seed"].items():
        if first != second:
            return Message("returns different texts of kind {kind} for generators with the same seed", kind=kind)
    return None


def _changed(sample: Seen) -> list[int]:
    """Return the places of the words that are gone: all words of a text differ, and none of them is put in."""
    left = set(sample["found"])
    return [place for place, number in enumerate(sample["given"]) if number not in left]


def _judge_changed(kind: str, calls: list[list[int]], words: int) -> str | None:
    if all(places and places == list(range(1, 1 + len(places))) for places in calls):
        return Message("changes the first words of the text instead of random ones, with {kind}", kind=kind)
    if len(set(map(tuple, calls))) < len(calls):
        return Message("changes the same words at each call with the same generator, with {kind}", kind=kind)
    quarters = np.concatenate(calls).astype("int64") - 1
    counts = np.bincount(np.minimum(3, quarters * 4 // words), minlength=4)
    if not explained_by_chance(counts, len(quarters), 0.25):
        return Message("changes words in one part of the text more often than in others, with {kind}", kind=kind)
    return None
