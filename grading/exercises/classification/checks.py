"""Checks of the classifier, its training and its evaluation. All sizes in a check differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises import fine_tuning
from grading.exercises.classifiers import (
    NUM_CLASSES,
    Random,
    compiled_logits,
    drops_features_in_training,
    loaded,
    of_two_segments,
    texts,
    with_dropout,
    with_its_encoder,
    with_padding,
)
from grading.judging.exercise import Chapter
from grading.judging.proxies import Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(8, "AG News", "course.classification")

classifier = chapter.exercise("TextClassifier")
tune = chapter.exercise("fine_tune")
share_right = chapter.exercise("accuracy")
confusion = chapter.exercise("confusion_matrix", ready_made=("tensorflow.math.confusion_matrix",))

# TextClassifier ---------------------------------------------------------------------------------------------


@classifier.check("projects the pooled output of each text to a logit for each class", points=3)
def pooled_to_logits(implementation: Proxy, random: Random) -> Any:
    return loaded(implementation, random)(texts(random))


@classifier.check("returns the same logits whatever stands in the padding", points=2)
def padding(implementation: Proxy, random: Random) -> Any:
    return with_padding(implementation, random)


@classifier.check("passes segment_ids on to the encoder", points=1, slow=True)
def segments(implementation: Proxy, random: Random) -> Any:
    return of_two_segments(implementation, random)


@classifier.check(
    "applies dropout to the features, in training only", points=1, judge=drops_features_in_training, slow=True
)
def dropout(implementation: Proxy, random: Random) -> Any:
    return with_dropout(implementation, random, copies=100)


@classifier.check("is right in mixed precision, too", points=0.5, tolerance=5e-2, slow=True)
def mixed_precision(implementation: Proxy, random: Random) -> Any:
    made = loaded(implementation, random, dtype="mixed_float16")
    return with_dtypes(made(texts(random)), made)


@classifier.check("runs in a compiled model, for any batch and length", points=0.5, slow=True)
def compiled(implementation: Proxy, random: Random) -> Any:
    return {**compiled_logits(implementation, random, NUM_CLASSES), **with_its_encoder(implementation)}


# fine_tune --------------------------------------------------------------------------------------------------


@tune.check("learns to distinguish the classes, with all weights", points=2, judge=fine_tuning.learns, slow=True)
def learns(implementation: Proxy, random: Random) -> Any:
    token_ids, labels = fine_tuning.texts_of_classes(random, 60)
    new_ids, new_labels = fine_tuning.texts_of_classes(random, 50)
    before = fine_tuning.parameters(random, spread=0.2)
    before["logits/bias"] -= np.float32(
        5
    )  # changes no probability, but logits that are taken for some have no gradient
    made = fine_tuning.model(implementation, before)
    training = fine_tuning.examples(implementation, token_ids, labels)
    held_out = fine_tuning.examples(implementation, new_ids[:12], new_labels[:12])
    implementation.uncompiled(made, training, held_out, learning_rate=0.3, batch_size=8, epochs=2, patience=2)
    logits = made(fine_tuning.inputs(new_ids))
    return {"before": before, "after": dict(made.weights()), "logits": logits, "labels": new_labels}


@tune.check("raises the learning rate, then lowers it to 0, over all epochs", points=2, tolerance=5e-3, slow=True)
def learning_rates(implementation: Proxy, random: Random) -> Any:
    """All texts are the same, so the held-out loss of each epoch shows how far its steps went."""
    text, values = fine_tuning.same_texts(random, 10), fine_tuning.parameters(random, spread=0.2)
    values["logits/bias"][0] = 0.7  # half certain from the start, so that no gradient is large enough to be clipped
    made = fine_tuning.model(implementation, values)
    training = fine_tuning.examples(implementation, text, np.zeros(10, int))
    held_out = fine_tuning.examples(implementation, text[:4], np.zeros(4, int))
    # 0.42 of 6 steps is 2.52, rounded down to 2. No other number here leads to the same numbers of steps.
    options = {"learning_rate": 0.045, "batch_size": 4, "epochs": 2, "warmup": 0.42, "patience": 8}
    history = implementation.uncompiled(made, training, held_out, **options)
    # Of 20 steps, the rate would rise in two by default.
    made, options = fine_tuning.model(implementation, values), {**options, "batch_size": 1, "warmup": 0.0}
    falling = implementation.uncompiled(made, training, held_out, **options)
    steep = implementation.make("keras.models.model_from_json", fine_tuning.steep())
    steep.load({"weight/kernel": np.zeros((1, 1), "float32")})
    held_out = fine_tuning.examples(implementation, text[:4], np.zeros(4, int), segment=1)
    options = {"learning_rate": 1 / 6, "batch_size": 10, "epochs": 2, "warmup": 0.0, "patience": 8}
    clipped = implementation.uncompiled(steep, training, held_out, **options)
    return {
        "the held-out losses": fine_tuning.losses(history)["held_out_loss"],
        "the held-out losses without a rise": fine_tuning.losses(falling)["held_out_loss"],
        "the held-out losses after a very large gradient": fine_tuning.losses(clipped)["held_out_loss"],
    }


@tune.check(
    "stops when the held-out loss rises, and keeps the best weights",
    points=2,
    judge=fine_tuning.stops_and_keeps_the_best,
    slow=True,
)
def early_stopping(implementation: Proxy, random: Random) -> Any:
    """One text, always of class 0 in training; one of its four held-out copies has class 1."""
    text, labels = fine_tuning.same_texts(random, 4), np.array([0, 0, 0, 1])
    made = fine_tuning.model(implementation, fine_tuning.parameters(random, spread=0.2))
    training = fine_tuning.examples(implementation, text, np.zeros(4, int))
    held_out = fine_tuning.examples(implementation, text, labels)
    options = {"learning_rate": 0.2, "batch_size": 4, "epochs": 15, "patience": fine_tuning.PATIENCE}
    history = implementation.uncompiled(made, training, held_out, **options)
    held_out = fine_tuning.examples(implementation, text, np.zeros(4, int), segment=1)
    options = {"batch_size": 4, "epochs": 6, "warmup": 0.0, "patience": fine_tuning.PATIENCE}
    waves = {}
    models = {case: fine_tuning.in_waves(*wave) for case, wave in fine_tuning.WAVES.items()}
    models[Message("a loss that stays the same")] = fine_tuning.in_waves(*fine_tuning.CALM)
    models[Message("a loss that rises though no gradient changes a weight")] = fine_tuning.with_a_memory()
    for case, model in models.items():
        wavy = implementation.make("keras.models.model_from_json", model)
        if model != fine_tuning.with_a_memory():
            wavy.load({"weight/kernel": np.zeros((1, 1), "float32")})
        rate = 0.3 if case in fine_tuning.WAVES else 1e-30  # too small to change a loss
        of_wave = implementation.uncompiled(wavy, training, held_out, **options, learning_rate=rate)
        waves[case] = {
            "held-out losses": fine_tuning.losses(of_wave)["held_out_loss"],
            "logits": wavy(fine_tuning.inputs(text, segment=1)),
        }
    return {
        "epochs": 15,
        "held-out losses": fine_tuning.losses(history)["held_out_loss"],
        "epochs of waves": 6,
        "waves": waves,
        "labels": labels,
        "logits": made(fine_tuning.inputs(text)),
    }


@tune.check("returns mean losses in which all texts count the same", points=1, tolerance=1e-4, slow=True)
def mean_losses(implementation: Proxy, random: Random) -> Any:
    """The learning rate is almost 0, so the order makes no difference. The model is not built yet."""
    made = fine_tuning.model(implementation, fine_tuning.parameters(random, spread=2.0), built=False)
    training = fine_tuning.examples(implementation, *fine_tuning.texts_of_classes(random, 7))
    held_out = fine_tuning.examples(implementation, *fine_tuning.texts_of_classes(random, 5))
    options = {"learning_rate": 1e-9, "batch_size": 4, "epochs": 2, "patience": 2}
    history = implementation.uncompiled(made, training, held_out, **options)
    return {name: history[name] for name in ("loss", "held_out_loss")}


@tune.check(
    "applies dropout in training, but not to the held-out loss",
    points=1,
    judge=fine_tuning.drops_in_training_only,
    slow=True,
)
def dropout_while_training(implementation: Proxy, random: Random) -> Any:
    token_ids, labels = fine_tuning.texts_of_classes(random, 8)
    held_out_ids, held_out_labels = fine_tuning.texts_of_classes(random, 4)
    made = fine_tuning.model(implementation, fine_tuning.parameters(random, spread=2.0), dropout=0.5)
    training = fine_tuning.examples(implementation, token_ids, labels)
    held_out = fine_tuning.examples(implementation, held_out_ids, held_out_labels)
    history = implementation.uncompiled(made, training, held_out, learning_rate=1e-9, batch_size=4, epochs=1)
    return {
        "losses": fine_tuning.losses(history),
        "training labels": labels,
        "training logits": made(fine_tuning.inputs(token_ids)),
        "held-out labels": held_out_labels,
        "held-out logits": made(fine_tuning.inputs(held_out_ids)),
    }


@tune.check("decays the matrices, but not the biases", points=1, tolerance=1e-4)
def decay(implementation: Proxy, random: Random) -> Any:
    """The model is so certain of the labels that no gradient is left: in the only step, only decay moves weights."""
    values = fine_tuning.parameters(random)
    values["logits/bias"] = np.array([60, -60, -60], "float32")
    made = fine_tuning.model(implementation, values)
    training = fine_tuning.examples(implementation, fine_tuning.texts_of_classes(random, 3)[0], np.zeros(3, int))
    implementation.uncompiled(made, training, training, learning_rate=5.0, batch_size=3, epochs=1, warmup=0.0)
    return [array for _, array in made.weights()]


@tune.check("sees the texts in random order", points=1, judge=fine_tuning.orders_differ, slow=True)
def order(implementation: Proxy, random: Random) -> Any:
    """By chance, two orders give the same batches once in 18! / (6!)^3 runs, which is once in 17 million."""
    token_ids, labels = fine_tuning.texts_of_classes(random, 18)
    values = fine_tuning.parameters(random)
    values["logits/bias"] -= np.float32(5)  # as above
    losses = {"epochs": losses_of_epochs(implementation, random)}
    for name, seed in {"seed 0": 0, "seed 2": 2, "seed 0 again": 0}.items():
        training = fine_tuning.examples(implementation, token_ids, labels)
        held_out = fine_tuning.examples(implementation, token_ids[:6], labels[:6])
        made = fine_tuning.model(implementation, values)
        history = implementation.uncompiled(
            made, training, held_out, learning_rate=0.5, batch_size=6, epochs=1, seed=seed
        )
        losses[name] = fine_tuning.losses(history)["held_out_loss"]
    return losses


def losses_of_epochs(implementation: Proxy, random: Random) -> np.ndarray:
    """The held-out losses of three epochs, with a model that remembers the order of the texts."""
    remembering = implementation.make("keras.models.model_from_json", fine_tuning.with_a_memory())
    texts = fine_tuning.REMEMBERED_TEXTS
    numbers = 3 * random.permutation(texts)[:, None] + np.array([1, 1, 1])
    training = fine_tuning.examples(implementation, numbers.astype("int32"), np.zeros(texts, int))
    held_out = fine_tuning.examples(implementation, np.ones((2, 3), "int32"), np.zeros(2, int))
    options = {"learning_rate": 1e-9, "batch_size": 1, "epochs": 3, "patience": 3}
    return fine_tuning.losses(implementation.uncompiled(remembering, training, held_out, **options))["held_out_loss"]


# accuracy and confusion_matrix ------------------------------------------------------------------------------

# AG News has more texts than 16 bits can count.
MANY = 70_010


@share_right.check("returns the share of texts whose highest logit is that of their class", points=1)
def highest_logit(implementation: Proxy, random: Random) -> Any:
    logits = 3 * random.standard_normal((131, 4)).astype("float32")
    labels = np.where(random.rand(131) < 0.6, logits.argmax(axis=1), np.arange(131) % 4)
    labels[:2] = logits[:2].argmin(axis=1)  # so that it is neither 0 nor 1
    labels[2:4] = logits[2:4].argmax(axis=1)
    large = implementation.on_arrays(labels, 300 * logits)  # too large for an exponential
    alone = implementation.on_arrays(labels[:1], logits[:1])
    ranks = logits.argsort(axis=1).argsort(axis=1)
    close_together = (1000 + ranks / 8).astype("float32")
    as_close_as_can_be = 1 + ranks.astype("float32") * np.finfo("float32").eps
    right = np.arange(MANY) % 7 > 0
    classes = np.arange(300)
    return {
        "the accuracy of 300 classes": implementation.on_arrays(
            classes, np.where(classes % 3, 1, -1)[:, None] * np.eye(300, dtype="float32")
        ),
        "the accuracy": implementation.on_arrays(labels, logits),
        "the accuracy of large logits": large,
        "the accuracy of one text": alone,
        Message("whether it is a Python float"): getattr(alone, "dtype", "float64") == "float64",  # np.float64 is one
        "the accuracy of logits that differ in their fifth digit": implementation.on_arrays(labels, close_together),
        "the accuracy of logits that differ in their last bits": implementation.on_arrays(labels, as_close_as_can_be),
        "the accuracy of very many texts": implementation.on_arrays(
            np.where(right, 1, 0), np.tile(np.array([0.25, 0.75], "float32"), (MANY, 1))
        ),
    }


@share_right.check("returns 1 if all texts are right, and 0 if none is", points=1)
def all_and_none(implementation: Proxy, random: Random) -> Any:
    logits = random.standard_normal((11, 3)).astype("float32") - 5
    labels = {"all are right": logits.argmax(axis=1), "none is": logits.argmin(axis=1)}
    # The order is random, so that code cannot return answers from a list.
    cases = random.permutation(list(labels)).tolist()
    return {
        Message("the accuracy where {case}", case=Message.of(case)): implementation.on_arrays(labels[case], logits)
        for case in cases
    }


@confusion.check("counts true classes in rows and predicted classes in columns", points=1)
def rows_and_columns(implementation: Proxy, random: Random) -> Any:
    labels = np.concatenate([np.arange(4), random.randint(0, 4, 140)])
    predictions = np.where(random.rand(144) < 0.5, labels, random.randint(0, 3, 144))
    predictions[:5] = [0, 1, 2, 3, 3]
    implementation.on_arrays(predictions, labels, 4)  # an earlier count must make no difference
    return {
        "the matrix": implementation.on_arrays(labels, predictions, 4),
        "the matrix of very many texts": implementation.on_arrays(np.full(MANY, 1), np.full(MANY, 2), 3),
    }


@confusion.check("has a row and a column for every class, even if it does not occur", points=1)
def classes_that_do_not_occur(implementation: Proxy, random: Random) -> Any:
    labels = random.choice([0, 3, 4], 13)
    predictions = random.choice([0, 2, 4], 13)
    labels[:3], predictions[:3] = [3, 3, 4], [2, 4, 0]
    alone = implementation.on_arrays(np.zeros(1, "int64"), np.zeros(1, "int64"), 1)
    return {
        "the matrix": implementation.on_arrays(labels, predictions, 131),
        "the matrix of one text": with_dtypes(alone),
        "the matrix of 300 classes": implementation.on_arrays(299 - labels, 299 - predictions, 300),
    }
