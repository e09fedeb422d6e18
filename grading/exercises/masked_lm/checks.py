"""Checks of masked language modelling as students write it. Masking is judged by its statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grading.exercises.masked_lm import masking
from grading.exercises.random_arrays import Random, normal
from grading.judging.comparison import named
from grading.judging.exercise import Chapter
from grading.judging.named_parts import missing_parts
from grading.judging.proxies import Proxy, differ, with_dtypes
from grading.messages import Message

chapter = Chapter(5, "Masked words", "course.masked_lm")

unigrams = chapter.exercise("unigram_probabilities")
masks = chapter.exercise("mask_tokens", ready_made=("tensorflow_text.mask_language_model",))
head = chapter.exercise("MaskedLMHead")
loss = chapter.exercise("masked_lm_loss")


# unigram_probabilities -------------------------------------------------------------------------------------


def counted(implementation: Proxy, token_ids: np.ndarray, vocabulary_size: int, special_ids: Sequence[int]) -> Any:
    """The probabilities of a corpus that is a NumPy array, as before training."""
    return implementation.on_arrays(token_ids, vocabulary_size, special_ids)


@unigrams.check("divides the count of each word by the number of all words", points=1)
def shares_of_words(implementation: Proxy, random: Random) -> Any:
    def corpus() -> np.ndarray:
        return np.concatenate([np.arange(9), random.randint(0, 9, 26) ** 2 // 8]).reshape(5, 7)

    counted(implementation, corpus(), 9, [])  # an earlier count must make no difference
    books = np.repeat([1, 2, 2, 1, 0, 2], 2221).reshape(6, 2221, 1)  # no word as often as float16 can count
    return {
        "the probabilities": counted(implementation, corpus(), 9, []),
        "the probabilities of a long corpus of three axes": counted(implementation, books, 3, [0]),
        # Words occur more often than a byte can count.
        "the probabilities of ids in uint8": counted(implementation, books[:, :131].astype("uint8"), 3, [0]),
    }


@unigrams.check("gives special tokens probability 0, and all words together 1", points=1)
def special_tokens(implementation: Proxy, random: Random) -> Any:
    token_ids = np.concatenate([np.arange(11), random.randint(0, 11, 22)]).reshape(3, 11)
    return counted(implementation, token_ids, 11, (0, 4, 9))  # a tuple, like those of a `Vocabulary`


@unigrams.check("returns a number for every id of the vocabulary, 0 for a word that never occurs", points=1)
def words_that_never_occur(implementation: Proxy, random: Random) -> Any:
    token_ids = random.choice([2, 3, 5, 6], 24, p=[0.1, 0.2, 0.3, 0.4])
    return {
        "the probabilities": counted(implementation, token_ids, 131, [0, 1]),
        "the probabilities of a vocabulary of one word": counted(implementation, np.zeros((1, 3), "int64"), 1, []),
    }


# mask_tokens -----------------------------------------------------------------------------------------------


@masks.check("selects a share of each row's words, and no special tokens", points=2, judge=masking.judge_selection)
def selection(implementation: Proxy, random: Random) -> Any:
    token_ids, options = masking.texts(random, 400), masking.options(implementation, random)
    cases = {
        Message("at the usual rate"): 0.15,
        Message("at a rate of 0.4"): 0.4,
        Message("at a rate of 0.5"): 0.5,
        Message("at a rate of 1"): 1.0,
    }
    answers = {
        "at the usual rate": implementation(token_ids, **options),
        "at a rate of 0.4": implementation(token_ids, **options, rate=0.4),
        "at a rate of 0.5": implementation(token_ids, **options, rate=0.5),
        "at a rate of 1": implementation(token_ids, **options, rate=1.0),
    }
    seen = {name: masking.selection(answers[name], token_ids, rate) for name, rate in cases.items()}
    seen[Message("in a batch of one")] = masking.selection(
        implementation(token_ids[:1], **options), token_ids[:1], 0.15
    )
    others = [special for special in masking.SPECIAL_IDS if special != 0]
    where_0_is_a_word = implementation(token_ids, **{**options, "special_ids": others})
    in_int64 = implementation(token_ids.astype("int64"), **options)
    return {
        **seen,
        Message("where 0 is a word"): masking.selection(where_0_is_a_word, token_ids, 0.15, others),
        Message("if the ids are int64"): masking.selection(in_int64, token_ids, 0.15),
    }


@masks.check("selects at random, with the same probability for each word", points=1, judge=masking.judge_places)
def places(implementation: Proxy, random: Random) -> Any:
    token_ids = masking.texts(random, 1500)
    return masking.places(implementation(token_ids, **masking.options(implementation, random)), token_ids)


@masks.check(
    "replaces 80% of the selected words by [MASK] and 10% by a random word, and keeps 10%",
    points=2,
    judge=masking.judge_shares,
)
def shares(implementation: Proxy, random: Random) -> Any:
    token_ids = masking.texts(random, 1500)
    return masking.shares(implementation(token_ids, **masking.options(implementation, random)), token_ids)


@masks.check("draws the random words by their unigram probability", points=1, judge=masking.judge_drawn_words)
def drawn_words(implementation: Proxy, random: Random) -> Any:
    token_ids, options = masking.texts(random, 1500), masking.options(implementation, random)
    seen = masking.drawn_words(implementation(token_ids, **options, rate=0.9), token_ids)
    with_an_integer = {**options, "seed": int(random.randint(1, 10**6))}
    of_an_integer = masking.drawn_words(implementation(token_ids, **with_an_integer, rate=0.9), token_ids)
    only_0 = {
        **options,
        "unigram_probabilities": implementation.make("numpy.array", np.eye(masking.VOCABULARY_SIZE)[0]),
        "special_ids": [special for special in masking.SPECIAL_IDS if special != 0],
    }
    words = token_ids[:150]  # texts of words alone
    answer = implementation(words, **only_0, rate=0.9)
    of_0 = implementation(np.zeros_like(words), **only_0, rate=0.9)
    if isinstance(seen, str):
        return seen
    if isinstance(of_an_integer, str):
        return of_an_integer
    return {
        **seen,
        "counts with an integer": of_an_integer["counts"],
        "puts in 0": masking.puts_in(answer, words, 0),
        "hides 0": masking.shares(of_0, np.zeros_like(words)),
    }


@masks.check("decides for each word separately what happens to it", points=1, judge=masking.judge_independence)
def word_by_word(implementation: Proxy, random: Random) -> Any:
    token_ids, options = masking.texts(random, 1500), masking.options(implementation, random)
    many = implementation(token_ids, **options, rate=0.5)
    return masking.independence(many, implementation(token_ids, **options), token_ids)


@masks.check(
    "masks other words at each call, but the same ones if the seed is the same integer",
    points=0.5,
    judge=masking.judge_repetition,
)
def seeds(implementation: Proxy, random: Random) -> Any:
    token_ids, options = masking.texts(random, 300), masking.options(implementation, random)
    integers = {"an integer": int(random.randint(1, 10**6)), "0": 0}
    kinds = {"a SeedGenerator": options.pop("seed"), "None": None, **integers}
    answers = {
        name: [implementation(token_ids, **options, seed=seed) for _ in range(2)] for name, seed in kinds.items()
    }
    return masking.repetition(answers, token_ids)


@masks.check("runs in a compiled training step", points=0.5, judge=masking.judge_steps)
def compiled_masking(implementation: Proxy, random: Random) -> Any:
    token_ids, options = masking.texts(random, 200), masking.options(implementation, random)
    steps = implementation.two_steps(token_ids, **options)
    without_seed = implementation.two_steps(token_ids, **{**options, "seed": None})
    return masking.steps({"a SeedGenerator": steps, "None": without_seed}, token_ids)


# MaskedLMHead ----------------------------------------------------------------------------------------------

VOCABULARY_SIZE, HIDDEN_DIM = 19, 12


def inputs(random: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two texts of seven tokens, the embeddings of nineteen words, and five positions per text, one of them twice."""
    positions = np.stack([random.permutation(7)[:5] for _ in range(2)]).astype("int32")
    positions[0, 4] = positions[0, 0]
    return normal(random, 2, 7, HIDDEN_DIM), 0.5 * normal(random, VOCABULARY_SIZE, HIDDEN_DIM), positions


