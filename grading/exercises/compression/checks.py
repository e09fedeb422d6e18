"""The checks of chapter 15, small models: distillation, layer selection, quantization and pseudo-labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from grading.exercises import fine_tuning
from grading.exercises.compression.samples import (
    FEATURES,
    MASK,
    Random,
    dense,
    doubtless,
    kernel,
    labeller,
    layers,
    logits,
    mixed_texts,
    moved,
    reading,
    reads,
    scores,
    teacher,
    texts,
    tiny_loss,
    token_ids,
)
from grading.judging.exercise import Chapter
from grading.judging.proxies import OF_WEIGHTS, Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(15, "Small models", "course.compression")

LONG = 140  # rows or texts: more than a fixed table of 128 holds

distillation = chapter.exercise("distillation_loss")
selection = chapter.exercise("select_layers")
tiny = chapter.exercise("TinyLoss")
rounding = chapter.exercise("quantize", ready_made=("keras.quantizers.abs_max_quantize",))
back = chapter.exercise("dequantize")
small_dense = chapter.exercise("QuantizedDense")
labelling = chapter.exercise("pseudo_labels")

# distillation_loss -----------------------------------------------------------------------------------------


@distillation.check(
    "adds T² times KL at temperature T and the cross-entropy, weighted by alpha and 1 - alpha", points=1.5
)
def both_parts(implementation: Proxy, random: Random) -> Any:
    student, wise, labels = logits(random)
    return {
        **implementation.with_one(*logits(random)),
        "the loss at T = 5, alpha = 0.7": implementation(*logits(random), 5.0, 0.7),
        "the loss at T = 1, alpha = 0.2": implementation(*logits(random, batch=4, classes=6), 1.0, 0.2),
        "the loss at T = 0.5": implementation(*logits(random), 0.5),
        "the loss with labels in int64": implementation(student, wise, labels.astype("int64")),
    }


@distillation.check("has a soft part of 0 for equal logits, and only uses the labels at alpha 0", points=1)
def alone(implementation: Proxy, random: Random) -> Any:
    student, wise, labels = logits(random, batch=7, classes=4)
    return {
        "the soft part, if both have the same logits": implementation(student, student, labels, 3.0, 1.0),
        "the soft part, if the student's are 2 higher": implementation(student + 2, student, labels, 3.0, 1.0),
        "the soft part, if they differ": implementation(student, wise, labels, 3.0, 1.0),
        "the hard part": implementation(student, wise, labels, 3.0, 0.0),
    }


@distillation.check("is computed in float32, and is finite for large logits", points=0.5)
def half_and_large(implementation: Proxy, random: Random) -> Any:
    student, wise, labels = logits(random)
    return {
        "in half precision": with_dtypes(implementation(student.astype("float16"), wise.astype("float16"), labels)),
        # Divided by 0.5, all of them are infinite in float16.
        "in half precision, for large logits": implementation(
            *(np.copysign(4e4 + 2e3 * np.abs(given), given).astype("float16") for given in (student, wise)), labels, 0.5
        ),
        "in double precision": with_dtypes(implementation(student.astype("float64"), wise.astype("float64"), labels)),
        "for logits in the hundreds": implementation(200 * student, 300 * wise, labels, 1.0, 0.5),
    }


@distillation.check("runs in a compiled step, and passes a gradient to the student only", points=1)
def compiled_loss(implementation: Proxy, random: Random) -> Any:
    given, along = logits(random), np.ones((), "float32")
    gradients = implementation.gradients(*given, along=along, by=("student_logits", "teacher_logits", ""))
    of_teacher = gradients.pop("the gradient by the teacher_logits")
    return {"the loss in a compiled step": implementation.in_graph(*given), **gradients, **learns(of_teacher)}


def learns(gradient: np.ndarray | None) -> dict[str, bool]:
    """Return whether the teacher would change; neither no gradient nor one of zeros changes it."""
    return {Message("whether the teacher learns"): gradient is not None and bool(np.any(gradient))}


# select_layers ---------------------------------------------------------------------------------------------


@selection.check("takes evenly spaced blocks, and everything outside the blocks", points=1, slow=True)
def evenly_spaced(implementation: Proxy, random: Random) -> Any:
    wise, ids = teacher(implementation, random), token_ids(random)
    return {
        Message("the output of {count} of 6 blocks", count=count): implementation(wise, count)(ids)
        for count in (3, 4, 1)
    }


@selection.check("takes the named blocks, in the given order", points=0.5, slow=True)
def named_blocks(implementation: Proxy, random: Random) -> Any:
    wise, ids = teacher(implementation, random, blocks=3), token_ids(random)
    return {
        Message("the output of blocks {blocks}", blocks=", ".join(map(str, blocks))): implementation(wise, blocks)(ids)
        for blocks in ([2, 0], (1, 1), [2])
    }


@selection.check("copies weights: training one model does not change the other", points=1, slow=True)
def copies(implementation: Proxy, random: Random) -> Any:
    wise, ids = teacher(implementation, random, blocks=3), token_ids(random)
    student = implementation(wise, 2)
    moved(student)
    answers = {"the teacher's output after its student changed": wise(ids), "that student's output": student(ids)}
    other = implementation(wise, 2)
    moved(wise)
    return {**answers, "a student's output after its teacher changed": other(ids)}


@selection.check("has its own configuration, so that it can be saved", points=0.5)
def saved(implementation: Proxy, random: Random) -> Any:
    wise, ids = teacher(implementation, random, blocks=3), token_ids(random)
    student = implementation(wise, 2)
    sizes = student.config()
    names = ("num_layers", "hidden_dim", "vocabulary_size", "num_segments", "dropout", "attention_dropout")
    return {**{name: sizes[name] for name in names}, "its output, saved and loaded": student.saved(ids)(ids)}


# TinyLoss --------------------------------------------------------------------------------------------------

ALL = np.ones_like(MASK)


@tiny.check("compares each layer, starting at the embedding, with the teacher's layer in `layers`", points=1.5)
def hidden(implementation: Proxy, random: Random) -> Any:
    return tiny_loss(implementation, random).method("hidden_loss")(*layers(random), ALL)


@tiny.check("compares attention scores, block by block and head by head", points=1)
def attention(implementation: Proxy, random: Random) -> Any:
    return tiny_loss(implementation, random).method("attention_loss")(*scores(random), ALL)


@tiny.check("ignores padding, whatever it contains", points=1)
def padding(implementation: Proxy, random: Random) -> Any:
    made = tiny_loss(implementation, random)
    vectors, of_attention = layers(random), scores(random)
    own, (*others, last) = of_attention
    hidden_scores = [np.where(MASK[:, None, None, :], last, np.float32(low)) for low in (-1e9, -np.inf)]
    large, infinite = (made.method("attention_loss")(own, [*others, low], MASK) for low in hidden_scores)
    own_infinite = [np.where(MASK[:, None, None, :], array, np.float32(-np.inf)) for array in own]
    return {
        "the hidden loss": made.method("hidden_loss")(*vectors, MASK),
        "the attention loss": made.method("attention_loss")(*of_attention, MASK),
        "the attention loss, if the teacher's scores of padding are -1e9": large,
        "the attention loss, if the teacher's scores of padding are -∞": infinite,
        "the attention loss, if the scores of padding are -∞ in both": made.method("attention_loss")(
            own_infinite, [*others, hidden_scores[-1]], MASK
        ),
    }


@tiny.check("returns the sum of both losses, computed in float32, even in a compiled step", points=0.5, slow=True)
def whole_loss(implementation: Proxy, random: Random) -> Any:
    made = tiny_loss(implementation, random)
    (student, wise), (own, others) = layers(random), scores(random)
    (pupil, sage), (mine, theirs) = layers(random), scores(random)
    other = reading(pupil, mine), reading(sage, theirs), MASK
    # A call casts its inputs to float32; the two losses receive theirs as they are.
    mixed = tiny_loss(implementation, random, dtype="mixed_float16")
    hundreds = [[200 * array for array in arrays] for arrays in (own, others)]
    halves = [[(50 * array).astype("float16") for array in arrays] for arrays in (student, wise, own, others)]
    return {
        "both losses": made(reading(student, own), reading(wise, others), MASK),
        **made.with_one(*other),
        "both losses, in a compiled step": made.in_graph(*other),
        "the attention loss, of large scores in mixed precision": mixed.method("attention_loss")(*hundreds, MASK),
        "the hidden loss, in half precision": made.method("hidden_loss")(*halves[:2], MASK),
        "the attention loss, in half precision": made.method("attention_loss")(*halves[2:], MASK),
    }


@tiny.check("passes gradients to the student and the projection, but not to the teacher", points=1, slow=True)
def tiny_gradients(implementation: Proxy, random: Random) -> Any:
    made, along = tiny_loss(implementation, random), np.ones((), "float32")
    names = ("student", "teacher", "")
    answers: dict[str, Any] = {}
    for kind, both in (("hidden_loss", layers(random)), ("attention_loss", scores(random))):
        stacked = [np.stack(arrays) for arrays in both]
        gradients = made.method(kind).gradients(*stacked, MASK, along=along, by=names)
        answers[Message("the gradient by the student, of {loss}", loss=kind)] = gradients["the gradient by the student"]
        of_teacher = learns(gradients["the gradient by the teacher"])
        answers |= {Message("{name}, of {loss}", name=name, loss=kind): value for name, value in of_teacher.items()}
    of_student, low = (np.stack(arrays) for arrays in scores(random))
    low[-1] = np.where(MASK[:, None, None, :], low[-1], np.float32(-np.inf))
    of_low = made.method("attention_loss").gradients(of_student, low, MASK, along=along, by=("student", "", ""))
    answers["the gradient by the student, of the attention loss, if the teacher's scores of padding are -∞"] = of_low[
        "the gradient by the student"
    ]
    (student, wise), (own, others) = layers(random), scores(random)
    of_call = made.gradients(reading(student, own), reading(wise, others), MASK, along=along, by=("", "", ""))
    return {**answers, "the length of the gradient by the projection": of_call[OF_WEIGHTS]}


# quantize and dequantize -----------------------------------------------------------------------------------


def parts(quantized: Any) -> dict[str, Any]:
    levels, scale, zero_point = quantized
    return {"levels": levels, "scale": scale, "zero_point": zero_point}


def of_cases(implementation: Proxy, cases: dict[str, tuple[np.ndarray, dict[str, Any]]]) -> dict[str, Any]:
    return {
        Message("{name}, {case}", name=name, case=Message.of(case)): part
        for case, (weights, options) in cases.items()
        for name, part in parts(implementation(weights, **options)).items()
    }


@rounding.check("returns a scale and levels from -127 to 127 for each channel", points=1)
def symmetric(implementation: Proxy, random: Random) -> Any:
    weights = kernel(random)
    of_tensors = of_cases(
        implementation,
        {
            "by column": (weights, {"axis": 1}),
            "by row": (weights, {"axis": 0}),
            "the last axis": (weights, {"axis": -1}),
            "of one row": (weights[:1], {"axis": 1}),
            "of tiny weights": (np.float32(1e-10) * weights, {"axis": 1}),
        },
    )
    return {**of_tensors, "of an array": implementation.on_arrays(weights, axis=1)}


@rounding.check("rounds ties to the even level, and clips no weight that has a level", points=0.5)
def halves(implementation: Proxy, random: Random) -> Any:
    # A column whose largest weight is 127 has the scale 1, so all others are ties.
    steps = np.sort(random.choice(np.arange(-120, 120), LONG, replace=False)) + 0.5
    weights = np.concatenate([[127.0, -127.0], steps])[:, None].astype("float32")
    # From -1.5 to 1.5 there are 3 steps of 1. The zero point -0.5 rounds to 0, and 1.5 to 2, above the highest level 1.
    wide = np.array([[1.5], [-1.5], [random.uniform(-1.4, 1.4)]], "float32")
    # From -1 to 2 there are 3 steps of 1, too. The zero point -1 is odd, so adding it makes an odd level even.
    odd = np.array([[2], [-1], [0.5], [1.5]], "float32")
    return of_cases(
        implementation,
        {
            "of ties": (weights, {"axis": 1}),
            "of ties with an odd zero point": (odd, {"axis": 1, "bits": 2, "symmetric": False}),
            "of ties that are clipped": (wide, {"axis": 1, "bits": 2, "symmetric": False}),
            # From -0.5 to 2.5 there are 3 steps of 1, too, and the zero point -1.5 rounds to -2.
            "of a zero point that is a tie": (wide + np.float32(1), {"axis": 1, "bits": 2, "symmetric": False}),
        },
    )


@rounding.check("moves the zero point unless symmetric, and always covers 0", points=1)
def asymmetric(implementation: Proxy, random: Random) -> Any:
    weights = kernel(random)
    far = (np.abs(weights) + 3).astype("float32")
    return of_cases(
        implementation,
        {
            "not symmetric": (weights, {"axis": 1, "symmetric": False}),
            "all above 3": (far, {"axis": 1, "symmetric": False}),
            "all below -3": (-far, {"axis": 0, "symmetric": False}),
            "of tiny weights, not symmetric": (np.float32(1e-10) * weights, {"axis": 1, "symmetric": False}),
        },
    )


@rounding.check("handles constant channels and channels of zeros", points=0.5)
def constants(implementation: Proxy, random: Random) -> Any:
    weights = kernel(random)
    weights[:, 0], weights[:, 2], weights[:, 3] = 0, -0.37, 12.5
    return of_cases(
        implementation,
        {Message("symmetric"): (weights, {"axis": 1}), "not symmetric": (weights, {"axis": 1, "symmetric": False})},
    )


@rounding.check("accepts other bits and any number of axes", points=0.5)
def bits_and_axes(implementation: Proxy, random: Random) -> Any:
    table = random.standard_normal((3, 2, 4)).astype("float32")
    return of_cases(
        implementation,
        {
            "in 4 bits": (kernel(random), {"axis": 1, "bits": 4}),
            "in 5 bits, not symmetric": (kernel(random), {"axis": 1, "bits": 5, "symmetric": False}),
            "in 2 bits": (kernel(random), {"axis": 1, "bits": 2}),
            "in 7 bits": (kernel(random), {"axis": 1, "bits": 7}),
            "of three axes, by the middle one": (table, {"axis": 1}),
            "of three axes, by the last but one": (table, {"axis": -2}),
            "of four axes": (table[None], {"axis": 2}),
            "of one axis": (table[0, 0], {"axis": 0, "symmetric": False}),
        },
    )


@rounding.check("returns int8, float32 and int8, even for half precision or in a compiled model", points=0.5)
def dtypes(implementation: Proxy, random: Random) -> Any:
    weights = kernel(random)
    weights[:, 0] /= 100  # in float16, the scale of this column would be inexact
    cases = (
        (Message("symmetric"), True, "float16"),
        (Message("not symmetric"), False, "float16"),
        (Message("of doubles"), True, "float64"),
    )
    return {
        **{
            case: with_dtypes(list(implementation(weights.astype(dtype), 1, symmetric=is_symmetric)))
            for case, is_symmetric, dtype in cases
        },
        "in a compiled model": with_dtypes(list(implementation.in_graph(weights, 1))),
        "in a compiled model, not symmetric": list(implementation.in_graph(weights, 1, symmetric=False)),
    }


@back.check("is (levels - zero_point) · scale", points=0.5)
def there_and_back(implementation: Proxy, random: Random) -> Any:
    levels = random.randint(-60, 60, (5, 3)).astype("int8")
    scale = random.uniform(0.01, 2, (1, 3)).astype("float32")
    zero_point = random.randint(-60, 60, (1, 3)).astype("int8")
    of_rows = random.uniform(0.01, 2, (5, 1)).astype("float32"), random.randint(-60, 60, (5, 1)).astype("int8")
    return {
        "by column": implementation.on_arrays(levels, scale, zero_point),
        Message("symmetric"): implementation.on_arrays(levels, scale, np.zeros_like(zero_point)),
        "by row": implementation.on_arrays(levels, *of_rows),
        "of one row": implementation.on_arrays(levels[:1], scale, zero_point),
        "of one axis": implementation.on_arrays(levels[0], scale[0], zero_point[0]),
        "of three axes": implementation.on_arrays(levels[:, :, None], scale[..., None], zero_point[..., None]),
    }


@back.check("is computed in float32, for differences of up to 255", points=0.5)
def far_apart(implementation: Proxy, random: Random) -> Any:
    levels = np.where(random.random_sample((LONG, 6)) < 0.5, 127 - random.randint(0, 9), -128).astype("int8")
    scale = random.uniform(0.01, 2, (1, 6)).astype("float32")
    zero_point = np.array([[-128, 127, -100, 90, -128, 127]], "int8")
    return with_dtypes(implementation(levels, scale, zero_point))


# QuantizedDense --------------------------------------------------------------------------------------------


def from_dense(implementation: Proxy, made: Proxy) -> Proxy:
    return implementation.method("from_dense")(made)


@small_dense.check("stores the weights as int8, with one scale per output", points=1)
def kept(implementation: Proxy, random: Random) -> Any:
    made = from_dense(implementation, dense(implementation, random))
    without = from_dense(implementation, dense(implementation, random, use_bias=False))
    return {
        "with a bias": with_dtypes([array for _, array in made.weights()]),
        "without one": with_dtypes([array for _, array in without.weights()]),
    }


def tokens(random: Random, *shape: int) -> np.ndarray:
    """Return vectors of different sizes."""
    return (random.standard_normal(shape) * random.uniform(0.1, 20, (*shape[:-1], 1))).astype("float32")


@small_dense.check("multiplies integers, and scales the result once", points=1.5)
def product(implementation: Proxy, random: Random) -> Any:
    plain = from_dense(implementation, dense(implementation, random))
    bent = from_dense(implementation, dense(implementation, random, activation="tanh"))
    # The largest number of each row is 127, so the scale is 1, and every formula rounds the numbers in the same way.
    many = random.randint(-120, 120, (LONG, FEATURES)) + np.float32(0.25)
    many[:, 0] = 127
    return {
        "of rows": plain(tokens(random, 6, FEATURES)),
        "of other rows": plain(tokens(random, 6, FEATURES)),
        "of one row": plain(tokens(random, 1, FEATURES)),
        "of many rows": plain(many.astype("float32")),
        "of texts": plain(tokens(random, 2, 3, FEATURES)),
        "of tokens of four axes": plain(tokens(random, 2, 1, 3, FEATURES)),
        "with an activation": bent(0.1 * tokens(random, 4, FEATURES)),
    }


@small_dense.check("computes sums beyond int8, and handles tokens of zeros", points=0.5)
def sums(implementation: Proxy, random: Random) -> Any:
    wide = from_dense(implementation, dense(implementation, random, features=300, units=2))
    some = tokens(random, 4, 300)
    some[2] = 0
    without_bias = from_dense(implementation, dense(implementation, random, use_bias=False))
    return {
        "of 300 features": wide(some),
        "of zeros alone": wide(np.zeros((2, 300), "float32")),
        "of tiny tokens, 1e8 times the result": 1e8 * without_bias(np.float32(1e-8) * tokens(random, 3, FEATURES)),
    }


@small_dense.check("leaves the Dense layer unchanged, and is not trainable", points=0.5)
def untouched(implementation: Proxy, random: Random) -> Any:
    plain, x = dense(implementation, random), tokens(random, 3, FEATURES)
    made = from_dense(implementation, plain)
    trained = made.gradients(x, along=np.ones((3, 5), "float32"), by=("",))
    return {
        "the output of the Dense layer": plain(x),
        "the length of the gradient by its weights": trained[OF_WEIGHTS],
        "its name": made.config()["name"],
    }


@small_dense.check("runs in a compiled model, and in half precision", points=0.5, tolerance=5e-3, slow=True)
def compiled_dense(implementation: Proxy, random: Random) -> Any:
    plain = from_dense(implementation, dense(implementation, random))
    half = from_dense(implementation, dense(implementation, random, dtype="mixed_float16"))
    x = tokens(random, 2, 3, FEATURES)
    wide = dense(implementation, random, features=300, units=2, dtype="mixed_float16")
    # Each row has the signs of one output's weights, so its integer sum exceeds float16.
    kernel = next(array for path, array in wide.weights() if path.endswith("kernel"))
    return {
        "in a compiled model": plain.in_graph(x),
        "in half precision": with_dtypes(half(x.astype("float16"))),
        "of large sums, in half precision": from_dense(implementation, wide)(np.sign(kernel.T).astype("float16")),
    }


# pseudo_labels ---------------------------------------------------------------------------------------------


def some_texts(random: Random, count: int) -> np.ndarray:
    return fine_tuning.texts_of_classes(random, count)[0]


def told(answer: Any) -> dict[str, Any]:
    which, labels = answer
    return {Message("kept"): which, Message("labels"): labels}


@labelling.check("returns the teacher's probabilities of all texts, in order and without dropout", points=1, slow=True)
def probabilities(implementation: Proxy, random: Random) -> Any:
    wise, inputs = labeller(implementation, random), texts(implementation, some_texts(random, 11))
    return {
        "in batches of 4": told(implementation(wise, inputs, 4)),
        "in one batch": with_dtypes(list(implementation(wise, inputs))),
        "of one text": told(implementation(wise, texts(implementation, some_texts(random, 1)), 4)),
        "from a teacher that reads 3 texts at a time": told(implementation(reads(implementation, 3), inputs, 3)),
    }


@labelling.check("keeps texts of which the teacher is sure enough", points=0.5, slow=True)
def sure_enough(implementation: Proxy, random: Random) -> Any:
    wise, inputs = labeller(implementation, random), texts(implementation, mixed_texts(random, 60))
    answers = {
        Message("from {share} on", share=share): told(implementation(wise, inputs, 8, share)) for share in (0.6, 0.8)
    }
    sure = doubtless(implementation)
    lowest = float(np.min(np.max(told(implementation(sure, inputs, 8))["labels"], axis=-1)))
    return {
        **answers,
        # Probabilities of 1 or 0.5 are so up to rounding, so each answer has a threshold that its own just reach.
        "from 0.999 on, from a teacher without doubt": told(implementation(sure, inputs, 8, 0.999)),
        "of texts that just reach the threshold": told(implementation(sure, inputs, 8, min(lowest, 1.0)))["kept"],
        "from 0.6 on, from a teacher that gives two classes 0.5: kept": told(
            implementation(doubtless(implementation, classes=2), inputs, 8, 0.6)
        )["kept"],
    }


@labelling.check("returns class ids with soft=False", points=0.5, slow=True)
def classes(implementation: Proxy, random: Random) -> Any:
    wise, inputs = labeller(implementation, random), texts(implementation, mixed_texts(random, LONG))
    return {
        "of all texts": with_dtypes(list(implementation(wise, inputs, 50, soft=False))),
        "from 0.7 on": told(implementation(wise, inputs, 50, 0.7, soft=False)),
    }


@labelling.check("leaves out the texts that must not be labelled", points=1)
def excluded(implementation: Proxy, random: Random) -> Any:
    wise, ids = labeller(implementation, random), some_texts(random, 12)
    ids[[4, 11]] = ids[[9, 0]]  # a duplicate text must not be left out
    ids[6] = [1, 12, 5, 6, 7]
    others = np.concatenate([some_texts(random, 3), ids[[2, 7, 8]]])
    digits = np.array([[11, 2, 5, 6, 7]], "int32")
    longer = np.pad(others, ((0, 0), (0, 2)))
    full = ids[:3:2]  # without padding
    continued = np.pad(full, ((0, 0), (0, 1)), constant_values=fine_tuning.NUM_CLASSES + 1)
    inputs, mixed = texts(implementation, ids), mixed_texts(random, 40)
    # 0 is a word here. Behind each text, ids go on, and only the mask marks the end.
    words, mask = mixed_texts(random, 9), np.arange(mixed.shape[1]) < np.arange(9)[:, None] % 4 + 2
    words[:, 1] = 0
    known = np.where(mask, words, words % 7 + 9)[[1, 4, 6]]
    of_words = texts(implementation, words, mask)
    return {
        "rows of one length": told(implementation(wise, inputs, 5, exclude=texts(implementation, others))),
        "ids of another integer type": told(
            implementation(wise, inputs, 5, exclude=texts(implementation, others.astype("int64")))
        ),
        "rows of another length": told(implementation(wise, inputs, 5, exclude=texts(implementation, longer))),
        "if only the mask tells what is padding": told(
            implementation(wise, of_words, 5, exclude=texts(implementation, known, mask[[1, 4, 6]]))
        ),
        "if all are excluded": with_dtypes(told(implementation(wise, inputs, 5, exclude=inputs))["kept"]),
        "shorter rows": told(implementation(wise, inputs, 5, exclude=texts(implementation, ids[1:6:2, :-1]))),
        "if others are the beginnings of two texts": told(
            implementation(wise, inputs, 5, exclude=texts(implementation, full[:, :-1]))
        ),
        "if others begin with two texts, and continue": told(
            implementation(wise, inputs, 5, exclude=texts(implementation, continued))
        ),
        "from 0.6 on": told(
            implementation(wise, texts(implementation, mixed), 5, 0.6, exclude=texts(implementation, mixed[[2, 7, 8]]))
        ),
        "if others have the same words in another order, or the same digits": told(
            implementation(wise, inputs, 5, exclude=texts(implementation, np.vstack([others[:, ::-1], digits])))
        ),
    }
