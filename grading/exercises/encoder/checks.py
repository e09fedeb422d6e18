"""Checks of the encoder that students write. All sizes in a check differ, so that mixed-up axes show."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from grading.exercises.encoder import dropping
from grading.exercises.encoder.parameters import (
    BATCH,
    HIDDEN_DIM,
    INTERMEDIATE_DIM,
    LENGTH,
    LONG,
    MAX_LENGTH,
    NUM_HEADS,
    NUM_LAYERS,
    VOCABULARY_SIZE,
    block_parameters,
    built_block,
    built_encoder,
    built_feed_forward,
    encoder_parameters,
    feed_forward_parameters,
    loaded_block,
    loaded_encoder,
    loaded_feed_forward,
    padded,
    scale_and_shift,
    shapes_by_attribute,
    tokens,
)
from grading.exercises.random_arrays import Random, normal
from grading.judging.exercise import Chapter
from grading.judging.named_parts import missing_parts
from grading.judging.proxies import Proxy, with_dtypes
from grading.messages import Message

chapter = Chapter(4, "The encoder", "course.encoder")

# Of other exercises these are parts: a Dense layer may have GELU as its activation.
activation = chapter.exercise(
    "gelu", ready_made=("keras.activations", "keras.layers", "keras.ops.gelu", "tensorflow.nn.gelu")
)
normalization = chapter.exercise(
    "layer_normalization",
    ready_made=(
        "keras.layers",
        "keras.ops.batch_normalization",
        "keras.ops.layer_normalization",
        "tensorflow.nn.batch_normalization",
    ),
)
feed_forward = chapter.exercise("FeedForward")
block = chapter.exercise("EncoderBlock")
encoder = chapter.exercise("BertEncoder")

# Later cells load published weights into the parts that the docstrings name, so the names are part of the exercise.
NAMED_PARTS = "has, once it is built, the parts that the docstring names"

# gelu ------------------------------------------------------------------------------------------------------


@activation.check("computes x Φ(x) exactly", points=2)
def exact(implementation: Proxy, random: Random) -> Any:
    return {
        **implementation.after_another(lambda: [2 * normal(random, 3, 5, 8)]),
        "the result for large numbers": implementation(np.array([-200, -30, -7, 7, 30, 200], "float32")),
    }


@activation.check("computes the tanh approximation if asked", points=1)
def approximation(implementation: Proxy, random: Random) -> Any:
    return {
        "the result": implementation(2 * normal(random, 7, 6), approximate=True),
        "the result for large numbers": implementation(np.array([-200, -30, 30, 200], "float32"), approximate=True),
    }


@activation.check("runs in a compiled model, and passes gradients on", points=1)
def compiled_gelu(implementation: Proxy, random: Random) -> Any:
    x = normal(random, 2, LONG, 8)
    return {
        "the output in a compiled model": implementation.in_graph(x),
        **implementation.gradients(x, along=normal(random, 2, LONG, 8), by="x"),
        **{
            Message("the dtype of the output for {dtype}, approximate={way}", dtype=dtype, way=way): str(
                implementation(x.astype(dtype), approximate=way).dtype
            )
            for dtype in ("float16", "float64")
            for way in (False, True)
        },
        **{
            Message("the dtype of the output for a NumPy array of float32, approximate={way}", way=way): str(
                implementation.on_arrays(x, approximate=way).dtype
            )
            for way in (False, True)
        },
    }


# layer_normalization ---------------------------------------------------------------------------------------


@normalization.check("normalizes the features of each token, then scales and shifts them", points=2)
def each_token(implementation: Proxy, random: Random) -> Any:
    # The deviations are about 100, so that epsilon makes no difference.
    return implementation.after_another(lambda: (100 * normal(random, 2, 5, 8) + 50, *scale_and_shift(random, 8)))


@normalization.check("takes any number of axes before the features", points=1, tolerance=1e-3)
def other_ranks(implementation: Proxy, random: Random) -> Any:
    return {
        "the output for a table": implementation(100 * normal(random, 7, 6), *scale_and_shift(random, 6)),
        "the output for one token": implementation(100 * normal(random, 5), *scale_and_shift(random, 5)),
        "the output for one feature": implementation(100 * normal(random, 3, 1), *scale_and_shift(random, 1)),
        "the output for heads": implementation(100 * normal(random, 2, 3, 5, 4), *scale_and_shift(random, 4)),
        # Here, the mean of the squares minus the square of the mean has few digits left.
        "the output for features around 500": implementation(normal(random, 4, 9) + 500, *scale_and_shift(random, 9)),
    }


@normalization.check("adds epsilon to the variance, under the root", points=1)
def epsilon(implementation: Proxy, random: Random) -> Any:
    x = 0.01 * normal(random, 2, 5, 8)
    x[0, 3] = 0.0  # a token without variance
    return {
        "the output with BERT's epsilon": implementation(x, *scale_and_shift(random, 8)),
        "the output with epsilon=0.001": implementation(x, *scale_and_shift(random, 8), epsilon=0.001),
    }


@normalization.check(
    "computes in float32 for inputs in half precision, and returns their dtype", points=1, tolerance=1e-2
)
def half_precision_normalization(implementation: Proxy, random: Random) -> Any:
    x = normal(random, 3, 7, 10, dtype="float16")
    x[1] *= 1000  # its squares are infinite in float16
    x[2, 2] = 0.0  # its variance is 0, and so is 1e-12 there
    output = implementation(x, *(part.astype("float16") for part in scale_and_shift(random, 10)))
    in_double = implementation(*(part.astype("float64") for part in (x[0], *scale_and_shift(random, 10))))
    # In mixed precision, the scale and the shift stay in float32.
    mixed = implementation(x, *scale_and_shift(random, 10))
    # The mean of each token is 2,057, and above 2,048 float16 has even numbers only.
    order = np.stack([random.permutation(10) for _ in range(3)])
    far = 2048 + 2 * order.astype("float16")
    # The mean of these is 409, and above 256 bfloat16 has even numbers only.
    in_bfloat16 = (400 + 2 * order).astype(ml_dtypes.bfloat16)
    return {
        "the output": output,
        "the output where float16 does not have the mean": implementation(
            far, np.ones(10, "float16"), np.zeros(10, "float16")
        ),
        "the output where bfloat16 does not have the mean": implementation(
            in_bfloat16, np.ones(10, "float32"), np.zeros(10, "float32")
        ),
        # The first features become 1, the others -1: scaled and shifted in float16, 0.3 would be 0.5.
        "the output where scale and shift nearly cancel": implementation(
            np.array([[3, 3, -3, -3]], "float16"), np.full(4, 1000.3, "float32"), np.full(4, -1000.0, "float32")
        ),
        "its dtype": str(output.dtype),
        "its dtype for float64": str(in_double.dtype),
        "its dtype for float32 scales": str(mixed.dtype),
    }


@normalization.check("runs in a compiled model, and passes gradients on", points=1)
def compiled_normalization(implementation: Proxy, random: Random) -> Any:
    x, (gamma, beta) = normal(random, 2, LONG, 8), scale_and_shift(random, 8)
    along = normal(random, 2, LONG, 8)
    return {
        "the output in a compiled model": implementation.in_graph(x, gamma=gamma, beta=beta),
        **implementation.gradients(x, gamma, beta, along=along, by=("x", "gamma", "beta")),
    }


# FeedForward -----------------------------------------------------------------------------------------------


@feed_forward.check("projects, applies GELU, and projects back", points=3)
def two_projections(implementation: Proxy, random: Random) -> Any:
    return loaded_feed_forward(implementation, random).with_one(normal(random, 2, 5, HIDDEN_DIM))


@feed_forward.check("treats each token by itself, in a text of any length", points=1)
def token_by_token(implementation: Proxy, random: Random) -> Any:
    made = loaded_feed_forward(implementation, random)
    x = normal(random, 2, 7, HIDDEN_DIM)
    return {"the output of seven tokens": made(x), "the output of one of them": made(x[:, 3:4])}


@feed_forward.check("approximates GELU if asked", points=1)
def approximated(implementation: Proxy, random: Random) -> Any:
    return loaded_feed_forward(implementation, random, approximate_gelu=True)(normal(random, 2, 5, HIDDEN_DIM))


@feed_forward.check("is right in mixed precision, too", points=1, tolerance=3e-2)
def mixed_feed_forward(implementation: Proxy, random: Random) -> Any:
    made = loaded_feed_forward(implementation, random, dtype="mixed_float16")
    return {
        **with_dtypes(made(normal(random, 2, 5, HIDDEN_DIM)), made),
        "in double precision": implementation.once(built_feed_forward, dtype="float64").dtypes_of_weights(),
    }


@feed_forward.check("trains in a compiled model, and is the same after saving and loading", points=1)
def saved_feed_forward(implementation: Proxy, random: Random) -> Any:
    return in_use(loaded_feed_forward(implementation, random), random)


@feed_forward.check(NAMED_PARTS, points=1, judge=missing_parts)
def parts_of_feed_forward(implementation: Proxy, random: Random) -> Any:
    made = implementation(HIDDEN_DIM, INTERMEDIATE_DIM)
    return made.has_weights_at(shapes_by_attribute(feed_forward_parameters(random)), (2, 5, HIDDEN_DIM))


def in_use(made: Proxy, random: Random) -> dict[str, Any]:
    x, many = normal(random, 2, 5, HIDDEN_DIM), normal(random, 2, LONG, HIDDEN_DIM)
    return {
        "the output in a compiled model": made.in_graph(many),
        **made.gradients(many, along=normal(random, 2, LONG, HIDDEN_DIM), by=["inputs"]),
        "the output of the layer from the file": made.saved(x)(x),
    }


# EncoderBlock ----------------------------------------------------------------------------------------------


@block.check("adds each part's input to its output and normalizes the sum (post-LN)", points=3)
def post_norm(implementation: Proxy, random: Random) -> Any:
    return loaded_block(implementation, random).with_one(normal(random, 2, 5, HIDDEN_DIM))


@block.check("normalizes each part's input, but not the path around it, with norm_first (pre-LN)", points=2)
def pre_norm(implementation: Proxy, random: Random) -> Any:
    return loaded_block(implementation, random, norm_first=True)(normal(random, 2, 5, HIDDEN_DIM))


@block.check("passes the mask on to attention", points=1)
def mask_passed_on(implementation: Proxy, random: Random) -> Any:
    x, real = normal(random, 2, 7, HIDDEN_DIM), np.arange(7) < np.array([7, 4])[:, None, None, None]
    post_norm, pre_norm = loaded_block(implementation, random), loaded_block(implementation, random, norm_first=True)
    return {
        "the output with norm_first=False": post_norm(x, attention_mask=real),
        "the output with norm_first=True": pre_norm(x, attention_mask=real),
    }


@block.check("passes epsilon and approximate_gelu on to its parts", points=1)
def options_passed_on(implementation: Proxy, random: Random) -> Any:
    options: dict[str, Any] = {"epsilon": 0.5, "approximate_gelu": True}
    made, pre_norm = (loaded_block(implementation, random, norm_first=first, **options) for first in (False, True))
    return {
        "the output with epsilon=0.5 and approximate_gelu=True": made(normal(random, 2, 5, HIDDEN_DIM)),
        "the same with norm_first=True": pre_norm(normal(random, 2, 5, HIDDEN_DIM)),
    }


@block.check(
    "applies dropout to the output of each part, in training only", points=1, judge=dropping.drops_the_parts, slow=True
)
def block_dropout(implementation: Proxy, random: Random) -> Any:
    return {
        "of a part": {
            Message("{part} ({order})", part=name, order=order): dropping.of_a_part(
                implementation, random, part, norm_first
            )
            for order, norm_first in (("post-LN", False), ("pre-LN", True))
            for part, name in dropping.PARTS.items()
        },
        "neither": [dropping.around_the_parts(implementation, random, norm_first) for norm_first in (False, True)],
        "of attention": dropping.of_attention(implementation, random, dropout=0.0),
        "of attention that keeps all": dropping.of_attention(implementation, random, attention_dropout=0.0),
    }


@block.check("is right in mixed precision, too", points=1, tolerance=5e-2)
def mixed_block(implementation: Proxy, random: Random) -> Any:
    made = loaded_block(implementation, random, dtype="mixed_float16")
    pre_norm = loaded_block(implementation, random, norm_first=True, dtype="mixed_float16")
    return {
        **with_dtypes(made(normal(random, 2, 5, HIDDEN_DIM)), made),
        "the dtype with norm_first=True": str(pre_norm(normal(random, 2, 5, HIDDEN_DIM)).dtype),
        "in double precision": implementation.once(built_block, dtype="float64").dtypes_of_weights(),
    }


@block.check("trains in a compiled model, and is the same after saving and loading", points=1, slow=True)
def saved_block(implementation: Proxy, random: Random) -> Any:
    return in_use(loaded_block(implementation, random), random)


@block.check(NAMED_PARTS, points=1, judge=missing_parts)
def parts_of_block(implementation: Proxy, random: Random) -> Any:
    shapes = shapes_by_attribute(block_parameters(random))
    found: dict[str, bool] = {}
    for norm_first in (False, True):
        made = implementation(HIDDEN_DIM, NUM_HEADS, INTERMEDIATE_DIM, norm_first=norm_first)
        has = made.has_weights_at(shapes, (2, 5, HIDDEN_DIM))
        found = {path: found.get(path, True) and there for path, there in has.items()}
    return found


# BertEncoder -----------------------------------------------------------------------------------------------


def one_block(implementation: Proxy, random: Random) -> Proxy:
    """An encoder of one block, for checks that need no second one, which would double the time."""
    return loaded_encoder(implementation, random, padding_id=3, num_layers=1)


@encoder.check("sends the embedded tokens through all blocks", points=3)
def sequence_output(implementation: Proxy, random: Random) -> Any:
    return loaded_encoder(implementation, random)(tokens(random))["sequence_output"]


@encoder.check("pools [CLS]: projects the first token's output and takes its tanh", points=1)
def pooled_output(implementation: Proxy, random: Random) -> Any:
    answers = one_block(implementation, random).with_one(tokens(random))
    return {case: outputs["pooled_output"] for case, outputs in answers.items()}


@encoder.check("lets no token attend to padding", points=2)
def padding(implementation: Proxy, random: Random) -> Any:
    made = loaded_encoder(implementation, random)
    other = one_block(implementation, random)
    mask = np.arange(LENGTH) < np.array([[7], [3], [6], [2], [5]])
    answers = {
        "the output with padding of id 0": made(padded(random, 0)),
        "the output with padding of id 3": other(padded(random, 3)),
        "the output with a padding_mask of 0 and 1": other(tokens(random), padding_mask=mask.astype("int32")),
        # A given mask alone decides what is padding, whatever the ids are.
        "the output with a padding_mask that is True at some padding ids": other(
            padded(random, 3), padding_mask=mask[::-1]
        ),
    }
    return {case: outputs["sequence_output"] for case, outputs in answers.items()}


@encoder.check("returns every layer's output if asked", points=1)
def every_layer(implementation: Proxy, random: Random) -> Any:
    made, token_ids = loaded_encoder(implementation, random), tokens(random)
    return {
        "the list of layer_outputs": made(token_ids, return_layers=True)["layer_outputs"],
        "the names of the outputs without return_layers": sorted(made(token_ids)),
    }


@encoder.check("passes segment_ids and its other options on to its parts", points=1)
def encoder_options(implementation: Proxy, random: Random) -> Any:
    options: dict[str, Any] = {"num_segments": 6, "epsilon": 0.5, "approximate_gelu": True}
    made = loaded_encoder(implementation, random, num_layers=1, **options)
    segment_ids = random.randint(0, 6, (BATCH, LONG)).astype("int32")
    return {
        "the outputs of the layers with epsilon=0.5 and approximate_gelu=True": made(
            tokens(random), return_layers=True
        )["layer_outputs"],
        "the output with six segments": made(tokens(random, LONG), segment_ids)["sequence_output"],
        **loaded_encoder(implementation, random, num_layers=1, dtype="mixed_float16").dtypes_of_weights(),
        "in double precision": implementation.once(built_encoder, num_layers=1, dtype="float64").dtypes_of_weights(),
    }


@encoder.check(
    "applies dropout in all parts, in training only", points=1, judge=dropping.drops_in_every_part, slow=True
)
def encoder_dropout(implementation: Proxy, random: Random) -> Any:
    token_ids = dropping.ids_twice(random)
    dropout: dict[str, Any] = {"num_layers": 1, "dropout": 0.5, "attention_dropout": 0.0}
    without = one_block(implementation, random)(token_ids, training=True)
    made = loaded_encoder(implementation, random, **dropout)
    answers = {
        "no dropout": without["sequence_output"],
        "quiet": made(token_ids)["sequence_output"],
        "the embedding": made(token_ids, return_layers=True, training=True)["layer_outputs"][0],
    }
    silent = loaded_encoder(implementation, random, silent_embedding=True, **dropout)
    answers["the blocks"] = silent(token_ids, training=True)["sequence_output"]
    attending = loaded_encoder(implementation, random, num_layers=1, silent_embedding=True, attention_dropout=0.5)
    answers["the attention weights of the blocks"] = attending(token_ids, training=True)["sequence_output"]
    return answers


@encoder.check("runs in a compiled model, and is the same after saving and loading", points=1, slow=True)
def saved_encoder(implementation: Proxy, random: Random) -> Any:
    token_ids = padded(random, 0)
    made, small = loaded_encoder(implementation, random), one_block(implementation, random)
    along = normal(random, BATCH, HIDDEN_DIM)
    return {
        "the output in a compiled model": small.in_graph(tokens(random, LONG))["sequence_output"],
        **small.gradients(tokens(random), along=along, by=[""], of="pooled_output"),
        "the output of the encoder from the file": made.saved(token_ids)(token_ids)["sequence_output"],
    }


@encoder.check(NAMED_PARTS, points=1, judge=missing_parts)
def parts_of_encoder(implementation: Proxy, random: Random) -> Any:
    made = implementation(VOCABULARY_SIZE, NUM_LAYERS, NUM_HEADS, HIDDEN_DIM, INTERMEDIATE_DIM, max_length=MAX_LENGTH)
    shapes = shapes_by_attribute(encoder_parameters(random, NUM_LAYERS, num_segments=2))
    return made.has_weights_at({**shapes, "embedding.token_embeddings": (VOCABULARY_SIZE, HIDDEN_DIM)}, (None, None))
