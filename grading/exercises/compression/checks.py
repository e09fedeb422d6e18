"""What must hold of students and teachers, of weights in 8 bits, and of labels that a teacher gives."""

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

chapter = Chapter(15, "Small models", "course.compression")

LONG = 140  # more rows, or texts, than any table or constant may have been made for

distillation = chapter.exercise("distillation_loss")
selection = chapter.exercise("select_layers")
tiny = chapter.exercise("TinyLoss")
rounding = chapter.exercise("quantize", ready_made=("keras.quantizers.abs_max_quantize",))
back = chapter.exercise("dequantize")
small_dense = chapter.exercise("QuantizedDense")
labelling = chapter.exercise("pseudo_labels")

# distillation_loss -----------------------------------------------------------------------------------------


@distillation.check("adds T² times the KL at temperature T to the cross-entropy, each with its share", points=1.5)
def both_parts(implementation: Proxy, random: Random) -> Any:
    return {
        **implementation.with_one(*logits(random)),
        "the loss at T = 5, alpha = 0.7": implementation(*logits(random), 5.0, 0.7),
        "the loss at T = 1, alpha = 0.2": implementation(*logits(random, batch=4, classes=6), 1.0, 0.2),
    }


@distillation.check("has a soft part of 0 for equal logits, and follows the labels alone at alpha 0", points=1)
def alone(implementation: Proxy, random: Random) -> Any:
    student, wise, labels = logits(random, batch=7, classes=4)
    return {
        "the soft part, where both have the same logits": implementation(student, student, labels, 3.0, 1.0),
        "the soft part, where the student's are 2 higher": implementation(student + 2, student, labels, 3.0, 1.0),
        "the soft part, where they differ": implementation(student, wise, labels, 3.0, 1.0),
        "the hard part": implementation(student, wise, labels, 3.0, 0.0),
    }


@distillation.check("is computed in float32, and is finite for large logits", points=0.5)
def half_and_large(implementation: Proxy, random: Random) -> Any:
    student, wise, labels = logits(random)
    return {
        "in half precision": with_dtypes(implementation(student.astype("float16"), wise.astype("float16"), labels)),
        "for logits of some hundreds": implementation(200 * student, 300 * wise, labels, 1.0, 0.5),
    }


@distillation.check("runs in a compiled step, and passes a gradient to the student alone", points=1)
def compiled_loss(implementation: Proxy, random: Random) -> Any:
    given, along = logits(random), np.ones((), "float32")
    told = implementation.gradients(*given, along=along, by=("student_logits", "teacher_logits", ""))
    of_teacher = told.pop("the gradient by the teacher_logits")
    return {"the loss in a compiled step": implementation.in_graph(*given), **told, **learns(of_teacher)}


def learns(gradient: np.ndarray | None) -> dict[str, bool]:
    """Whether anything of the teacher would change; a gradient of zeros changes nothing, either."""
    return {"whether the teacher learns": gradient is not None and bool(np.any(gradient))}


# select_layers ---------------------------------------------------------------------------------------------


@selection.check("takes evenly spaced blocks, and all that is not in a block", points=1, slow=True)
def evenly_spaced(implementation: Proxy, random: Random) -> Any:
    wise, ids = teacher(implementation, random), token_ids(random)
    return {f"what {count} of 6 blocks give": implementation(wise, count)(ids) for count in (3, 4, 1)}


@selection.check("takes the blocks that it is told, in their order", points=0.5, slow=True)
def named_blocks(implementation: Proxy, random: Random) -> Any:
    wise, ids = teacher(implementation, random, blocks=3), token_ids(random)
    return {
        f"what blocks {', '.join(map(str, blocks))} give": implementation(wise, blocks)(ids)
        for blocks in ([2, 0], [1, 1])
    }


@selection.check("copies weights: what the one learns, the other does not", points=1, slow=True)
def copies(implementation: Proxy, random: Random) -> Any:
    wise, ids = teacher(implementation, random, blocks=3), token_ids(random)
    student = implementation(wise, 2)
    moved(student)
    found = {"what the teacher gives when its student has learned": wise(ids), "what that student gives": student(ids)}
    other = implementation(wise, 2)
    moved(wise)
    return {**found, "what a student gives when its teacher has learned": other(ids)}


@selection.check("has a configuration of its own, so that it can be saved", points=0.5)
def saved(implementation: Proxy, random: Random) -> Any:
    wise, ids = teacher(implementation, random, blocks=3), token_ids(random)
    student = implementation(wise, 2)
    sizes = student.config()
    names = ("num_layers", "hidden_dim", "vocabulary_size")
    return {**{name: sizes[name] for name in names}, "what it gives, saved and loaded": student.saved(ids)(ids)}