def built(implementation: Proxy, **options: Any) -> Proxy:
    made = implementation(vocabulary_size=VOCABULARY_SIZE, hidden_dim=HIDDEN_DIM, **options)
    made(*inputs(np.random.RandomState(0)))
    return made


def loaded(implementation: Proxy, random: Random, bias: float = 1.0, **options: Any) -> Proxy:
    """A head with random parameters, built once for all checks that use the same options."""
    made = implementation.once(built, **options)
    made.load(
        {
            "dense/kernel": 0.5 * normal(random, HIDDEN_DIM, HIDDEN_DIM),
            "dense/bias": 0.5 * normal(random, HIDDEN_DIM),
            "norm/gamma": 1.0 + 0.5 * normal(random, HIDDEN_DIM),
            "norm/beta": 0.5 * normal(random, HIDDEN_DIM),
            "bias": bias * normal(random, VOCABULARY_SIZE),
        }
    )
    return made


@head.check("transforms, normalizes, and compares with the embedding of every word", points=3)
def every_word(implementation: Proxy, random: Random) -> Any:
    sequence_output, embeddings, _ = inputs(random)
    return loaded(implementation, random, bias=0.0)(sequence_output, embeddings)


@head.check("scores only the given positions, which differ from row to row", points=2)
def asked_positions(implementation: Proxy, random: Random) -> Any:
    sequence_output, embeddings, positions = inputs(random)
    made = loaded(implementation, random, bias=0.0)
    return {
        "the logits": made(sequence_output, embeddings, positions),
        "the logits at one position of each text": made(sequence_output, embeddings, positions[:, 1:2]),
    }


