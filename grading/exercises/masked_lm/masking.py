"""Observations of a corruption, and judges that say what is wrong with it.

The words of the texts differ from those that may replace them, so that each selected word shows what happened to it.
A judge's sentence identifies the mistake, and contains no number that chance could change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grading.judging.proxies import Proxy
from grading.judging.significance import explained_by_chance
from grading.messages import Message, all_of, enumerated

Random = np.random.RandomState

VOCABULARY_SIZE, LENGTH = 59, 61
PADDING, UNKNOWN, CLS, SEP, MASK = 0, 7, 11, 13, 17
SPECIAL_IDS = (PADDING, UNKNOWN, CLS, SEP, MASK)  # a tuple, like those of a `Vocabulary`
WORDS_OF_TEXTS = [word for word in range(30) if word not in SPECIAL_IDS]
# Ids 30 to 57 may replace words; some are twenty times as likely as others, and neighbours differ.
WORDS_TO_DRAW = np.arange(30, 58)
PROBABILITIES = np.zeros(VOCABULARY_SIZE)
PROBABILITIES[WORDS_TO_DRAW] = 1 / (1 + 13 * np.arange(28) % 28)
PROBABILITIES[41] = 0.0
PROBABILITIES /= PROBABILITIES.sum()

# A threshold and a rank select different words if two random numbers of a row are equal, so one row in a hundred may
# be off. With float32 numbers that happens to about one row in 100,000.
_ROWS_THAT_MAY_BE_OFF = 0.01

Seen = dict[str, Any] | str  # a string says what is wrong with the form of the answer


def texts(random: Random, rows: int) -> np.ndarray:
    """[CLS] words [SEP] words [SEP] padding, of all lengths; an [UNK] here and there.

    One row is all padding, and one in ten is all words.
    """
    token_ids = random.choice(WORDS_OF_TEXTS, (rows, LENGTH)).astype("int32")
    token_ids[random.uniform(size=token_ids.shape) < 0.02] = UNKNOWN
    ends = random.randint(3, LENGTH, rows)
    token_ids[np.arange(LENGTH) > ends[:, None]] = PADDING
    token_ids[np.arange(rows), ends] = SEP
    token_ids[np.arange(rows), random.randint(2, ends)] = SEP
    token_ids[:, 0] = CLS
    token_ids[rows // 2] = PADDING
    token_ids[: rows // 10] = random.choice(WORDS_OF_TEXTS, (rows // 10, LENGTH))
    return token_ids


def options(implementation: Proxy, random: Random) -> dict[str, Any]:
    """The arguments other than the texts."""
    return {
        "unigram_probabilities": implementation.make("numpy.array", PROBABILITIES),
        "mask_id": MASK,
        "special_ids": SPECIAL_IDS,
        "seed": implementation.make("keras.random.SeedGenerator", int(random.randint(1, 10**6))),
    }


def wrong_form(answer: Any, token_ids: np.ndarray) -> str | None:
    """What is wrong with an answer other than (integers, booleans) of the texts' shape, or None."""
    if not isinstance(answer, list | tuple) or len(answer) != 2:
        return Message("does not return two values; wanted the corrupted ids, and which were selected")
    names = (Message("the corrupted ids"), Message("which were selected"))
    for name, array, kinds in zip(names, answer, ("iu", "b"), strict=True):
        wanted = Message("booleans") if kinds == "b" else Message("integers")
        if not isinstance(array, np.ndarray):
            return Message("returns no array for {name}", name=name)
        if array.shape != token_ids.shape:
            return Message(
                "returns {name} in shape {shape}; wanted {shape_2}",
                name=name,
                shape=array.shape,
                shape_2=token_ids.shape,
            )
        if array.dtype.kind not in kinds:
            return Message("returns {name} as {dtype}; wanted {wanted}", name=name, dtype=array.dtype, wanted=wanted)
    return None


def is_word(token_ids: np.ndarray, special_ids: Sequence[int] = SPECIAL_IDS) -> np.ndarray:
    return ~np.isin(token_ids, special_ids)


# How many are selected -------------------------------------------------------------------------------------