# TinyLoss --------------------------------------------------------------------------------------------------

ALL = np.ones_like(MASK)


@tiny.check("compares each layer, from the embedding on, with the one it learns from", points=1.5)
def hidden(implementation: Proxy, random: Random) -> Any:
    return tiny_loss(implementation, random).method("hidden_loss")(*layers(random), ALL)


@tiny.check("compares the scores of attention, block by block and head by head", points=1)
def attention(implementation: Proxy, random: Random) -> Any:
    return tiny_loss(implementation, random).method("attention_loss")(*scores(random), ALL)


@tiny.check("counts no padding, whatever stands there", points=1)
def padding(implementation: Proxy, random: Random) -> Any:
    made = tiny_loss(implementation, random)
    vectors, of_attention = layers(random), scores(random)
    hidden_scores = np.where(MASK[:, None, None, :], of_attention[1][-1], np.float32(-1e9))
    return {
        "the hidden loss": made.method("hidden_loss")(*vectors, MASK),
        "the attention loss": made.method("attention_loss")(*of_attention, MASK),
        "the attention loss, where the teacher's scores of padding are -1e9": made.method("attention_loss")(
            of_attention[0], [*of_attention[1][:-1], hidden_scores], MASK
        ),
    }


@tiny.check(
    "adds both losses when it is called, and computes them in float32, in a compiled step, too", points=0.5, slow=True
)
def whole_loss(implementation: Proxy, random: Random) -> Any:
    made = tiny_loss(implementation, random)
    (student, wise), (own, others) = layers(random), scores(random)
    (pupil, sage), (mine, theirs) = layers(random), scores(random)
    other = reading(pupil, mine), reading(sage, theirs), MASK
    # A call makes float32 of what comes in; its two parts get what they are given.
    halves = [[(50 * one).astype("float16") for one in several] for several in (student, wise, own, others)]
    return {
        "both losses": made(reading(student, own), reading(wise, others), MASK),
        **made.with_one(*other),
        "both losses, in a compiled step": made.in_graph(*other),
        "the hidden loss, in half precision": made.method("hidden_loss")(*halves[:2], MASK),
        "the attention loss, in half precision": made.method("attention_loss")(*halves[2:], MASK),
    }


@tiny.check("passes gradients to the student and the projection, and none to the teacher", points=1, slow=True)
def tiny_gradients(implementation: Proxy, random: Random) -> Any:
    made, along = tiny_loss(implementation, random), np.ones((), "float32")
    names = ("student", "teacher", "")
    found = {}
    for kind, both in (("hidden_loss", layers(random)), ("attention_loss", scores(random))):
        stacked = [np.stack(several) for several in both]
        told = made.method(kind).gradients(*stacked, MASK, along=along, by=names)
        found[f"the gradient by the student, of {kind}"] = told["the gradient by the student"]
        found |= {f"{name}, of {kind}": value for name, value in learns(told["the gradient by the teacher"]).items()}
    (student, wise), (own, others) = layers(random), scores(random)
    of_call = made.gradients(reading(student, own), reading(wise, others), MASK, along=along, by=("", "", ""))
    return {**found, "how long the gradient by the projection is": of_call[OF_WEIGHTS]}


# quantize and dequantize -----------------------------------------------------------------------------------


def parts(quantized: Any) -> dict[str, Any]:
    levels, scale, zero_point = quantized
    return {"levels": levels, "scale": scale, "zero_point": zero_point}


def of_cases(implementation: Proxy, cases: dict[str, tuple[np.ndarray, dict[str, Any]]]) -> dict[str, Any]:
    return {
        f"{name}, {case}": part
        for case, (weights, options) in cases.items()
        for name, part in parts(implementation(weights, **options)).items()
    }


@rounding.check("gives each channel a scale and levels from -127 to 127", points=1)
def symmetric(implementation: Proxy, random: Random) -> Any:
    weights = kernel(random)
    return of_cases(
        implementation,
        {
            "by column": (weights, {"axis": 1}),
            "by row": (weights, {"axis": 0}),
            "the last axis": (weights, {"axis": -1}),
            "of one row": (weights[:1], {"axis": 1}),
            "of tiny weights": (np.float32(1e-10) * weights, {"axis": 1}),
        },
    )


@rounding.check("rounds halves to the even level, and clips nothing that has one", points=0.5)
def halves(implementation: Proxy, random: Random) -> Any:
    # Of a column whose largest is 127, the scale is 1, and so all are halves.
    steps = np.sort(random.choice(np.arange(-120, 120), LONG, replace=False)) + 0.5
    weights = np.concatenate([[127.0, -127.0], steps])[:, None].astype("float32")
    # From -1.5 to 1.5 are 3 steps of 1. The zero point is -0.5, so 0, and 1.5 would be 2, where the highest level is 1.
    wide = np.array([[1.5], [-1.5], [random.uniform(-1.4, 1.4)]], "float32")
    return of_cases(
        implementation,
        {
            "of halves": (weights, {"axis": 1}),
            "of halves that are clipped": (wide, {"axis": 1, "bits": 2, "symmetric": False}),
        },
    )


