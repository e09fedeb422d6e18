"""The checks of chapter 11, objectives. Random results are judged by their statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.objectives import discriminator, fakes, infilling, noise, spans, tiny_electra
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(11, "Objectives", "course.objectives")

Random = np.random.RandomState

packing = chapter.exercise("pack_documents")
hiding = chapter.exercise("span_mask")
spoiling = chapter.exercise("corrupt")
faking = chapter.exercise("replaced_tokens")
electra = chapter.exercise("Electra")
languages = chapter.exercise("language_probabilities")

# pack_documents --------------------------------------------------------------------------------------------


def documents(random: Random, sentences: tuple[int, ...], longest: int) -> list[list[list[int]]]:
    """Return documents with the given numbers of sentences, each of one to `longest` pieces."""
    return [
        [random.randint(20, 99, random.randint(1, longest + 1)).tolist() for _ in range(count)] for count in sentences
    ]


def rows(answer: Any) -> dict[str, Any]:
    token_ids, document_ids = answer
    return {Message("the token ids"): token_ids, Message("the document ids"): document_ids}


def token_rows(answer: Any) -> Any:
    return rows(answer)["the token ids"]


@packing.check("begins each row with [CLS], and adds whole sentences while they fit", points=1)
def one_document(implementation: Proxy, random: Random) -> Any:
    exact = [[[31, 32], [33, 34, 35], [36, 37, 38, 39, 40, 41], [42]]]  # the first two fill a row, the third another
    return {
        "the rows of a document": token_rows(implementation(documents(random, (50,), 6), 13, 2, 3)),
        "rows without a free place": token_rows(implementation(exact, 8, 2, 3)),
        "the row of one piece": token_rows(implementation([[[77]]], 5, 2, 3)),
    }


@packing.check("ends each document with [SEP], and begins the next one in the same row", points=1)
def several_documents(implementation: Proxy, random: Random) -> Any:
    tight = [[[31, 32]], [[33, 34]], [[35]]]  # the second fits with its [SEP], and then the third does not
    alike = [[[41], [42, 43], [41]], [[44], [44]], [[44]]]  # sentences like the last one of their document
    return {
        # In twenty rows, no other rule agrees by chance.
        "the rows of 28 documents": token_rows(
            implementation(documents(random, (3, 1, 4, 2, 1, 5, 2) * 4, 5), 17, 2, 3)
        ),
        "rows in which a [SEP] decides": token_rows(implementation(tight, 7, 2, 3)),
        "the row of documents that repeat sentences": token_rows(implementation(alike, 16, 2, 3)),
    }


@packing.check("cuts a sentence that is longer than a row, and loses none of it", points=0.5)
def long_sentences(implementation: Proxy, random: Random) -> Any:
    long = [[random.randint(20, 99, 3).tolist(), random.randint(20, 99, 23).tolist(), [55, 56]], [[57]]]
    return {
        "the rows": token_rows(implementation(long, 9, 2, 3)),
        "a sentence of exactly two rows": token_rows(implementation([[list(range(30, 44)), [50]]], 9, 2, 3)),
    }


@packing.check("returns the document of each token, and 0 for padding", points=1)
def owners(implementation: Proxy, random: Random) -> Any:
    several = documents(random, (2, 6, 1, 1, 3) * 5, 7)
    several += [[list(range(30, 47))], [[50]]]  # the last row has padding
    return rows(implementation(several, 19, 2, 3))


@packing.check("accepts other ids, and adds nothing for empty sentences and documents", points=0.5)
def other_ids(implementation: Proxy, random: Random) -> Any:
    several = documents(random, (2, 3, 1) * 7, 4)
    several[1].insert(1, [])
    several[2].append([])
    several = [[], several[0], [[]], [], *several[1:], [[], []], [[0, 34], [0]]]
    ids = {"cls_id": 101, "sep_id": 102, "padding_id": 7}
    return {
        **with_dtypes(implementation(several, 11, **ids)),
        "a long row with much padding": implementation([[[33, 34]], [[35]]], 150, **ids),
        "many short documents": implementation([[[36]]] * 140, 150, **ids),
    }


# span_mask -------------------------------------------------------------------------------------------------


def seed(random: Random) -> int:
    return int(random.randint(1, 10**6))


@hiding.check("hides whole words and no special token, in contiguous spans", points=0.5, judge=spans.judge_words)
def whole_words(implementation: Proxy, random: Random) -> Any:
    token_ids, word_ids = spans.texts(random, 150, 61)
    texts = token_ids.astype("int64"), word_ids
    return spans.seen(texts, spans.hidden(implementation, texts, seed(random), rate=0.4))


@hiding.check("hides the given share of each row's pieces, and no more", points=1, judge=spans.judge_share)
def share(implementation: Proxy, random: Random) -> Any:
    of_one_piece, texts = spans.short_texts(random, 130, 47), spans.texts(random, 120, 61)
    return {
        Message("if words have one piece"): spans.seen(
            of_one_piece, spans.hidden(implementation, of_one_piece, seed(random)), rate=0.15
        ),
        Message("if words have several pieces"): spans.seen(
            texts, spans.hidden(implementation, texts, seed(random)), rate=0.15
        ),
        Message("at a rate of 0.5"): spans.seen(
            texts, spans.hidden(implementation, texts, seed(random), rate=0.5), rate=0.5
        ),
    }


@hiding.check(
    "draws lengths from a geometric distribution, and redraws those that are too long",
    points=1,
    judge=spans.judge_lengths,
)
def lengths(implementation: Proxy, random: Random) -> Any:
    texts, short = spans.words_alone(random, 26, 600), spans.words_in_threes(random, 6, 600)
    return {
        Message("with p = 0.2 and at most 10 words"): spans.seen(
            texts, spans.hidden(implementation, texts, seed(random)), p=0.2, longest=10
        ),
        Message("with p = 0.4 and at most 4 words"): spans.seen(
            texts, spans.hidden(implementation, texts, seed(random), p=0.4, longest=4), p=0.4, longest=4
        ),
        Message("with p = 1 and at most 3 words"): spans.seen(
            texts, spans.hidden(implementation, texts, seed(random), p=1.0, longest=3), p=1.0, longest=3
        ),
        # Only up to three words fit, so longer spans are drawn again, as if `longest` were 3.
        Message("where at most 3 words fit"): spans.seen(
            short, spans.hidden(implementation, short, seed(random), rate=0.05), p=0.2, longest=3
        ),
    }


@hiding.check(
    "begins a span at each word from which it fits, all equally likely",
    points=0.5,
    judge=spans.judge_places,
    slow=True,
)
def starts(implementation: Proxy, random: Random) -> Any:
    of_one, of_both = spans.words_alone(random, 2500, 13), spans.words_long_and_short(random, 700, 9)
    one_span = spans.hidden(implementation, of_one, seed(random), rate=0.08, p=0.3, longest=6)
    single_words = spans.hidden(implementation, of_both, seed(random), rate=0.02, p=1.0)
    two_pieces = spans.hidden(implementation, of_both, seed(random), rate=0.08, p=1.0)
    in_threes = spans.words_in_threes(random, 80, 100)
    long_spans = spans.hidden(implementation, in_threes, seed(random), rate=0.05, p=0.02)
    return {
        "in stretches of three": spans.seen(in_threes, long_spans),
        "of one piece": spans.seen(of_one, one_span, p=0.3, longest=6),
        "of one piece and of five": spans.seen(of_both, single_words),
        "where two pieces are hidden": spans.seen(of_both, two_pieces),
    }


@hiding.check("hides no word twice, even if all are hidden", points=0.5, judge=spans.judge_crowded)
def crowded(implementation: Proxy, random: Random) -> Any:
    texts, full = spans.texts(random, 60, 41), spans.words_alone(random, 23, 31)
    texts[0][0] = spans.PADDING
    rows = {
        Message("in texts of which the first is empty"): texts,
        Message("in rows that are full of words"): full,
        Message("in one row"): spans.words_alone(random, 1, 31),
        Message("in rows of one word, all with the same number"): spans.words_alone(random, 7, 1),
    }
    answers = {
        name: spans.seen(texts, spans.hidden(implementation, texts, seed(random), rate=1.0))
        for name, texts in rows.items()
    }
    zeros = np.zeros_like(full[0]), full[1]
    hidden = spans.hidden(implementation, zeros, seed(random), special_ids=[], rate=1.0)
    return {**answers, Message("in rows of words with the id 0, where no id is special"): spans.seen(full, hidden)}


@hiding.check("repeats the spans for the same integer, and advances a generator", points=0.5, judge=spans.judge_seeds)
def span_seeds(implementation: Proxy, random: Random) -> Any:
    return spans.hidden_with_seeds(implementation, spans.texts(random, 40, 53), seed(random))


# corrupt ---------------------------------------------------------------------------------------------------


@spoiling.check("masks a share of the words", points=0.5, judge=noise.judge_masks)
def masks(implementation: Proxy, random: Random) -> Any:
    # A half is rounded to the even number.
    of_five = noise.case(implementation, random, "mask", 0.5, (2, 3))
    return {
        **noise.cases(implementation, random, "mask"),
        **noise.repeating(implementation, random, "mask"),
        Message("at a rate of 0.5, in a text of five words"): of_five,
    }


@spoiling.check("substitutes words with others, drawn by their probability", points=0.5, judge=noise.judge_substitutes)
def substitutes(implementation: Proxy, random: Random) -> Any:
    likely = [int(noise.TO_DRAW[0]), int(noise.TO_DRAW[12])]  # half of all draws
    with_0 = noise.PROBABILITIES.copy()
    with_0[0] = with_0.max()
    options = {
        "probabilities": with_0 / with_0.sum(),
        "special_ids": [number for number in noise.SPECIAL_IDS if number != 0],
    }
    return {
        **noise.cases(implementation, random, "substitute", noise.MANY),
        **noise.repeating(implementation, random, "substitute"),
        noise.FEW: noise.few_words(implementation, random, likely),
        noise.FEW_WITH_0: noise.few_words(implementation, random, [0, likely[0]], **options),
        noise.ALIKE: noise.one_likely_word(implementation, random),
        noise.HALF: noise.case(implementation, random, "substitute", 0.5, (20, 25)),
    }


@spoiling.check("deletes words without a trace", points=0.5, judge=noise.judge_deleted)
def deleted(implementation: Proxy, random: Random) -> Any:
    # A half is rounded to the even number.
    of_five = noise.case(implementation, random, "delete", 0.5, (2, 3))
    return {
        **noise.cases(implementation, random, "delete"),
        **noise.repeating(implementation, random, "delete"),
        Message("at a rate of 0.5, in a text of five words"): of_five,
    }


@spoiling.check("inserts words before and after others, and keeps all", points=0.5, judge=noise.judge_inserted)
def inserted(implementation: Proxy, random: Random) -> Any:
    given, drawing = noise.text(random, (1,) * 700), noise.generator(implementation, random)
    results = [noise.spoiled(implementation, given, "insert", 1, drawing) for _ in range(3)]
    return {
        noise.HALF: noise.case(implementation, random, "insert", 0.5, (20, 25)),
        **noise.repeating(implementation, random, "insert"),
        Message("at a rate of 0.3"): noise.case(implementation, random, "insert", 0.3, noise.SEVERAL),
        Message("at a rate of 0.85"): noise.case(implementation, random, "insert", 0.85, noise.MANY),
        **{name: {"given": given, "rate": 1, "found": found} for name, found in zip(noise.CALLS, results, strict=True)},
        Message("between special tokens"): noise.case(implementation, random, "insert", 1, (1, 0, 0) * 40),
    }


@spoiling.check("shuffles windows of three words", points=0.5, judge=noise.judge_reordered)
def reordered(implementation: Proxy, random: Random) -> Any:
    long = {
        Message("at a rate of {rate}", rate=rate): noise.case(
            implementation, random, "reorder", rate, (200, 1, 602, 2, 0, 103)
        )
        for rate in (0.4, 1)
    }
    drawing = noise.generator(implementation, random)
    short = []
    # A half is rounded to the even number, and windows of a single word count.
    for stretches, rate in (((3, 3), 0.5), ((3,) * 5, 0.5), ((1, 3, 1), 0.4)):
        given = noise.text(random, stretches)
        results = [noise.spoiled(implementation, given, "reorder", rate, drawing) for _ in range(80)]
        short.append([{"given": given, "rate": rate, "found": result} for result in results])
    return {
        "long texts": {
            **long,
            Message("in a text without special tokens"): noise.of_words(implementation, random, "reorder", 1, 60),
        },
        "short texts": short,
        "pairs": noise.case(implementation, random, "reorder", 1, (2,) * 80),
    }


@spoiling.check("replaces each stretch of words by one [MASK]", points=0.5, judge=infilling.judge_infilled)
def infilled(implementation: Proxy, random: Random) -> Any:
    return {
        Message("at a rate of 0.3"): [
            noise.case(implementation, random, "infill", 0.3, (300, 1, 350, 248)) for _ in range(20)
        ],
        Message("at a rate of 1"): [noise.case(implementation, random, "infill", 1, (12, 1, 0, 5))],
        noise.HALF: [noise.case(implementation, random, "infill", 0.5, (20, 25))],
        Message("in a text without special tokens"): [noise.of_words(implementation, random, "infill", 1, 9)],
        infilling.SHORT: [noise.case(implementation, random, "infill", 0.05, (3,) * 450) for _ in range(20)],
    }


KINDS = ("mask", "substitute", "delete", "insert", "reorder", "infill")


@spoiling.check("changes nothing at rate 0, and never changes the given list", points=0.5, judge=noise.judge_unchanged)
def unchanged(implementation: Proxy, random: Random) -> Any:
    answers = {}
    for kind in KINDS:
        given, drawing = noise.text(random, (45, 62)), noise.generator(implementation, random)
        as_list = implementation.make("builtins.list", given)
        answers[kind] = (
            given,
            *(noise.spoiled(implementation, as_list, kind, rate, drawing) for rate in (0, 0.5, 0)),
        )
    drawing = noise.generator(implementation, random)
    cases = {
        Message("in a text without words"): (noise.text(random, (0, 0)), 1),
        Message("in an empty text"): ([], 1),
        Message("in a text of 45 words at a rate of 0.01"): (noise.text(random, (20, 25)), 0.01),
    }
    return {
        "texts": answers,
        "too little": {
            Message("{where}, with {kind}", where=where, kind=kind): (
                given,
                noise.spoiled(implementation, given, kind, rate, drawing),
            )
            for where, (given, rate) in cases.items()
            for kind in KINDS
        },
    }


@spoiling.check("draws new places at each call, all equally likely", points=0.5, judge=noise.judge_places)
def places(implementation: Proxy, random: Random) -> Any:
    drawing, number, given = noise.generator(implementation, random), seed(random), noise.text(random, (240,))

    def again(kind: str) -> list[Any]:
        """Return the texts from two generators with the same seed."""
        starts = [implementation.make("numpy.random.default_rng", number) for _ in range(2)]
        return [noise.spoiled(implementation, given, kind, 0.25, start) for start in starts]

    return {
        "calls": {
            kind: [
                {"given": given, "rate": 0.25, "found": noise.spoiled(implementation, given, kind, 0.25, drawing)}
                for _ in range(9)
            ]
            for kind in ("mask", "substitute", "delete")
        },
        "same seed": {kind: again(kind) for kind in KINDS},
    }


# replaced_tokens -------------------------------------------------------------------------------------------


@faking.check("puts the drawn words in the hidden places, and marks those that changed", points=1)
def put(implementation: Proxy, random: Random) -> Any:
    answers = implementation.with_one(*fakes.certain(random), seed=seed(random))
    return {case: fakes.told(answer) for case, answer in answers.items()}


@faking.check("draws from the softmax of the logits, separately at each place", points=1, judge=fakes.judge_draws)
def draws(implementation: Proxy, random: Random) -> Any:
    guesses = fakes.uncertain(800)
    made = implementation.make("keras.random.SeedGenerator", seed(random))
    return {
        "token_ids": guesses[0],
        "answer": implementation(*guesses, seed=made),
        "of many": implementation(*fakes.of_many(), seed=made)[0],
    }


@faking.check(
    "draws new words at each call, and the same ones for the same integer", points=0.5, judge=fakes.judge_seeds
)
def fake_seeds(implementation: Proxy, random: Random) -> Any:
    return fakes.drawn_with(implementation, random)


@faking.check("runs in a compiled training step, for any batch and length", points=0.5)
def compiled_fakes(implementation: Proxy, random: Random) -> Any:
    answer = implementation.in_graph(*fakes.certain(random, 3, 140, 6), seed=seed(random))
    steps = implementation.two_steps(*fakes.uncertain(31), seed=None)
    calls = [implementation(*fakes.uncertain(31), seed=None) for _ in range(2)]
    return {
        **with_dtypes(answer),
        # Where no call draws new ones, another check says so.
        "whether each compiled step draws new words": np.array_equal(*calls) or not np.array_equal(*steps),
    }


# Electra ---------------------------------------------------------------------------------------------------


@electra.check(
    "replaces words by [MASK], and asks the generator for the originals",
    points=1,
    judge=discriminator.judge_hidden,
    slow=True,
)
def hidden_words(implementation: Proxy, random: Random) -> Any:
    texts = tiny_electra.texts(random)
    return {
        "texts": texts["token_ids"],
        "answer": tiny_electra.seeing(implementation)(texts),
        "looking around": tiny_electra.seeing(implementation, around=1.0)(texts),
    }


@electra.check(
    "shows the discriminator the texts with fakes, and lets it judge every word",
    points=1,
    judge=discriminator.judge_fakes,
    slow=True,
)
def found_fakes(implementation: Proxy, random: Random) -> Any:
    texts = tiny_electra.texts(random)
    return {
        "texts": texts["token_ids"],
        "answer": tiny_electra.seeing(implementation)(texts),
        "guessing [SEP]": tiny_electra.seeing(implementation, guess=tiny_electra.SEP_ID)(texts),
    }


@electra.check(
    "lets both models read the encoder's embeddings, with segments, documents and padding", points=1, slow=True
)
def readers(implementation: Proxy, random: Random) -> Any:
    return tiny_electra.read(implementation, random)


@electra.check(
    "masks new words at each call in training, and those of its seed elsewhere",
    points=0.5,
    judge=discriminator.judge_seeds,
    slow=True,
)
def electra_seeds(implementation: Proxy, random: Random) -> Any:
    made, texts = tiny_electra.seeing(implementation), tiny_electra.texts(random)
    of_zero = tiny_electra.seeing(implementation, seed=0)
    return {
        "texts": texts["token_ids"],
        "quiet": made(texts, training=False),
        "training": made(texts, training=True),
        "training again": made(texts, training=True),
        "quiet again": made(texts),  # training is False by default
        "seed 0": of_zero(texts, training=False),
        "seed 0 again": of_zero(texts, training=False),
        "drawn": tiny_electra.drawn(implementation, random),
    }


@electra.check(
    "applies both models' dropout in training only",
    points=0.5,
    judge=discriminator.judge_dropout,
    slow=True,
)
def dropped(implementation: Proxy, random: Random) -> Any:
    texts = {"token_ids": random.choice(tiny_electra.WORDS, (5, 9)).astype("int32")}
    answers = {}
    for name, rates in {"generator": {"generator_dropout": 0.4}, "discriminator": {"encoder_dropout": 0.4}}.items():
        made = tiny_electra.loaded(implementation, random, rate=1.0, **rates)
        answers[name] = [made(texts, training=training) for training in (False, False, True, True)]
    return answers


@electra.check("adds the loss of the words and λ times the discriminator's loss", points=1, slow=True)
def losses(implementation: Proxy, random: Random) -> Any:
    outputs = tiny_electra.judged(random, [7, 3, 5])
    answers = {}
    for weight in (50.0, 3.0, 0.0):
        made = tiny_electra.loaded(implementation, random, weight=weight)
        answers[Message("the loss with λ = {weight}", weight=f"{weight:g}")] = made.method("compute_loss")(
            None, None, outputs
        )
    return answers


@electra.check("stays finite if the discriminator is sure, if there are no words, and in float16", points=0.5)
def extremes(implementation: Proxy, random: Random) -> Any:
    compute = tiny_electra.loaded(implementation, random, weight=3.0).method("compute_loss")
    sure, half = tiny_electra.judged(random, [6, 2, 4]), tiny_electra.judged(random, [7, 5, 1], "float16")
    sure["fake_logits"] *= 70
    no_word = tiny_electra.judged(random, [0, 0])
    return {
        "the loss of a sure discriminator": compute(None, None, sure),
        "the loss without words": compute(None, None, no_word),
        **{
            Message("in float16, {name}", name=name): value
            for name, value in with_dtypes(compute(None, None, half)).items()
        },
    }


@electra.check("updates the metrics, as means over the words of all batches", points=0.5)
def metrics(implementation: Proxy, random: Random) -> Any:
    made = tiny_electra.loaded(implementation, random, weight=3.0)
    for words in ([7, 2, 6], [3, 1], [7, 7, 5, 2]):
        made.method("compute_loss")(None, None, tiny_electra.judged(random, words))
    results = made.method("get_metrics_result")()
    names = ("masked_lm_loss", "masked_lm_accuracy", "discriminator_loss", "fakes_found", "false_alarms")
    return {name: results[name] for name in names}


@electra.check(
    "trains in a compiled step: the generator only by its words, the embeddings by both losses",
    points=0.5,
    judge=discriminator.judge_training,
    slow=True,
)
def learning(implementation: Proxy, random: Random) -> Any:
    texts, number = tiny_electra.texts(random), seed(random)
    return {
        "texts": texts["token_ids"],
        "compiled": tiny_electra.seeing(implementation).in_graph(texts, training=True),
        "alone": tiny_electra.moved(implementation, Random(number), weight=0.0),
        "both": tiny_electra.moved(implementation, Random(number), weight=50.0),
    }


# language_probabilities ------------------------------------------------------------------------------------


@languages.check("returns p^α, divided by the sum over all languages", points=1)
def formula(implementation: Proxy, random: Random) -> Any:
    return {
        "three languages": with_dtypes(implementation([90, 9, 1])),
        "three languages in an array": implementation(
            implementation.make("numpy.array", random.uniform(1, 100, 3).tolist())
        ),
        "languages with billions of tokens": implementation([9 * 10**9, 3 * 10**9, 10**5]),
        "five languages": implementation((random.randint(1, 10**6, 5)).tolist()),
        "with α = 0.7": implementation(random.uniform(0.1, 30, 4).tolist(), alpha=0.7),
        "with α = 2": implementation(random.uniform(0.1, 30, 3).tolist(), 2),
        "with α = 2 and billions of tokens": implementation([9 * 10**9, 4 * 10**9, 10**7], 2),
        "a single language": implementation([int(random.randint(1, 100))]),
        "a language with one of a billion sentences": implementation([10**9, 1]),
        "very many languages": implementation(random.randint(1, 10**6, 141).tolist()),
    }


@languages.check("draws each language by its share with α = 1, and uniformly with α = 0", points=0.5)
def ends(implementation: Proxy, random: Random) -> Any:
    counts = random.randint(1, 5000, 6).tolist()
    return {"α = 1": implementation(counts, alpha=1.0), "α = 0": implementation(counts, alpha=0.0)}


@languages.check("never draws a language without text", points=0.5)
def without_text(implementation: Proxy, random: Random) -> Any:
    counts = [0, *random.randint(1, 5000, 3).tolist(), 0]
    alone = [0, int(random.randint(1, 5000)), 0]
    return {
        **{Message("α = {alpha}", alpha=f"{alpha:g}"): implementation(counts, alpha=alpha) for alpha in (0.0, 0.3)},
        "a single language with text": implementation(alone),
    }
