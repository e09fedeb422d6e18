"""What goes wrong in corrupt."""

from __future__ import annotations

from typing import Any

import numpy as np

import course.objectives as right
from grading.exercises.objectives.checks import spoiling
from grading.exercises.objectives.mistakes.noise_steps import Noise


@spoiling.whole_mistake(
    "A word may be substituted by itself, so that nothing is changed there.",
    hint="How likely is it that the word which is drawn is the one that stands there?",
)
def by_itself(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def draw(self, other_than: int | None = None) -> int:
            return super().draw()

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Words are drawn from the whole vocabulary alike, special tokens among them.",
    hint="`probabilities` says how often each word comes, and 0 for what is no word.",
)
def any_id(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def draw(self, other_than: int | None = None) -> int:
            return int(self.random.integers(len(self.probabilities)))

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "All words that occur are drawn alike.",
    hint="Some words are ten times as frequent as others. Which argument of `choice` says so?",
)
def drawn_alike(*args: Any, **options: Any) -> Any:
    options["probabilities"] = (np.asarray(options["probabilities"]) > 0).astype("float64")
    return right.corrupt(*args, **options)


@spoiling.whole_mistake(
    "The likeliest word is put in everywhere.",
    hint="argmax does not draw. What does a model learn that sees one and the same wrong word?",
)
def likeliest_word(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def draw(self, other_than: int | None = None) -> int:
            shares = np.array(self.probabilities)
            if other_than is not None:
                shares[other_than] = 0.0
            return int(shares.argmax())

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Deleted words leave padding in their place.",
    hint="Whoever sees where a word was deleted needs not find out. Does the text get shorter?",
)
def padding_left(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def delete(self) -> None:
            for place in self.places():
                self.texts[place] = [self.special_ids[0]]

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Deleted words leave [MASK] in their place.",
    hint="That is another kind of noise. What stands where a word was deleted?",
)
def mask_left(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def delete(self) -> None:
            self.mask()

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "What is inserted takes the place of a word: the text does not grow.",
    hint="All words stay, and as many come to them. How long is the text afterwards?",
)
def overwritten(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def insert(self) -> None:
            for place in self.places():
                self.texts[place] = [self.draw()]

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Words are inserted anywhere, even before [CLS] and between special tokens.",
    hint="They stand beside a word. Which places of a text are beside a word?",
)
def inserted_anywhere(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def insert(self) -> None:
            for place in self.random.integers(0, len(self.texts), self.count(len(self.words))):
                self.texts[place].insert(0, self.draw())

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Words are inserted behind others only.",
    hint="In front of or behind a word, says the docstring, each as likely.",
)
def behind_only(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def put_beside(self, place: int, word: int) -> None:
            self.texts[place].append(word)

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "[MASK] is inserted instead of words.",
    hint="A [MASK] would say of itself that it does not belong there. What is drawn by `probabilities`?",
)
def masks_inserted(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def insert(self) -> None:
            for place in self.places(replace=True):
                self.put_beside(place, self.mask_id)

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "A text that is spoiled is cut to its old length: what was pushed behind the end is lost.",
    hint="Lists may grow. Who cuts them to a row, and when, is not for this function to say.",
)
def cut_to_length(token_ids: Any, *args: Any, **options: Any) -> Any:
    return right.corrupt(token_ids, *args, **options)[: len(token_ids)]