@rounding.check("moves the zero point where it may, and covers 0 in any case", points=1)
def asymmetric(implementation: Proxy, random: Random) -> Any:
    weights = kernel(random)
    far = (np.abs(weights) + 3).astype("float32")
    return of_cases(
        implementation,
        {
            "not symmetric": (weights, {"axis": 1, "symmetric": False}),
            "all above 3": (far, {"axis": 1, "symmetric": False}),
            "all below -3": (-far, {"axis": 0, "symmetric": False}),
        },
    )


@rounding.check("takes constant channels and channels of zeros", points=0.5)
def constants(implementation: Proxy, random: Random) -> Any:
    weights = kernel(random)
    weights[:, 0], weights[:, 2], weights[:, 3] = 0, -0.37, 12.5
    return of_cases(
        implementation,
        {"symmetric": (weights, {"axis": 1}), "not symmetric": (weights, {"axis": 1, "symmetric": False})},
    )


@rounding.check("takes other bits and any number of axes", points=0.5)
def bits_and_axes(implementation: Proxy, random: Random) -> Any:
    table = random.standard_normal((3, 2, 4)).astype("float32")
    return of_cases(
        implementation,
        {
            "in 4 bits": (kernel(random), {"axis": 1, "bits": 4}),
            "in 5 bits, not symmetric": (kernel(random), {"axis": 1, "bits": 5, "symmetric": False}),
            "of three axes, by the middle one": (table, {"axis": 1}),
            "of one axis": (table[0, 0], {"axis": 0, "symmetric": False}),
        },
    )


@rounding.check("gives int8, float32 and int8, also of half precision", points=0.5)
def dtypes(implementation: Proxy, random: Random) -> Any:
    weights = kernel(random)
    weights[:, 0] /= 100  # in float16, the scale of this column would be far off
    return {
        case: with_dtypes(list(implementation(weights.astype("float16"), 1, symmetric=is_symmetric)))
        for case, is_symmetric in (("symmetric", True), ("not symmetric", False))
    }


@back.check("is (levels - zero_point) · scale", points=0.5)
def there_and_back(implementation: Proxy, random: Random) -> Any:
    levels = random.randint(-60, 60, (5, 3)).astype("int8")
    scale = random.uniform(0.01, 2, (1, 3)).astype("float32")
    zero_point = random.randint(-60, 60, (1, 3)).astype("int8")
    of_rows = random.uniform(0.01, 2, (5, 1)).astype("float32"), random.randint(-60, 60, (5, 1)).astype("int8")
    return {
        "by column": implementation(levels, scale, zero_point),
        "symmetric": implementation(levels, scale, np.zeros_like(zero_point)),
        "by row": implementation(levels, *of_rows),
        "of one row": implementation(levels[:1], scale, zero_point),
    }


@back.check("is computed in float32, where differences may be as large as 255", points=0.5)
def far_apart(implementation: Proxy, random: Random) -> Any:
    levels = np.where(random.random_sample((LONG, 6)) < 0.5, 127 - random.randint(0, 9), -128).astype("int8")
    scale = random.uniform(0.01, 2, (1, 6)).astype("float32")
    zero_point = np.array([[-128, 127, -100, 90, -128, 127]], "int8")
    return with_dtypes(implementation(levels, scale, zero_point))


# QuantizedDense --------------------------------------------------------------------------------------------


def from_dense(implementation: Proxy, made: Proxy) -> Proxy:
    return implementation.method("from_dense")(made)


@small_dense.check("keeps the weights as int8, with a scale for each output", points=1)
def kept(implementation: Proxy, random: Random) -> Any:
    made = from_dense(implementation, dense(implementation, random))
    without = from_dense(implementation, dense(implementation, random, use_bias=False))
    return {
        "with a bias": with_dtypes([array for _, array in made.weights()]),
        "without one": with_dtypes([array for _, array in without.weights()]),
    }


def tokens(random: Random, *shape: int) -> np.ndarray:
    """Vectors of which each has another size."""
    return (random.standard_normal(shape) * random.uniform(0.1, 20, (*shape[:-1], 1))).astype("float32")


