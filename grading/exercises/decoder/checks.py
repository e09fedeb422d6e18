"""The checks of chapter 10, decoders. All sizes in a check differ, so that mixing up two axes shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.decoder import dropping
from grading.exercises.decoder.parameters import (
    CONTEXT_LENGTH,
    END,
    HIDDEN_DIM,
    INTERMEDIATE_DIM,
    KEY_DIM,
    LENGTH,
    LONG,
    LONGEST,
    NUM_HEADS,
    QUERY_DIM,
    START,
    UNITS,
    VALUE_DIM,
    WORDS,
    built_block,
    cache_of,
    chain,
    loaded_additive,
    loaded_block,
    loaded_cached,
    table,
    with_large_scores,
    written_and_read,
)
from grading.exercises.random_arrays import Random, normal
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(10, "Writing", "course.decoder")

READY_MADE = (
    "keras.layers.AdditiveAttention",
    "keras.layers.Attention",
    "keras.layers.MultiHeadAttention",
    "keras.layers.GroupQueryAttention",
    "keras.ops.dot_product_attention",
)

forcing = chapter.exercise("teacher_forcing")
greedily = chapter.exercise("greedy")
additive = chapter.exercise("AdditiveAttention", ready_made=READY_MADE)
block = chapter.exercise("DecoderBlock", ready_made=READY_MADE)
beams = chapter.exercise("beam_search")
cached = chapter.exercise("CachedAttention", ready_made=READY_MADE)

# AdditiveAttention -----------------------------------------------------------------------------------------


def query_keys_values(random: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    query, keys = normal(random, 2, LENGTH, QUERY_DIM), normal(random, 2, CONTEXT_LENGTH, KEY_DIM)
    return query, keys, normal(random, 2, CONTEXT_LENGTH, VALUE_DIM)


def last_keys_forbidden() -> np.ndarray:
    """Return a mask (batch, key): the first text has seven words, the second four."""
    return np.arange(CONTEXT_LENGTH) < np.array([[CONTEXT_LENGTH], [4]])


@additive.check("scores with vᵀ tanh(W q + U k), and averages the values with a softmax over the keys", points=1.5)
def formula(implementation: Proxy, random: Random) -> Any:
    answers = loaded_additive(implementation, random).with_one(*query_keys_values(random))
    query, keys, values = query_keys_values(random)
    query[:, ::2, 0], query[:, 1::2, 0] = 1, -1  # exp of their scores is infinite, or 0
    keys[..., 0] = np.sign(keys[..., 0])
    return {**answers, "the answer for large scores": with_large_scores(implementation)(query, keys, values)}


@additive.check("accepts one query per text, and uses the keys as values if none are given", points=0.5)
def one_query(implementation: Proxy, random: Random) -> Any:
    query, keys = normal(random, 2, QUERY_DIM), normal(random, 2, LONG, KEY_DIM)
    made = loaded_additive(implementation, random)
    return {"the answer": made(query, keys), "the answer for one key": made(query, keys[:, :1])}


@additive.check("gives a forbidden key no weight", points=0.5)
def forbidden_keys(implementation: Proxy, random: Random) -> Any:
    low, (query, keys, values) = with_large_scores(implementation, 2.0**20), query_keys_values(random)
    query[..., 0], keys[..., 0] = -1, np.sign(keys[..., 0])
    of_low_scores = low(query, keys, values, key_mask=last_keys_forbidden())
    steep = with_large_scores(implementation, 0, of_key=110)
    keys[..., 0] = np.where(last_keys_forbidden(), -1, 1)
    that_fit_best = steep(query, keys, values, key_mask=last_keys_forbidden())
    made, (query, keys, values) = loaded_additive(implementation, random), query_keys_values(random)
    return {
        "several queries whose scores are all very low": of_low_scores,
        "forbidden keys that fit best": that_fit_best,
        "several queries": made(query, keys, values, key_mask=last_keys_forbidden()),
        "one query": made(query[:, 0], keys, values, key_mask=last_keys_forbidden()),
        "one query with its axis": made(query[:, :1], keys, values, key_mask=last_keys_forbidden()),
    }


def _finite(answers: dict[str, Any]) -> str | None:
    for case, (context, weights) in answers.items():
        if not (np.isfinite(context.astype("float32")).all() and np.isfinite(weights.astype("float32")).all()):
            return Message("returns NaN or infinity with {case}", case=case)
        if not 0.9 < weights.astype("float32")[0].sum(axis=-1).mean() < 1.1:
            return Message("returns weights that do not sum to 1 with {case}", case=case)
    return None


@additive.check("returns no NaN if a text has no allowed key", points=0.5, judge=_finite)
def nothing_allowed(implementation: Proxy, random: Random) -> Any:
    query, keys, values = query_keys_values(random)
    mask = np.arange(CONTEXT_LENGTH) < np.array([[CONTEXT_LENGTH], [0]])
    return {
        Message("a text without an allowed key"): loaded_additive(implementation, random)(
            query, keys, values, key_mask=mask
        ),
        Message("the same in float16"): loaded_additive(implementation, random, "mixed_float16")(
            query, keys, values, key_mask=mask
        ),
    }


@additive.check("is right in mixed precision", points=0.5, tolerance=3e-2)
def mixed_additive(implementation: Proxy, random: Random) -> Any:
    made = loaded_additive(implementation, random, "mixed_float16")
    _, weights = made(normal(random, 2, LENGTH, QUERY_DIM), normal(random, 2, 4000, KEY_DIM))
    sums = np.sum(weights, axis=-1, dtype="float64")  # a softmax in float16 is off by 3e-4, one in float32 by 1e-5
    return {
        **with_dtypes(made(*query_keys_values(random), key_mask=last_keys_forbidden()), made),
        "in double precision": loaded_additive(implementation, random, "float64").dtypes_of_weights(),
        Message("whether the weights of 4,000 keys sum to 1"): bool(np.allclose(sums, 1, rtol=0, atol=1e-4)),
    }


@additive.check("runs in a compiled model, passes gradients on, and survives saving and loading", points=0.5, slow=True)
def additive_in_use(implementation: Proxy, random: Random) -> Any:
    given, made = query_keys_values(random), loaded_additive(implementation, random)
    return {
        "the answer in a compiled model": made.in_graph(*given, last_keys_forbidden()),
        **made.gradients(*given, along=normal(random, 2, LENGTH, VALUE_DIM), by=("query", "keys", "values")),
        "the answer of the layer from the file": made.saved(*given)(*given),
        **implementation(UNITS).weights_of_build(*(array.shape for array in given[:2])),
    }


# teacher_forcing -------------------------------------------------------------------------------------------


def padded(random: Random, words: tuple[int, ...], width: int, padding_id: int = 0) -> np.ndarray:
    """Return texts of the given numbers of words, padded to `width`. A word may occur twice in a row."""
    targets = random.randint(4, 30, (len(words), width)).astype("int32")
    targets[np.arange(width) >= np.array(words)[:, None]] = padding_id
    return targets


def three(answer: Any) -> dict[str, Any]:
    inputs, labels, weights = answer
    return {Message("the inputs"): inputs, Message("the labels"): labels, Message("the weights"): weights}


@forcing.check("shows the start and the words so far, and asks for the next word, then the end", points=1.5)
def shifted(implementation: Proxy, random: Random) -> Any:
    return three(implementation.on_arrays(padded(random, (3, 6, 1, 5), 6), 1, 2))


@forcing.check("accepts other ids, and padding that is not 0", points=0.5)
def other_ids(implementation: Proxy, random: Random) -> Any:
    targets = padded(random, (4, 2, LONG), LONG, padding_id=3)
    targets[:, 1] = 1, 2, 1  # words whose ids are below that of padding
    answer = three(implementation.on_arrays(targets.astype("int16"), start_id=0, end_id=31, padding_id=3))
    dtypes = {Message("the dtype of {name}", name=name): str(array.dtype) for name, array in answer.items()}
    return {
        **answer,
        **dtypes,
        "an end that is 0": three(implementation.on_arrays(targets, start_id=31, end_id=0, padding_id=3)),
    }


@forcing.check("adds the end to texts that fill their row, and to texts without a word", points=0.5)
def full_and_empty(implementation: Proxy, random: Random) -> Any:
    cases = {"a text that fills its row": (4,), "a text without a word": (0,)}
    answers = {case: three(implementation.on_arrays(padded(random, words, 4), 1, 2)) for case, words in cases.items()}
    answers[Message("ids of a large vocabulary")] = three(
        implementation.on_arrays(np.array([[250_001, 40_000, 0]], "int32"), 1, 2)
    )
    answers[Message("texts of length 0")] = three(implementation.on_arrays(np.zeros((2, 0), "int32"), 1, 2))
    # float16 has no odd number above 2,048.
    return {**answers, "a text of 2,051 words": three(implementation.on_arrays(padded(random, (2051,), 2053), 1, 2))}


@forcing.check("runs in a compiled data pipeline, for any batch and length", points=0.5)
def compiled_forcing(implementation: Proxy, random: Random) -> Any:
    answer = three(implementation.in_graph(padded(random, (2, 7, 3), 7), 1, 2))
    return {**answer, "the dtype of the weights": str(answer["the weights"].dtype)}


# DecoderBlock ----------------------------------------------------------------------------------------------


@block.check("applies self-attention, cross-attention, then the feed-forward network (post-LN)", points=1.5, slow=True)
def post_norm(implementation: Proxy, random: Random) -> Any:
    return loaded_block(implementation, random).with_one(*written_and_read(random))


@block.check("normalizes the input of each part, but not the residual path, with norm_first", points=1, slow=True)
def pre_norm(implementation: Proxy, random: Random) -> Any:
    (x, context), made = written_and_read(random), loaded_block(implementation, random, norm_first=True)
    return {
        "the output": made(x, context),
        "the output with an attention_mask": made(x, context, attention_mask=np.eye(LENGTH, dtype=bool)),
        "the output with a context_mask": made(x, context, context_mask=last_keys_forbidden()[:, None, None, :]),
    }


def _the_past_stays(answers: dict[str, np.ndarray]) -> str | None:
    here, changed = answers["as it is"], answers["with other words at the end"]
    if not np.isfinite(here).all() or np.ptp(here) < 1e-3:
        return Message("returns a constant, NaN or infinite output")
    moved = np.abs(here - changed)[:, :3].max()
    return (
        None
        if moved < 1e-5
        else Message("lets words see later words: the first outputs change by {moved}", moved=f"{moved:.2g}")
    )


@block.check("lets no word see a later one", points=0.5, judge=_the_past_stays)
def no_future(implementation: Proxy, random: Random) -> Any:
    x, context = written_and_read(random)
    changed = np.concatenate([x[:, :3], normal(random, 2, LENGTH - 3, HIDDEN_DIM)], axis=1)
    made = loaded_block(implementation, random)
    return {"as it is": made(x, context), "with other words at the end": made(changed, context)}


@block.check("lets no word attend to padding, on either side", points=0.5)
def no_padding(implementation: Proxy, random: Random) -> Any:
    x, context = written_and_read(random)
    made = loaded_block(implementation, random)
    of_x = (np.arange(LENGTH) > np.array([[-1], [1]]))[:, None, None, :]  # in the second text, padding comes first
    of_context = last_keys_forbidden()[:, None, None, :]
    near = np.abs(np.arange(LENGTH)[:, None] - np.arange(LENGTH)) < 3
    of_each_head = np.arange(LENGTH) != np.arange(NUM_HEADS)[:, None, None]
    of_each_head = of_each_head[None] | np.eye(LENGTH, dtype=bool)
    return {
        "the output with an attention_mask of (query, key)": made(x, context, attention_mask=near),
        "the output with an attention_mask for each head": made(x, context, attention_mask=of_each_head),
        "the output with a context_mask": made(x, context, context_mask=of_context),
        "the output with a context_mask of (query, key)": made(
            x, context, context_mask=of_context[1, 0, 0][None] | ~near[:, :1]
        ),
        "the output with an attention_mask": made(x, context, attention_mask=of_x),
        "the output with both": made(x, context, attention_mask=of_x[:, 0], context_mask=of_context),
    }


@block.check("is a block of GPT if there is no context", points=0.5)
def without_context(implementation: Proxy, random: Random) -> Any:
    x, _ = written_and_read(random)
    of_gpt = loaded_block(implementation, random, has_context=False)
    return {
        "the output": of_gpt(x),
        "the output with an attention_mask": of_gpt(x, attention_mask=np.eye(LENGTH, dtype=bool)),
        "the output of a block that was built with one": loaded_block(implementation, random)(x),
        "the output with norm_first": loaded_block(implementation, random, norm_first=True)(x),
    }


@block.check("passes its positions on to both attentions", points=0.5, slow=True)
def positions(implementation: Proxy, random: Random) -> Any:
    x, context = written_and_read(random)
    return {
        Message("the output with {kind}", kind=kind): loaded_block(implementation, random, positions=kind)(x, context)
        for kind in ("rope", "alibi")
    }


@block.check(
    "applies dropout to the output of each part, in training only",
    points=0.5,
    judge=dropping.drops_the_parts,
    slow=True,
)
def dropout(implementation: Proxy, random: Random) -> Any:
    return {
        "of a part": {
            Message("{part} ({order})", part=part, order=order): dropping.of_a_part(
                implementation, random, part, norm_first
            )
            for order, norm_first in (("post-LN", False), ("pre-LN", True))
            for part in dropping.PARTS
        },
        "neither": dropping.around_the_parts(implementation, random),
        "of attention": {
            part: dropping.of_attention(implementation, random, part) for part in ("self_attention", "cross_attention")
        },
    }


@block.check("is right in mixed precision", points=0.5, tolerance=5e-2, slow=True)
def mixed_block(implementation: Proxy, random: Random) -> Any:
    made = loaded_block(implementation, random, dtype="mixed_float16")
    return {
        **with_dtypes(made(*written_and_read(random)), made),
        "in double precision": implementation.once(built_block, has_context=True, dtype="float64").dtypes_of_weights(),
    }


@block.check("trains in a compiled model, and survives saving and loading", points=0.5, slow=True)
def block_in_use(implementation: Proxy, random: Random) -> Any:
    given, made = written_and_read(random), loaded_block(implementation, random)
    many = normal(random, 2, LONG, HIDDEN_DIM), given[1]
    return {
        "the output in a compiled model": made.in_graph(*many),
        **made.gradients(*many, along=normal(random, 2, LONG, HIDDEN_DIM), by=("x", "context")),
        "the output of the block from the file": made.saved(*given)(*given),
        **implementation(HIDDEN_DIM, NUM_HEADS, INTERMEDIATE_DIM).weights_of_build(*(array.shape for array in given)),
    }


# greedy ----------------------------------------------------------------------------------------------------


def starts(implementation: Proxy, *ids: int) -> Proxy:
    """Return the start ids as a NumPy array, not as a tensor."""
    return implementation.make("numpy.array", list(ids))


@greedily.check("takes the likeliest word after all words of a row so far", points=1)
def likeliest(implementation: Proxy, random: Random) -> Any:
    step = table(implementation, random, end=-9.0, until=END)
    return {
        "the words": implementation(step, starts(implementation, 1, 3, 0, 4), END, 6),
        "the words of one text": implementation(step, starts(implementation, 3), END, 6),
    }


@greedily.check("lets each row end by itself, pads it, and stops when all have ended", points=0.5)
def ended_rows(implementation: Proxy, random: Random) -> Any:
    step = chain(implementation, {0: {3: 1.0}, 1: {2: 1.0}, 3: {4: 1.0}, 4: {2: 1.0}, 2: {3: 1.0}}, until=END)
    # As with a translator, row r of the step is always for text r.
    of_texts = [{1: {2: 1.0}}, {1: {3: 1.0}, 3: {2: 1.0}}, {1: {4: 1.0}, 4: {0: 1.0}, 0: {3: 1.0}, 3: {2: 1.0}}]
    of_each = chain(implementation, *(of_texts[number] for number in random.permutation(3)), until=END)
    return {
        "texts of which each has its own table": implementation(of_each, starts(implementation, 1, 1, 1), END, 9),
        "rows that end one after the other": implementation(step, starts(implementation, 1, 3, 0, 4), END, 9),
        "padding of another id": implementation(step, starts(implementation, 4, 0), END, 9, padding_id=4),
        "padding with the id of a word": implementation(step, starts(implementation, 0, 1), END, 9, padding_id=3),
        "padding with the id of the end": implementation(step, starts(implementation, 4, 0), END, 9, padding_id=END),
        "a start with the id of the end": implementation(step, starts(implementation, END, 1), END, 9),
        "an end that is 0": implementation(
            chain(implementation, {1: {4: 1.0}, 4: {0: 1.0}, 0: {4: 1.0}}, until=0),
            starts(implementation, 4, 1),
            0,
            9,
            3,
        ),
    }


@greedily.check("writes at most max_length words", points=0.5)
def at_most(implementation: Proxy, random: Random) -> Any:
    step = chain(implementation, {1: {3: 1.0}, 3: {4: 1.0}, 4: {3: 1.0}})
    return {
        Message("a maximum of {n}", n=n): with_dtypes(implementation(step, starts(implementation, 1, 4), END, n))
        for n in (1, 5, LONG)
    }


# beam_search -----------------------------------------------------------------------------------------------


def found(answer: Any) -> dict[str, Any]:
    ids, score = answer
    return {Message("the ids"): np.asarray(ids).astype("int64"), Message("the score"): np.asarray(score, "float64")}


@beams.check("is greedy with one beam, and sums log P", points=1)
def one_beam(implementation: Proxy, random: Random) -> Any:
    return {
        Message("table {number}", number=number): found(
            implementation(table(implementation, random, spread=1.0), START, END, 1, 6)
        )
        for number in range(20)
    }


@beams.check("continues with the best extensions of all hypotheses", points=2)
def a_few_beams(implementation: Proxy, random: Random) -> Any:
    answers = {}
    for count in (2, 3, 4):
        for number in range(8):
            step = table(implementation, random, end=-9.0, spread=1.0)  # other checks ask what becomes of an end
            answers[
                Message(
                    "{count} beams, table {number}", plural="{count} beams, table {number}", count=count, number=number
                )
            ] = found(implementation(step, START, END, count, 8))
    return answers


@beams.check("is an exhaustive search with as many beams as there are texts", points=1)
def exhaustive(implementation: Proxy, random: Random) -> Any:
    # If the end is rare, the best text has several words, so the penalty matters.
    likely, rare = Message("likely"), Message("rare")
    kinds = ((0.0, likely, 0.0, 4), (2.0, likely, 1.0, 12), (2.0, rare, -9.0, 4))
    return {
        Message(
            "length_penalty={penalty}, an end that is {how}, table {number}", penalty=penalty, how=how, number=number
        ): found(
            implementation(
                table(implementation, random, end=end, spread=1.0),
                START,
                END,
                WORDS**LONGEST,
                LONGEST,
                length_penalty=penalty,
            )
        )
        for penalty, how, end, count in kinds
        for number in range(count)
    }


@beams.check("stores finished texts, and lets them compete until the end", points=1)
def finished(implementation: Proxy, random: Random) -> Any:
    early = chain(implementation, {1: {3: 0.55, 2: 0.45}, 3: {4: 0.6, 0: 0.4}, 4: {2: 0.7, 0: 0.3}, 0: {2: 1.0}})
    later = chain(implementation, {1: {3: 0.7, 2: 0.3}, 3: {4: 0.9, 2: 0.1}, 4: {2: 0.9, 3: 0.1}})
    endless = chain(implementation, {1: {3: 0.9, 2: 0.1}, 3: {4: 1.0}, 4: {3: 1.0}})
    beside = chain(implementation, {1: {3: 0.5, 2: 0.3, 4: 0.2}, 3: {3: 0.34, 0: 0.33, 1: 0.33}, 4: {2: 1.0}})
    behind = chain(implementation, {1: {3: 0.61, 2: 0.39}, 3: {0: 0.55, 4: 0.45}, 4: {2: 1.0}, 0: {0: 0.6, 2: 0.4}})
    dead_end = chain(implementation, {1: {3: 0.6, 4: 0.4}, 4: {2: 1.0}}, others=0.0)
    unlikely = chain(implementation, {1: {3: 2e-4, 4: 1e-4}, 3: {4: 1e-4}, 4: {3: 1e-4}})
    often = chain(implementation, {1: {3: 0.6, 2: 0.4}, 3: {4: 0.6, 2: 0.4}, 4: {3: 0.6, 2: 0.4}})
    behind_at_first = chain(implementation, {1: {2: 0.5, 3: 0.45, 4: 0.05}, 3: {4: 1.0}, 4: {4: 1.0}})
    # The end is only third at first, although ending there would be best of all.
    rarely = chain(
        implementation,
        {
            1: {3: 0.6, 0: 0.25, 2: 0.15},
            3: {4: 0.4, 0: 0.35, 1: 0.25},
            0: {3: 0.4, 4: 0.35, 1: 0.25},
            4: {3: 0.38, 0: 0.33, 1: 0.29},
        },
    )
    return {
        "an unfinished text beside a finished one": found(implementation(beside, START, END, 2, 5, length_penalty=1.0)),
        "two unfinished texts, one finished": found(implementation(behind, START, END, 2, 5, length_penalty=1.0)),
        "a short text that stays the best": found(implementation(early, START, END, 2, 6)),
        "a longer text that is better than a finished one": found(implementation(later, START, END, 3, 6)),
        "a text that beats many finished ones": found(implementation(often, START, END, 2, 9, length_penalty=1.0)),
        "a text that becomes better than a finished one": found(
            implementation(behind_at_first, START, END, 2, 6, length_penalty=1.0)
        ),
        "a text beside one that no word can follow": found(implementation(dead_end, START, END, 2, 5)),
        "a text that does not end": found(implementation(endless, START, END, 2, 5)),
        "an end that is not among the best few": found(implementation(rarely, START, END, 2, 4)),
        "a long text": found(implementation(endless, START, END, 2, LONG)),
        "an end that is 0": found(
            implementation(chain(implementation, {1: {4: 0.8, 3: 0.2}, 4: {0: 1.0}}), START, 0, 2, 5)
        ),
        "a start with the id of the end": found(
            implementation(
                chain(implementation, {END: {4: 0.8, 3: 0.2}, 4: {3: 0.7, END: 0.3}, 3: {END: 1.0}}), END, END, 2, 5
            )
        ),
        "a start that is 0": found(implementation(chain(implementation, {0: {4: 1.0}, 4: {2: 1.0}}), 0, END, 2, 5)),
        "a long text whose probability underflows": found(implementation(unlikely, START, END, 2, LONG)),
    }


@beams.check("divides by n^length_penalty, where n includes the end", points=1)
def by_length(implementation: Proxy, random: Random) -> Any:
    step = chain(implementation, {1: {3: 0.5, 2: 0.5}, 3: {4: 0.9, 2: 0.1}, 4: {2: 1.0}})
    answers = {
        f"length_penalty={penalty}": found(implementation(step, START, END, 3, 5, length_penalty=penalty))
        for penalty in (0.4, 1.0)
    }
    # Long texts and a high penalty: a search that stops early, or that keeps others, finds the same in half of these.
    for count in (2, 3):
        for number in range(10):
            step = table(implementation, random, spread=1.0)
            answer = found(implementation(step, START, END, count, 12, length_penalty=1.2))
            answers[
                Message(
                    "{count} beams, table {number}", plural="{count} beams, table {number}", count=count, number=number
                )
            ] = answer
    return answers


# CachedAttention -------------------------------------------------------------------------------------------


def in_chunks(made: Proxy, x: np.ndarray, cache: Any, *chunks: int) -> tuple[dict[str, Any], Any]:
    answers: dict[str, Any] = {}
    position = 0
    for new in chunks:
        words = Message("words {first} to {last}", first=position + 1, last=position + new)
        answers[words], cache = made(x[:, position : position + new], cache, position=position)
        position += new
    return answers, cache


@cached.check("returns word by word what a causal mask returns for the whole text", points=1.5)
def one_by_one(implementation: Proxy, random: Random) -> Any:
    made, x, cache = loaded_cached(implementation, random), normal(random, 2, LENGTH, HIDDEN_DIM), cache_of(0.0, LENGTH)
    in_training, outside = (made(x, cache, position=0, training=training)[0] for training in (True, False))
    return {
        **in_chunks(made, x, cache, *[1] * LENGTH)[0],
        Message("whether training changes nothing"): np.array_equal(in_training, outside),
    }


@cached.check("accepts several words at once, at the start and later", points=0.5)
def chunks(implementation: Proxy, random: Random) -> Any:
    made = loaded_cached(implementation, random)
    x = normal(random, 2, 7, HIDDEN_DIM)
    at_once = in_chunks(made, x, cache_of(0.0, 7), 7)[0]
    return {**in_chunks(made, x, cache_of(0.0, 7), 3, 1, 2, 1)[0], **at_once}


@cached.check("ignores what the cache holds after the new words", points=1)
def not_written_yet(implementation: Proxy, random: Random) -> Any:
    made, x = loaded_cached(implementation, random), normal(random, 2, LENGTH, HIDDEN_DIM)
    return in_chunks(made, x, cache_of(99.0, LONG), 2, 1, 2)[0]


@cached.check("writes keys and values to their places, and changes nothing else", points=0.5)
def cache_written(implementation: Proxy, random: Random) -> Any:
    made, x = loaded_cached(implementation, random), normal(random, 2, LENGTH, HIDDEN_DIM)
    return {"the cache": in_chunks(made, x, cache_of(7.0, LENGTH + 2), 3, 1)[1]}


@cached.check("keeps no state of its own: alternating texts do not mix", points=0.5)
def two_texts(implementation: Proxy, random: Random) -> Any:
    made = loaded_cached(implementation, random)
    one, other = normal(random, 2, 3, HIDDEN_DIM), normal(random, 1, 3, HIDDEN_DIM)
    of_one, of_other = cache_of(0.0, 4), cache_of(0.0, 6, batch=1)
    answers = {}
    for place in range(3):
        word = slice(place, place + 1)
        answers[Message("one text, word {number}", number=place + 1)], of_one = made(
            one[:, word], of_one, position=place
        )
        answers[Message("another text, word {number}", number=place + 1)], of_other = made(
            other[:, word], of_other, position=place
        )
    return answers


@cached.check("is right in mixed precision", points=0.5, tolerance=3e-2)
def mixed_cached(implementation: Proxy, random: Random) -> Any:
    x, full = normal(random, 2, 2, HIDDEN_DIM), normal(random, *cache_of(0.0, 6).shape)
    half = loaded_cached(implementation, random, "mixed_float16")
    return with_dtypes(half(x.astype("float16"), full.astype("float16"), position=3))


@cached.check("runs in a compiled model", points=0.5, slow=True)
def cached_in_use(implementation: Proxy, random: Random) -> Any:
    x, full = normal(random, 2, 2, HIDDEN_DIM), normal(random, *cache_of(0.0, LONG).shape)
    made = loaded_cached(implementation, random)
    return {
        "the answer in a compiled model": made.in_graph(x, full, position=LONG - 3),
        "the answer if the position is a tensor": made.in_graph(x, full, np.array(LONG - 3, "int32")),
    }