def selection(answer: Any, token_ids: np.ndarray, rate: float, special_ids: Sequence[int] = SPECIAL_IDS) -> Seen:
    """The number of words in each row, and how many tokens of each kind were selected."""
    if problem := wrong_form(answer, token_ids):
        return problem
    _, selected = answer
    word = is_word(token_ids, special_ids)
    return {
        "rate": rate,
        "words": word.sum(axis=1),
        "selected": (selected & word).sum(axis=1),
        "padding": int((selected & ~word & (token_ids == PADDING)).sum()),
        "special": int((selected & ~word).sum()),
        "special beside words": int((selected & ~word)[word.any(axis=1)].sum()),
    }


def judge_selection(answers: dict[str, Seen]) -> str | None:
    for name, seen in answers.items():
        finding = seen if isinstance(seen, str) else _wrong_number(seen)
        if finding:
            return Message("{finding}, {name}", finding=finding, name=name)
    return None


def _wrong_number(seen: dict[str, Any]) -> str | None:
    if seen["special"]:
        padding = Message("padding among them") if seen["padding"] else Message("though not padding")
        if not seen["special beside words"]:
            return Message("selects special tokens, {padding}, in rows without words", padding=padding)
        return Message("selects special tokens, {padding}", padding=padding)
    words, selected = seen["words"], seen["selected"]
    expected = np.where(words > 0, np.maximum(seen["rate"] * words, 1), 0)
    wrong = np.abs(selected - expected) > 0.5 + 1e-4
    if wrong.mean() <= _ROWS_THAT_MAY_BE_OFF:
        # Only at this rate is a half exact in every precision.
        wrong = selected != np.round(expected) if seen["rate"] == 0.5 else wrong
        return Message("does not round .5 to the even number") if wrong.mean() > _ROWS_THAT_MAY_BE_OFF else None
    spread = max(np.ptp(selected[words == number]) for number in np.unique(words))
    if spread > 1:
        where = "" if wrong[words == LENGTH].any() else Message(", but not in rows without special tokens")
        return Message(
            "selects more words in some rows than in others with the same number of words{where}", where=where
        )
    if not selected[wrong].any():
        return Message("selects nothing in short rows")
    # Rounded up or down, a number is off by less than 1, and by 1 where it is whole and the rate is not exact.
    is_rounded = bool((np.abs(selected - expected) <= 1 + 1e-4).all())
    if (selected > expected)[wrong].mean() > 0.5:
        if (selected == np.minimum(words, max(round(seen["rate"] * LENGTH), 1))).mean() > 1 - _ROWS_THAT_MAY_BE_OFF:
            return Message("selects as many words as if special tokens and padding were words")
        return Message("selects up to one word too many") if is_rounded else Message("selects too many words")
    return Message("selects up to one word too few") if is_rounded else Message("selects too few words")


# Which are selected ----------------------------------------------------------------------------------------


def places(answer: Any, token_ids: np.ndarray) -> Seen:
    """How often the first, second, ... word of a row is selected, and how often chance would select it.

    Also, how often the word with the lowest, second lowest, ... id is selected.
    """
    if problem := wrong_form(answer, token_ids):
        return problem
    word = is_word(token_ids)
    several = word.sum(axis=1) > 1
    without_special_tokens = answer[1][word.all(axis=1)]
    selected = [row[has] for row, has in zip(answer[1][several], word[several], strict=True)]
    by_id = [np.argsort(row[has]) for row, has in zip(token_ids[several], word[several], strict=True)]
    padded = _side_by_side(selected)
    length = padded.shape[1]
    count = np.array([len(row) for row in selected])[:, None]
    share = padded.sum(axis=1, keepdims=True) / count
    there = np.arange(length) < count
    pairs = share * (share * count - 1) / (count - 1)  # the probability that two given words are both selected
    return {
        "counts": padded.sum(axis=0),
        "counts by id": _side_by_side([row[order] for row, order in zip(selected, by_id, strict=True)]).sum(axis=0),
        "rows": there.sum(axis=0),
        "shares": (share * there).sum(axis=0) / there.sum(axis=0),
        "is first": all(row[: int(row.sum())].all() for row in selected),
        "is same": bool((without_special_tokens == without_special_tokens[:1]).all()),
        "neighbors": (padded[:, 0] * padded[:, 1]).sum(),
        "share of neighbors": pairs.mean(),
    }