@small_dense.check("multiplies whole numbers, and scales back once", points=1.5)
def product(implementation: Proxy, random: Random) -> Any:
    plain = from_dense(implementation, dense(implementation, random))
    bent = from_dense(implementation, dense(implementation, random, activation="tanh"))
    # Of each row the largest is 127, so the scale is 1, and the many numbers are rounded alike by whatever formula.
    many = random.randint(-120, 120, (LONG, FEATURES)) + np.float32(0.25)
    many[:, 0] = 127
    return {
        "of rows": plain(tokens(random, 6, FEATURES)),
        "of other rows": plain(tokens(random, 6, FEATURES)),
        "of one row": plain(tokens(random, 1, FEATURES)),
        "of many rows": plain(many.astype("float32")),
        "of texts": plain(tokens(random, 2, 3, FEATURES)),
        "with an activation": bent(0.1 * tokens(random, 4, FEATURES)),
    }


@small_dense.check("sums beyond what int8 holds, and takes tokens of zeros", points=0.5)
def sums(implementation: Proxy, random: Random) -> Any:
    wide = from_dense(implementation, dense(implementation, random, features=300, units=2))
    some = tokens(random, 4, 300)
    some[2] = 0
    return {"of 300 features": wide(some), "of zeros alone": wide(np.zeros((2, 300), "float32"))}


@small_dense.check("leaves the Dense layer as it is, and is not trained", points=0.5)
def untouched(implementation: Proxy, random: Random) -> Any:
    plain, x = dense(implementation, random), tokens(random, 3, FEATURES)
    made = from_dense(implementation, plain)
    trained = made.gradients(x, along=np.ones((3, 5), "float32"), by=("",))
    return {
        "what the Dense layer gives": plain(x),
        "how long the gradient by its weights is": trained[OF_WEIGHTS],
        "its name": made.config()["name"],
    }


@small_dense.check("runs in a compiled model, in half precision, too", points=0.5, tolerance=5e-3, slow=True)
def compiled_dense(implementation: Proxy, random: Random) -> Any:
    plain = from_dense(implementation, dense(implementation, random))
    half = from_dense(implementation, dense(implementation, random, dtype="mixed_float16"))
    x = tokens(random, 2, 3, FEATURES)
    wide = dense(implementation, random, features=300, units=2, dtype="mixed_float16")
    # Each row fits one of the outputs in every feature: its sum of whole numbers is more than float16 can hold.
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
    return {"kept": which, "labels": labels}


@labelling.check(
    "gives the teacher's probabilities of all texts, in their order and without dropout", points=1, slow=True
)
def probabilities(implementation: Proxy, random: Random) -> Any:
    wise, inputs = labeller(implementation, random), texts(implementation, some_texts(random, 11))
    return {
        "in batches of 4": told(implementation(wise, inputs, 4)),
        "in one batch": with_dtypes(list(implementation(wise, inputs))),
        "by a teacher that can read 3 texts at a time": told(implementation(reads(implementation, 3), inputs, 3)),
    }


@labelling.check("keeps texts of which the teacher is sure enough", points=0.5, slow=True)
def sure_enough(implementation: Proxy, random: Random) -> Any:
    wise, inputs = labeller(implementation, random), texts(implementation, mixed_texts(random, 60))
    told_by = {f"from {share} on": told(implementation(wise, inputs, 8, share)) for share in (0.6, 0.8)}
    return {
        **told_by,
        # Its probabilities are 1 up to rounding, so that 1 itself would ask how they are computed.
        "from 0.999 on, by a teacher without doubts": told(implementation(doubtless(implementation), inputs, 8, 0.999)),
    }


@labelling.check("gives class ids where these are asked for", points=0.5, slow=True)
def classes(implementation: Proxy, random: Random) -> Any:
    wise, inputs = labeller(implementation, random), texts(implementation, mixed_texts(random, LONG))
    return {
        "of all texts": with_dtypes(list(implementation(wise, inputs, 50, soft=False))),
        "from 0.7 on": told(implementation(wise, inputs, 50, 0.7, soft=False)),
    }


@labelling.check("leaves out the texts that must not be labelled", points=1)
def excluded(implementation: Proxy, random: Random) -> Any:
    wise, ids = labeller(implementation, random), some_texts(random, 12)
    ids[[4, 11]] = ids[[9, 0]]  # that a text is there twice is no reason to leave it out
    others = np.concatenate([some_texts(random, 3), ids[[2, 7, 8]]])
    longer = np.pad(others, ((0, 0), (0, 2)))
    inputs = texts(implementation, ids)
    return {
        "rows of one length": told(implementation(wise, inputs, 5, exclude=texts(implementation, others))),
        "rows of another length": told(implementation(wise, inputs, 5, exclude=texts(implementation, longer))),
        "from 0.6 on": told(implementation(wise, inputs, 5, 0.6, exclude=texts(implementation, others))),
        "where others have the same words in another order": told(
            implementation(wise, inputs, 5, exclude=texts(implementation, others[:, ::-1]))
        ),
    }
