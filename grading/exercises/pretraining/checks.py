"""Checks of pretraining as students write it. Random results are judged by properties that every masking has."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises.pretraining import masking, parameters
from grading.exercises.random_arrays import Random, normal
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, changes, differ, with_dtypes
from grading.messages import Message, any_of

chapter = Chapter(7, "Pretraining", "course.pretraining")

schedule = chapter.exercise(
    "WarmupLinearDecay",
    ready_made=("keras.optimizers.schedules.CosineDecay", "keras.optimizers.schedules.PolynomialDecay"),
)
decays = chapter.exercise("decays_weight")
pretrainer = chapter.exercise("BertPretrainer")


# WarmupLinearDecay -----------------------------------------------------------------------------------------


def rates(implementation: Proxy, random: Random, warmup_steps: int, total_steps: int, steps: list[int]) -> dict:
    """The learning rates of some steps of one schedule, called as the optimizer calls it."""
    made = implementation(float(random.uniform(0.2, 0.9)), warmup_steps, total_steps)
    answers = {Message("the rate of step {step}", step=step): made(np.array(step, "int32")) for step in steps}
    return {**answers, Message("the rate of step {step}, a Python integer", step=steps[0]): made(steps[0])}


@schedule.check("rises in a straight line, from 0 at step 0", points=1)
def rise(implementation: Proxy, random: Random) -> Any:
    return rates(implementation, random, 8, 31, [0, 1, 3, 6, 7])


@schedule.check("reaches its peak when the rise ends, and not a step earlier or later", points=1)
def summit(implementation: Proxy, random: Random) -> Any:
    return rates(implementation, random, 5, 23, [4, 5, 6])


@schedule.check("falls in a straight line, to 0 at total_steps", points=1)
def fall(implementation: Proxy, random: Random) -> Any:
    return {
        **rates(implementation, random, 6, 29, [9, 17, 24, 28, 29]),
        **rates(implementation, random, 1000, 10_001, [2049, 4099, 9999]),  # float16 has none of these numbers
        **rates(implementation, random, 10_000, 1_000_000, [5_001, 400_001]),
        "the rate of a high peak": implementation(3.0, 2, 10)(np.array(3, "int32")),
    }


@schedule.check("stays at 0 after the training", points=0.5)
def afterwards(implementation: Proxy, random: Random) -> Any:
    last = random.randint(13, 23)
    answers = rates(implementation, random, 4, last, [9, last + 1, last + 8, 500])
    # A rate that is always 0 trains nothing.
    trains = bool(np.all(answers.pop("the rate of step 9") > 0))
    return {**answers, "whether the rate of step 9 is above 0": trains}


@schedule.check("starts at the peak if there is no rise", points=0.5)
def no_rise(implementation: Proxy, random: Random) -> Any:
    return rates(implementation, random, 0, 13, [0, 1, 7])


@schedule.check("runs in a compiled training step", points=1)
def compiled_rate(implementation: Proxy, random: Random) -> Any:
    made = implementation(float(random.uniform(0.2, 0.9)), 7, 37)
    answers: dict[str, Any] = {
        Message("the rate of step {step}", step=step): made.in_graph(np.array(step, "int64")) for step in (3, 20)
    }
    return {**answers, **with_dtypes(answers["the rate of step 3"])}


# decays_weight ---------------------------------------------------------------------------------------------


def answers(implementation: Proxy, paths: list[str], unlike: list[str]) -> dict[str, Any]:
    """The answer for each path, and whether some unlike path gets another one.

    Code that returns the same for every path must not pass.
    """
    answers = {path: implementation(path) for path in paths}
    differs = any(differ(implementation(path), answers[paths[0]]) for path in unlike)
    return {**answers, Message("whether {paths} is another case", paths=any_of(unlike)): differs}


@decays.check("lets kernels and embeddings decay", points=1)
def matrices(implementation: Proxy, random: Random) -> Any:
    early, late = random.randint(0, 6), random.randint(6, 24)
    paths = [
        f"bert_encoder/block_{early}/attention/query/kernel",
        f"bert_encoder/block_{late}/feed_forward/output/kernel",
        "bert_encoder/embedding/token_embedding/embeddings",
        "bert_encoder/embedding/position_embedding/embeddings",
        "next_sentence_head/dense/kernel",
    ]
    return answers(implementation, paths, unlike=["pooler/bias", "norm/gamma"])


@decays.check("lets no bias decay", points=1)
def biases(implementation: Proxy, random: Random) -> Any:
    paths = [
        f"bert_encoder/block_{random.randint(0, 24)}/attention/value/bias",
        "next_sentence_head/dense/bias",
        "masked_lm_head/bias",
        "bias",
    ]
    return answers(implementation, paths, unlike=["pooler/kernel", "token_embedding/embeddings"])


@decays.check("lets no γ and no β of a normalization decay", points=1)
def normalizations(implementation: Proxy, random: Random) -> Any:
    owners = (
        f"bert_encoder/block_{random.randint(0, 24)}/attention_norm",
        "bert_encoder/embedding/norm",
        f"layer_normalization_{random.randint(2, 50)}",
        "encoder/ln",
        "kernel/embeddings",  # the names of layers, which do not matter
    )
    paths = [f"{owner}/{kind}" for kind in ("gamma", "beta") for owner in owners]
    return answers(implementation, paths, unlike=["pooler/kernel", "token_embedding/embeddings"])


@decays.check("looks at the variable's own name only, not at the names of its layers", points=1)
def own_name(implementation: Proxy, random: Random) -> Any:
    tower = f"gamma_tower_{random.randint(2, 50)}"
    paths = ["unbiased/dense/kernel", f"beta/{tower}/kernel", "norm/projection/kernel", "normal_dense/kernel", "kernel"]
    return answers(implementation, paths, unlike=["pooler/bias", "norm/gamma"])


# BertPretrainer --------------------------------------------------------------------------------------------


@pretrainer.check("masks words, and asks for the original words", points=2, judge=masking.judge_masking)
def hidden_words(implementation: Proxy, random: Random) -> Any:
    made, texts = masking.guessing(implementation), masking.texts(random)
    return {"texts": texts["token_ids"], "answer": made(texts)}


@pretrainer.check(
    "draws new masks at each call in training, and the masks of its seed otherwise",
    points=2,
    judge=masking.judge_seeds,
    slow=True,
)
def seeds(implementation: Proxy, random: Random) -> Any:
    made, texts = masking.guessing(implementation), masking.texts(random)
    of_zero = masking.guessing(implementation, seed=0)
    return {
        "texts": texts["token_ids"],
        "quiet": made(texts, training=False),
        "training": made(texts, training=True),
        "training again": made(texts, training=True),
        "quiet again": made(texts, training=False),
        "by default": made(texts),  # which is not to train
        "seed 0": of_zero(texts, training=False),
        "seed 0 again": of_zero(texts, training=False),
    }


@pretrainer.check("predicts the next sentence from the pooled output", points=1, slow=True)
def pooled(implementation: Proxy, random: Random) -> Any:
    made = parameters.wordless(implementation, random)
    inputs = {"token_ids": parameters.tokens(random), "segment_ids": np.zeros((3, 7), "int32")}
    return {case: answer["next_sentence_logits"] for case, answer in made.with_one(inputs).items()}


@pretrainer.check("passes segment_ids and padding_mask on to the encoder", points=1)
def segments_and_padding(implementation: Proxy, random: Random) -> Any:
    made, token_ids = parameters.wordless(implementation, random), parameters.tokens(random)
    first = np.zeros_like(token_ids)
    second = np.where(np.arange(7) >= 3, 1, first)
    real = np.arange(7) < np.array([[7], [5], [4]])
    segments = made({"token_ids": token_ids, "segment_ids": second})
    padding = made({"token_ids": token_ids, "segment_ids": first, "padding_mask": real})
    padded = made({"token_ids": np.where(real, token_ids, parameters.PADDING_ID), "segment_ids": first})
    return {
        "the guesses for two segments": segments["next_sentence_logits"],
        "the guesses with a padding mask": padding["next_sentence_logits"],
        "the guesses where only the ids mark the padding": padded["next_sentence_logits"],
    }


def guesses(random: Random, weights: list[list[int]]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Next-sentence labels, and a possible result of `call`: five words per text, some with weight 0."""
    rows = len(weights)
    guessed = {
        "word_logits": 2 * normal(random, rows, 5, 9),
        "words": random.randint(0, 9, (rows, 5)).astype("int32"),
        "word_weights": np.array(weights, "float32"),
        "next_sentence_logits": 2 * normal(random, rows, 2),
    }
    return (np.arange(rows) % 3 == 1).astype("int32"), guessed