@head.check("adds the bias of each word", points=1)
def bias_of_words(implementation: Proxy, random: Random) -> Any:
    sequence_output, embeddings, _ = inputs(random)
    return {
        "the logits where all embeddings are equal": loaded(implementation, random)(
            sequence_output, np.zeros_like(embeddings)
        ),
        **built(implementation).at_first(),
    }


@head.check("adds the epsilon that it was given to the variance", points=1)
def own_epsilon(implementation: Proxy, random: Random) -> Any:
    sequence_output, embeddings, _ = inputs(random)
    return loaded(implementation, random, epsilon=0.7)(sequence_output, embeddings)


@head.check("is right in mixed precision, too", points=1, tolerance=3e-2)
def mixed_precision(implementation: Proxy, random: Random) -> Any:
    made = loaded(implementation, random, dtype="mixed_float16")
    return {
        **with_dtypes(made(*inputs(random)), made),
        "in double precision": implementation.once(built, dtype="float64").dtypes_of_weights(),
    }


@head.check("runs in a compiled model, and passes gradients on", points=1)
def compiled_head(implementation: Proxy, random: Random) -> Any:
    made = loaded(implementation, random)
    sequence_output, embeddings, positions = inputs(random)
    along, everywhere = normal(random, 2, 5, VOCABULARY_SIZE), normal(random, 2, 7, VOCABULARY_SIZE)
    at_all = made.gradients(sequence_output, embeddings, along=everywhere, by=("sequence output", "embeddings"))
    return {
        **{Message("{name}, at all positions", name=named(name)): value for name, value in at_all.items()},
        "the logits in a compiled model": made.in_graph(sequence_output, embeddings, positions),
        "the logits of a long text": made(normal(random, 1, 131, HIDDEN_DIM), embeddings),
        **made.gradients(sequence_output, embeddings, positions, along=along, by=("sequence output", "embeddings", "")),
        **_where_others_are_huge(made, random),
    }


def _where_others_are_huge(made: Proxy, random: Random) -> dict[str, Any]:
    """Work at other positions gives infinite numbers there, and the gradient of these is NaN."""
    sequence_output, embeddings, positions = inputs(random)
    asked = np.zeros((2, 7, 1), bool)
    asked[np.arange(2)[:, None], positions] = True
    huge = np.where(asked, sequence_output, 3e38 * np.sign(sequence_output)).astype("float32")
    along = normal(random, 2, 5, VOCABULARY_SIZE)
    answers = made.gradients(huge, embeddings, positions, along=along, by=("sequence output", "", ""))
    return {
        Message("{name}, where it is huge at the others", name=named(name)): value for name, value in answers.items()
    }