@spoiling.whole_mistake(
    "Each word of a stretch has a [MASK] of its own.",
    hint="A stretch of five words becomes one [MASK]. So a model must find out how many are missing.",
)
def mask_for_each_word(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def masks_of(self, count: int) -> list[list[int]]:
            return [[self.mask_id]] * count

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "There is no stretch of length 0, so no [MASK] stands where nothing is missing.",
    hint="How likely is 0 in a Poisson distribution of mean 3? The docstring says what becomes of it.",
)
def no_empty_stretches(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def span(self) -> int:
            while True:
                drawn = super().span()
                if drawn:
                    return drawn

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "All stretches have three words.",
    hint="3 is the mean. What is drawn by a Poisson distribution differs.",
)
def always_three(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def span(self) -> int:
            return self.mean_span

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Lengths of stretches are geometric, as in SpanBERT.",
    hint="Here they are drawn by a Poisson distribution, whose long stretches are rare.",
)
def geometric_stretches(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def span(self) -> int:
            return int(self.random.geometric(0.2)) - int(self.random.random() < 0.05)

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Stretches that overlap are merged without a word, so that fewer words are gone than the rate says.",
    hint="Which words are still free when the next stretch is drawn? Count those that are gone.",
)
def merged_stretches(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def infill(self) -> None:
            left, gone = self.count(len(self.words)), np.zeros(len(self.texts), bool)
            while left > 0:
                count = max(1, min(self.span(), left))
                free = np.zeros(len(self.texts) + 1, int)
                free[1:] = np.cumsum(self.is_word())
                starts = np.flatnonzero(free[count:] - free[:-count] == count)
                left -= count
                if len(starts):
                    first = self.random.choice(starts)
                    gone[first : first + count] = True
            for place in np.flatnonzero(gone):
                self.texts[place] = [] if place and gone[place - 1] else [self.mask_id]

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "The rate counts stretches instead of words: far too much is gone.",
    hint="Each stretch has three words in the mean. After each, how many words are left to hide?",
)
def rate_of_stretches(token_ids: Any, kind: str, rate: float, *args: Any, **options: Any) -> Any:
    return right.corrupt(token_ids, kind, min(1.0, 3 * rate) if kind == "infill" else rate, *args, **options)


@spoiling.whole_mistake(
    "The rate is taken of all tokens, special ones among them.",
    hint="[CLS] and [SEP] are no words. `rate` times which number?",
)
def rate_of_all_tokens(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def count(self, of: int) -> int:
            return min(of, round(self.rate * len(self.given) * of / len(self.words)))

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Each word is concerned with the probability `rate`, so chance decides how many are.",
    hint="The docstring says a number of words: `rate` times n, rounded.",
)
def number_by_chance(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def count(self, of: int) -> int:
            return int(self.random.binomial(of, self.rate))

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "The number of words is cut off instead of rounded.",
    hint="30% of 122 words are 36.6. Is that nearer to 36 or to 37? int() does not round.",
)
def cut_off(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def count(self, of: int) -> int:
            return int(self.rate * of)

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Special tokens are spoiled like words.",
    hint="They stay, in their order. Which places may be drawn?",
)
def specials_spoiled(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def is_word(self) -> np.ndarray:
            return np.ones(len(self.given), bool)

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "Whatever kind is asked for, words are masked, too: two kinds of noise in one text.",
    hint="One kind at a time. Which line runs for every `kind`?",
)
def masked_too(token_ids: Any, kind: str, rate: float, random: Any, **options: Any) -> Any:
    spoiled = right.corrupt(token_ids, kind, rate, random, **options)
    return spoiled if kind == "mask" else right.corrupt(spoiled, "mask", rate, random, **options)


@spoiling.whole_mistake(
    "The list that it is given is changed, and with it what the model should write.",
    hint="`text = token_ids` is the same list under another name. What is learned, if question and answer are one?",
)
def in_place(token_ids: Any, *args: Any, **options: Any) -> Any:
    spoiled = right.corrupt(token_ids, *args, **options)
    if isinstance(token_ids, list):
        token_ids[:] = spoiled
    return spoiled


@spoiling.whole_mistake(
    "At least one word is spoiled, even at rate 0.",
    hint="That is the rule of `mask_tokens`. Here, a rate of 0 changes nothing.",
)
def at_least_one(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def count(self, of: int) -> int:
            return max(1, super().count(of)) if of else 0

    return Wrong.spoil(*args, **options)


@spoiling.whole_mistake(
    "A new generator is made at each call: the same places each time.",
    hint="`random` goes on where it was. Who makes another one?",
)
def own_generator(token_ids: Any, kind: str, rate: float, random: Any, **options: Any) -> Any:
    return right.corrupt(token_ids, kind, rate, np.random.default_rng(0), **options)


@spoiling.whole_mistake(
    "The first words are concerned, and not random ones.",
    hint="Which of the words are chosen by `words[:count]`?",
)
def first_words(*args: Any, **options: Any) -> Any:
    class Wrong(Noise):
        def places(self, replace: bool = False) -> np.ndarray:
            return self.words[: self.count(len(self.words))]

    return Wrong.spoil(*args, **options)
