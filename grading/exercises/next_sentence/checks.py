"""Checks of next-sentence prediction as students write it. Pairs are judged by their statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.next_sentence import pairs as judges
from grading.exercises.random_arrays import Random, normal
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, differ, with_dtypes

chapter = Chapter(6, "The next sentence", "course.next_sentence")

pairs = chapter.exercise("sentence_pairs")
head = chapter.exercise("NextSentenceHead")
loss = chapter.exercise("next_sentence_loss")


def seed(random: Random) -> int:
    return int(random.randint(1, 10**6))


# sentence_pairs --------------------------------------------------------------------------------------------


@pairs.check("makes one pair for each sentence that has a next one", points=1, judge=judges.judge_firsts)
def firsts(implementation: Proxy, random: Random) -> Any:
    texts = judges.documents([3, 1, 5, 2, 1, 4])
    repeating = judges.repeating(40)
    return {
        **judges.seen(implementation(texts, seed=seed(random)), texts),
        "repeating": judges.numbered(implementation(repeating, seed=seed(random)), repeating),
    }


@pairs.check(
    "draws the random sentence from another document, and returns true labels", points=2, judge=judges.judge_labels
)
def labels(implementation: Proxy, random: Random) -> Any:
    texts = judges.documents([*random.randint(20, 60, 12).tolist(), 1, 2])
    return judges.seen(implementation(texts, seed=seed(random)), texts)


@pairs.check("tosses a fair coin for each pair", points=2, judge=judges.judge_coin)
def coin(implementation: Proxy, random: Random) -> Any:
    texts, few = judges.documents([9] * 150), judges.documents([5] * 4)
    small = [judges.numbered(implementation(few, seed=seed(random)), few) for _ in range(16)]
    return judges.seen(implementation(texts, seed=seed(random)), texts) | {"small": small}


@pairs.check("draws one of the other documents uniformly, then one of its sentences", points=1, judge=judges.judge_draw)
def draw(implementation: Proxy, random: Random) -> Any:
    texts = judges.documents([1600, 1, 9, 2, 5])
    return judges.seen(implementation(texts, seed=seed(random)), texts)


@pairs.check("labels pairs by their texts if documents repeat each other", points=1, judge=judges.judge_twins)
def twins(implementation: Proxy, random: Random) -> Any:
    document, other = ["a dog barks", "it is late"], ["penguins swim"]
    copies = [["".join(list(sentence)) for sentence in document] for _ in range(1200)]  # equal, not identical
    texts = [*copies[:600], other, *copies[600:]]
    return judges.numbered(implementation(texts, seed=seed(random)), [document, other])


@pairs.check("skips blank sentences, and documents without any others", points=1, judge=judges.judge_blanks)
def blanks(implementation: Proxy, random: Random) -> Any:
    documents = judges.documents([*random.randint(20, 40, 12).tolist(), 1, 2])
    texts = [[f" {text.replace(' of', '  of')} " for text in document] for document in documents]
    scattered: list[list[str]] = []
    for document in texts:
        with_blanks = list(document)
        for blank in ("", "  ", "\t\n\N{NO-BREAK SPACE}"):
            with_blanks.insert(random.randint(0, len(with_blanks) + 1), blank)
        scattered += [with_blanks, [], ["", " "]]
    without = judges.numbered(implementation(texts, seed=seed(random)), texts)
    return {**judges.seen(implementation(scattered, seed=seed(random)), texts), "pairs without blanks": without}


@pairs.check("repeats its pairs for the same integer, and continues a generator", points=1, judge=judges.judge_seeds)
def seeds(implementation: Proxy, random: Random) -> Any:
    texts = judges.documents([4, 7, 3, 6] * 12)
    number = seed(random)
    generator = implementation.make("numpy.random.default_rng", number + 2)
    answers = {
        "integer": implementation(texts, seed=number),
        "integer again": implementation(texts, seed=number),
        "0": implementation(texts, seed=0),
        "0 again": implementation(texts, seed=0),
        "other integer": implementation(texts, seed=number + 1),
        "generator": implementation(texts, seed=generator),
        "generator again": implementation(texts, seed=generator),
        "none": implementation(texts),
        "none again": implementation(texts),
    }
    return {name: judges.numbered(answer, texts) for name, answer in answers.items()}


# NextSentenceHead ------------------------------------------------------------------------------------------

HIDDEN_DIM = 7


def loaded(implementation: Proxy, random: Random, bias: float = 1.0, **options: Any) -> Proxy:
    """A head with random parameters, called once so that it has weights."""
    made = implementation(**options)
    made(normal(random, 3, HIDDEN_DIM))
    both_signs = np.abs(normal(random, 2)) * random.permutation([-1, 1]).astype("float32")
    made.load({"dense/kernel": normal(random, HIDDEN_DIM, 2), "dense/bias": bias * both_signs})
    return made


@head.check("multiplies the pooled output by W, with no activation", points=2)
def product(implementation: Proxy, random: Random) -> Any:
    made = loaded(implementation, random, bias=0.0)
    logits = made.after_another(lambda: [normal(random, 5, HIDDEN_DIM)])
    return {**logits, "the logits of a large output": made(100 * normal(random, 4, HIDDEN_DIM))}


@head.check("adds the bias", points=1)
def bias(implementation: Proxy, random: Random) -> Any:
    return loaded(implementation, random)(np.zeros((5, HIDDEN_DIM), "float32"))


@head.check("returns the same logits in training, and for a pair in any batch", points=1)
def pair_by_pair(implementation: Proxy, random: Random) -> Any:
    made, pooled_output = loaded(implementation, random), normal(random, 5, HIDDEN_DIM)
    return {
        "the logits in training": made(pooled_output, training=True),
        "the logits of one pair alone": made(pooled_output[3:4]),
    }


@head.check("is right in mixed precision, too", points=0.5, tolerance=3e-2)
def mixed_precision(implementation: Proxy, random: Random) -> Any:
    made = loaded(implementation, random, dtype="mixed_float16")
    return with_dtypes(made(normal(random, 5, HIDDEN_DIM)), made)


@head.check("trains in a compiled model, and is the same after saving and loading", points=0.5)
def compiled_and_saved(implementation: Proxy, random: Random) -> Any:
    made, pooled_output, many = (
        loaded(implementation, random),
        normal(random, 5, HIDDEN_DIM),
        normal(random, 131, HIDDEN_DIM),
    )
    return {
        "the logits in a compiled model": made.in_graph(many),
        **made.gradients(many, along=normal(random, 131, 2), by=["pooled output"]),
        "the logits of the head from the file": made.saved(pooled_output)(pooled_output),
        **implementation().weights_of_build((None, HIDDEN_DIM)),
    }


# next_sentence_loss ----------------------------------------------------------------------------------------


def guesses(random: Random, dtype: str = "float32", pairs: int = 9) -> tuple[np.ndarray, np.ndarray]:
    """Pairs, both labels among them."""
    return (np.arange(pairs) % 3 == 1).astype("int32"), 2 * normal(random, pairs, 2, dtype=dtype)


@loss.check("computes the mean of -log P(label)", points=2)
def mean_surprise(implementation: Proxy, random: Random) -> Any:
    _, logits = guesses(random)
    return {
        **implementation.with_one(*guesses(random)),
        "the loss of pairs that are all random": implementation(np.ones(9, "int64"), logits),
    }


@loss.check("returns log 2 for equal scores", points=1)
def not_knowing(implementation: Proxy, random: Random) -> Any:
    labels, logits = guesses(random)
    not_knowing = implementation(labels, np.full((9, 2), random.uniform(-3, 3), "float32"))
    # A function that always returns log 2 is no loss.
    differs = differ(not_knowing, implementation(labels, logits))
    return {"the loss": not_knowing, "whether a guess changes it": differs}


@loss.check("stays finite for a guess that is certain and wrong", points=1)
def sure_and_wrong(implementation: Proxy, random: Random) -> Any:
    labels, _ = guesses(random)
    wrong = np.stack([labels, 1 - labels], axis=1)
    return implementation(labels, (random.uniform(150, 250) * wrong).astype("float32"))


@loss.check("computes in float32, whatever the dtype of the logits", points=0.5)
def half_precision(implementation: Proxy, random: Random) -> Any:
    return with_dtypes([implementation(*guesses(random, dtype)) for dtype in ("float16", "float64")])


@loss.check("runs in a compiled step, and passes gradients on", points=0.5)
def compiled_loss(implementation: Proxy, random: Random) -> Any:
    labels, logits = guesses(random, pairs=131)
    logits[:3] = 200 * np.array([[-1, 1], [1, -1], [1, -1]])  # certain and wrong, twice, and certain and right
    return {
        "the loss in a compiled step": implementation.in_graph(labels, logits),
        **implementation.gradients(labels, logits, along=np.ones((), "float32"), by=("", "logits")),
    }