def _side_by_side(rows: list[np.ndarray]) -> np.ndarray:
    """The rows as one array, the shorter ones padded with 0."""
    length = max(map(len, rows))
    return np.stack([np.pad(row.astype(float), (0, length - len(row))) for row in rows])


def judge_places(seen: Seen) -> str | None:
    """About 120 counts, so a false alarm in at most 12 of 100 million runs."""
    if isinstance(seen, str):
        return seen
    if seen["is first"]:
        return Message("selects the first words of each row")
    if seen["is same"]:
        return Message("selects the same positions in all rows without special tokens")
    if not explained_by_chance(seen["counts"], seen["rows"], seen["shares"]):
        return Message("selects words at some positions more often than at others")
    if not explained_by_chance(seen["neighbors"], seen["rows"][0], seen["share of neighbors"]):
        if seen["neighbors"] > seen["rows"][0] * seen["share of neighbors"]:
            return Message("selects neighbouring words too often")
        return Message("selects neighbouring words too rarely")
    if not explained_by_chance(seen["counts by id"], seen["rows"], seen["shares"]):
        return Message("selects some words more often than others, depending on their ids")
    return None


# What happens to them --------------------------------------------------------------------------------------

SHARES = {"[MASK]": 0.8, Message("a random word"): 0.1, Message("the word itself"): 0.1}


def fates(answer: Any, token_ids: np.ndarray) -> dict[str, np.ndarray]:
    """Where a selected word became [MASK] or a random word, or stayed as it was."""
    masked_ids, selected = answer
    masked, kept = masked_ids == MASK, masked_ids == token_ids
    return dict(zip(SHARES, (selected & masked, selected & ~masked & ~kept, selected & kept), strict=True))


def shares(answer: Any, token_ids: np.ndarray) -> Seen:
    """How many selected words met each fate, and how many words changed without being selected."""
    if problem := wrong_form(answer, token_ids):
        return problem
    counts = {name: int(where.sum()) for name, where in fates(answer, token_ids).items()}
    return {"counts": counts, "not selected": int(((answer[0] != token_ids) & ~answer[1]).sum())}


def judge_shares(seen: Seen) -> str | None:
    """Three counts, so a false alarm in at most 3 of 1,000 million runs."""
    if isinstance(seen, str):
        return seen
    if seen["not selected"]:
        return Message("changes words that were not selected")
    counts = seen["counts"]
    total = sum(counts.values())
    wrong: list[str] = []
    for name, share in SHARES.items():
        if not counts[name]:
            wrong.append(Message("{name} never", name=Message.of(name)))
        elif explained_by_chance(counts[name], total, share):
            continue
        elif counts[name] > share * total:
            wrong.append(Message("{name} too often", name=Message.of(name)))
        elif counts[name] > share * total / 2:
            wrong.append(Message("{name} too rarely", name=Message.of(name)))
        else:
            wrong.append(Message("{name} far too rarely", name=Message.of(name)))
    return Message("puts in {wrong}", wrong=enumerated(wrong)) if wrong else None


def drawn_words(answer: Any, token_ids: np.ndarray) -> Seen:
    """How often each word of the vocabulary was put in at random."""
    if problem := wrong_form(answer, token_ids):
        return problem
    words = answer[0][fates(answer, token_ids)["a random word"]]
    if words.size and not 0 <= words.min() <= words.max() < VOCABULARY_SIZE:
        return "puts in ids that are not in the vocabulary"
    return {"counts": np.bincount(words, minlength=VOCABULARY_SIZE)}


def puts_in(answer: Any, token_ids: np.ndarray, word: int) -> bool:
    """Whether a word that is in no text came in as a random one."""
    return wrong_form(answer, token_ids) is None and bool((answer[0] == word).any())