@head.check("has, once it is built, the parts that the docstring names", points=1, judge=missing_parts)
def named_parts(implementation: Proxy, random: Random) -> Any:
    made = implementation(vocabulary_size=VOCABULARY_SIZE, hidden_dim=HIDDEN_DIM)
    return made.has_weights_at(
        {
            "dense.kernel": (HIDDEN_DIM, HIDDEN_DIM),
            "dense.bias": (HIDDEN_DIM,),
            "norm.gamma": (HIDDEN_DIM,),
            "norm.beta": (HIDDEN_DIM,),
            "output_bias": (VOCABULARY_SIZE,),
        },
        (2, 7, HIDDEN_DIM),
        (VOCABULARY_SIZE, HIDDEN_DIM),
    )


# masked_lm_loss --------------------------------------------------------------------------------------------


def guesses(random: Random, dtype: str = "float32", vocabulary_size: int = 7) -> tuple[np.ndarray, ...]:
    """Three texts of five predictions, of which four, two and one are for masked words; one of these has the id 0."""
    labels = random.randint(1, vocabulary_size, (3, 5)).astype("int32")
    labels[0, 1] = 0
    logits = 2 * normal(random, 3, 5, vocabulary_size, dtype=dtype)
    weights = (np.arange(5) < np.array([[4], [2], [1]])).astype("float32")
    return labels, logits, weights


@loss.check("computes the mean of -log P(word) if all words are masked", points=2)
def all_masked(implementation: Proxy, random: Random) -> Any:
    labels, logits, weights = guesses(random)
    return {
        "the loss": implementation(labels, logits, np.ones_like(weights)),
        # e^-200 is 0 in float32, and its logarithm is infinite.
        "the loss of logits in the hundreds": implementation(labels, 100 * logits, np.ones_like(weights)),
    }


@loss.check("counts only the masked words, all with the same weight", points=2)
def some_masked(implementation: Proxy, random: Random) -> Any:
    labels, logits, weights = guesses(random)
    of_others = np.where(np.arange(7) > 0, 1e38, -1e38)  # their sum is more than float32 holds
    huge = np.where(weights[..., None] > 0, logits, of_others).astype("float32")
    return {
        **implementation.with_one(labels, logits, weights),
        "the loss with huge logits at other positions": implementation(labels, huge, weights),
    }


@loss.check("returns 0 if no word is masked", points=1)
def none_masked(implementation: Proxy, random: Random) -> Any:
    labels, logits, weights = guesses(random)
    of_none = labels, logits, np.zeros_like(weights)
    loss_of_none = implementation(*of_none)
    # A function that always returns 0 is no loss.
    differs = differ(loss_of_none, implementation(labels, logits, weights))
    gradients = implementation.gradients(*of_none, along=np.ones((), "float32"), by=("", "logits", ""))
    return {"the loss": loss_of_none, "whether masked words change it": differs, **gradients}


@loss.check("computes in float32, whatever the dtype of the logits", points=1)
def half_precision(implementation: Proxy, random: Random) -> Any:
    half, double = guesses(random, "float16", vocabulary_size=800), guesses(random, "float64")
    # More masked words than float16 can count.
    many = random.randint(0, 2, (71, 131)).astype("int32"), normal(random, 71, 131, 2, dtype="float16")
    weights = (np.arange(71 * 131) % 9 > 0).reshape(71, 131).astype("float32")
    in_numpy = double[0].astype("int64"), double[1], double[2].astype("float64")  # NumPy's own dtypes
    return {
        **with_dtypes([implementation(*half), implementation(*double)]),
        "the loss of 71 long texts": implementation(*many, weights),
        "the loss of NumPy arrays in int64 and float64": implementation.on_arrays(*in_numpy),
    }


@loss.check("runs in a compiled step, and passes gradients on", points=1)
def compiled_loss(implementation: Proxy, random: Random) -> Any:
    labels, logits, weights = guesses(random)
    return {
        "the loss in a compiled step": implementation.in_graph(labels, logits, weights),
        **implementation.gradients(labels, logits, weights, along=np.ones((), "float32"), by=("", "logits", "")),
    }