FEW = [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 0, 0, 0, 0], [1, 1, 1, 0, 0]]
SAMPLE_WEIGHTS = np.array([0.5, 2.0, 3.0, 0.25], "float32")
MANY = [[1, 1, 1, 1, 1], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]


@pretrainer.check("adds up the losses of both tasks", points=2)
def both_losses(implementation: Proxy, random: Random) -> Any:
    labels, guessed = guesses(random, FEW)
    compute_loss = parameters.made(implementation).method("compute_loss")
    in_half = {name: array.astype("float16") if "logits" in name else array for name, array in guessed.items()}
    return {
        "the loss": compute_loss(None, labels, guessed),
        "the loss with sample weights, which do not matter": compute_loss(None, labels, guessed, SAMPLE_WEIGHTS),
        "the loss in mixed precision": with_dtypes(compute_loss(None, labels, in_half)),
        "the loss of texts without a masked word": compute_loss(
            None, labels, {**guessed, "word_weights": 0 * guessed["word_weights"]}
        ),
    }


@pretrainer.check("records the metrics, as means over the words of all batches", points=1)
def metrics(implementation: Proxy, random: Random) -> Any:
    made = parameters.made(implementation)
    for weights in (FEW, MANY):
        labels, guessed = guesses(random, weights)
        made.method("compute_loss")(None, labels, guessed)
    results = made.method("get_metrics_result")()
    return {name: results[name] for name in ("masked_lm_loss", "masked_lm_accuracy", "next_sentence_accuracy")}


@pretrainer.check(
    "runs in a compiled training step, and changes every part of the model",
    points=1,
    judge=masking.judge_training,
    slow=True,
)
def trains(implementation: Proxy, random: Random) -> Any:
    texts = masking.texts(random)
    guessing = masking.guessing(implementation)
    state = guessing.method("seed_generator").method("state").method("numpy")
    before_step, compiled, after_step = state(), guessing.in_graph(texts, training=True), state()
    made, few = parameters.loaded(implementation, random), parameters.tokens(random)
    made.method("compute_loss").in_graph(None, *guesses(random, FEW))  # it must run; another check compares the loss
    inputs, before = {"token_ids": few, "segment_ids": np.zeros_like(few)}, made.weights()
    everywhere = few.size * parameters.VOCABULARY_SIZE
    made.method("compile")(optimizer="sgd", run_eagerly=True)
    made.method("train_on_batch")(inputs, np.array([0, 1, 1], "int32"))
    return {
        "texts": texts["token_ids"],
        "compiled": compiled,
        "scores all": made.largest(inputs) >= everywhere,
        "draws": not np.array_equal(before_step, after_step),
        "moved": changes(before, made.weights()),
    }