def judge_drawn_words(seen: Seen) -> str | None:
    """Twice 59 counts and one, so a false alarm in at most 12 of 100 million runs."""
    if isinstance(seen, str):
        return seen
    if finding := _wrong_words(seen["counts"]):
        return finding
    if finding := _wrong_words(seen["counts with an integer"]):
        return Message("{finding}, with an integer as seed", finding=finding)
    if not seen["puts in 0"]:
        return Message("never puts in the word with the id 0, even if no other can be drawn")
    if isinstance(seen["hides 0"], str):
        return seen["hides 0"]
    counts = seen["hides 0"]["counts"]
    if explained_by_chance(counts["[MASK]"], sum(counts.values()), SHARES["[MASK]"]):
        return None
    return Message("puts in [MASK] in another share of words where the random word is the word itself")


def _wrong_words(counts: np.ndarray) -> str | None:
    total = counts.sum()
    if explained_by_chance(counts, total, PROBABILITIES):
        return None if total else Message("puts in no random word")
    if np.count_nonzero(counts) == 1:
        return Message("puts in the same random word everywhere")
    if not counts[WORDS_TO_DRAW].any():
        return Message("puts in words of the texts instead of words drawn from the vocabulary")
    if explained_by_chance(np.roll(counts, -1), total, PROBABILITIES):
        return Message("puts in the word with the next id")
    if explained_by_chance(np.roll(counts, 1), total, PROBABILITIES):
        return Message("puts in the word with the previous id")
    ids = np.arange(VOCABULARY_SIZE)
    for alike, finding in (
        (ids != MASK, Message("puts in all ids equally often, special tokens among them")),
        (is_word(ids), Message("puts in all words equally often, even those whose probability is 0")),
        (PROBABILITIES > 0, Message("puts in all words equally often whose probability is not 0")),
    ):
        if explained_by_chance(counts, total, alike / alike.sum()):
            return finding
    if counts[list(SPECIAL_IDS)].any():
        return Message("puts in special tokens as random words")
    if counts[PROBABILITIES == 0].any():
        return Message("puts in words whose probability is 0")
    if (counts[PROBABILITIES * total > 30] == 0).any():
        return Message("never puts in some of the likely words")
    return Message("puts in some words too often and others too rarely")


# Word by word ----------------------------------------------------------------------------------------------


def independence(answer: Any, few: Any, token_ids: np.ndarray) -> Seen:
    """Whether words of a row, of one position or of one id share their fate; and the fate of rows with one or two.

    Args:
        answer: in which many words are selected.
        few: in which few are.
        token_ids: the texts.
    """
    if problem := wrong_form(answer, token_ids) or wrong_form(few, token_ids):
        return problem
    selected_of_few = few[1].sum(axis=1)
    all_masked = (fates(few, token_ids)["[MASK]"] == few[1]).all(axis=1)
    now = fates(answer, token_ids)
    masked, selected = now["[MASK]"], answer[1]
    first_two = [row[chosen][:2] for row, chosen in zip(masked, selected, strict=True) if chosen.sum() > 1]
    random_words = [row[chosen][:2] for row, chosen in zip(answer[0], now["a random word"], strict=True)]
    random_words = [words for words in random_words if len(words) == 2]
    return {
        "masked": masked.sum(axis=0),
        "selected": selected.sum(axis=0),
        "masked of each id": np.bincount(token_ids[masked], minlength=VOCABULARY_SIZE),
        "selected of each id": np.bincount(token_ids[selected], minlength=VOCABULARY_SIZE),
        "pairs": len(first_two),
        "both masked": sum(bool(pair.all()) for pair in first_two),
        "pairs of random words": len(random_words),
        "twice the same": sum(int(words[0] == words[1]) for words in random_words),
        "rows": np.bincount(selected_of_few, minlength=3)[1:3],
        "rows all masked": np.bincount(selected_of_few[all_masked], minlength=3)[1:3],
        "masked of each row": masked.sum(axis=1),
        "selected of each row": selected.sum(axis=1),
    }


def judge_independence(seen: Seen) -> str | None:
    """About 120 counts, so a false alarm in at most 12 of 100 million runs."""
    if isinstance(seen, str):
        return seen
    masked, selected = seen["masked"].sum(), seen["selected"].sum()
    if masked in (0, selected):
        return Message("does the same to all selected words")
    # If the share itself is wrong, another check says so.
    share = 0.8 if explained_by_chance(masked, selected, 0.8) else masked / selected
    if not explained_by_chance(seen["masked"], seen["selected"], share):
        return Message("does the same at one position in every row")
    if not explained_by_chance(seen["masked of each id"], seen["selected of each id"], share):
        return Message("does the same to a word wherever it stands")
    if not explained_by_chance(seen["both masked"], seen["pairs"], share**2):
        return Message("does the same to all selected words of a row")
    twice, pairs, expected = seen["twice the same"], seen["pairs of random words"], (PROBABILITIES**2).sum()
    if twice > pairs * expected and not explained_by_chance(twice, pairs, expected):  # another check counts the words
        return Message("puts in the same random word again and again within a row")
    # One word is masked in 4 of 5 cases, and two are both masked in 16 of 25; a quota per row leaves them no choice.
    rows = seen["rows"].sum()
    if not explained_by_chance(seen["rows all masked"].sum(), rows, seen["rows"] @ [share, share**2] / max(rows, 1)):
        return Message(
            "decides a word's fate by the row's other words: rows with few selected words always get the same"
        )
    return _wrong_spread(seen["masked of each row"], seen["selected of each row"], share)


def _wrong_spread(masked: np.ndarray, selected: np.ndarray, share: float) -> str | None:
    """What is wrong with the spread of the masked words over rows, or None.

    The squared distance from the share, divided by the variance of a binomial, has mean 1 and variance 2. The mean of
    500 rows or more is off by 7 standard deviations in fewer than one of a billion runs.
    """
    several = selected >= 5
    squares = (masked - share * selected)[several] ** 2 / (share * (1 - share) * selected[several])
    if squares.size < 500 or abs(squares.mean() - 1) < 7 * (2.2 / squares.size) ** 0.5:
        return None
    return Message("decides a word's fate by the row's other words: the number of [MASK] in a row is not random")


# Seeds -----------------------------------------------------------------------------------------------------


def repetition(answers: dict[str, list[Any]], token_ids: np.ndarray) -> Seen:
    """For each kind of seed, whether two calls agree; and the shares with an integer as seed."""
    for answer in (each for pair in answers.values() for each in pair):
        if problem := wrong_form(answer, token_ids):
            return problem
    # With an integer, ids and places must both agree; with other seeds, neither may.
    same = {
        name: (all if name in ("an integer", "0") else any)(map(np.array_equal, one, other))
        for name, (one, other) in answers.items()
    }
    return {"same": same, "shares": shares(answers["an integer"][0], token_ids)}


def steps(answers: dict[str, list[Any]], token_ids: np.ndarray) -> dict[str, Any]:
    """For each kind of seed, whether two steps of a compiled training agree; and what the first one selects."""
    return {
        "selected": {"in a compiled step": selection(answers["a SeedGenerator"][0], token_ids, 0.15)},
        "same": {name: np.array_equal(one, other) for name, (one, other) in answers.items()},
    }


def judge_steps(seen: dict[str, Any]) -> str | None:
    same = [name for name in (Message("a SeedGenerator"), "None") if seen["same"][name]]
    if same:
        return Message("masks the same words in every compiled step, with {name} as seed", name=all_of(same))
    return judge_selection(seen["selected"])


def judge_repetition(seen: Seen) -> str | None:
    """Three counts, so a false alarm in at most 3 of 1,000 million runs."""
    if isinstance(seen, str):
        return seen
    same = [name for name in (Message("a SeedGenerator"), "None") if seen["same"][name]]
    if same:
        return Message("masks the same words at each call, with {name} as seed", name=all_of(same))
    if not seen["same"]["an integer"]:
        return Message("masks other words at each call, though the seed is the same integer")
    if not seen["same"]["0"]:
        return Message("masks other words at each call if the seed is 0, an integer like any other")
    finding = judge_shares(seen["shares"])
    return Message("{finding}, with an integer as seed", finding=finding) if finding else None
