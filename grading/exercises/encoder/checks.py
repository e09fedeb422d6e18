"""What must hold of the encoder that students write. All sizes in a check differ: no axis can be mixed up."""

from __future__ import annotations

from typing import Any

import numpy as np

import course.encoder
from grading.exercise import Chapter
from grading.handles import Handle

chapter = Chapter(4, "The encoder", course.encoder)

Random = np.random.RandomState
Parameters = dict[str, np.ndarray]

# A Dense layer may have GELU as its activation, and the embedding is made of Keras's normalization.
activation = chapter.exercise(
    course.encoder.gelu, pointed_out=("keras.activations.gelu", "keras.ops.gelu", "tensorflow.nn.gelu")
)
normalization = chapter.exercise(
    course.encoder.layer_normalization,
    pointed_out=(
        "keras.layers.LayerNormalization",
        "keras.ops.layer_normalization",
        "tensorflow.nn.batch_normalization",
    ),
)
feed_forward = chapter.exercise(course.encoder.FeedForward)
block = chapter.exercise(course.encoder.EncoderBlock)
encoder = chapter.exercise(course.encoder.BertEncoder)

HIDDEN_DIM, NUM_HEADS, INTERMEDIATE_DIM = 12, 3, 20


def normal(random: Random, *shape: int, dtype: str = "float32") -> np.ndarray:
    return random.standard_normal(shape).astype(dtype)


# gelu ------------------------------------------------------------------------------------------------------


@activation.check("is x Φ(x), exactly", points=2)
def exact(implementation: Handle, random: Random) -> Any:
    return implementation(2 * normal(random, 3, 5, 8))


@activation.check("is the approximation by tanh where that is asked for", points=1)
def approximation(implementation: Handle, random: Random) -> Any:
    return implementation(2 * normal(random, 7, 6), approximate=True)


@activation.check("runs in a compiled model, and passes gradients on", points=1)
def compiled_gelu(implementation: Handle, random: Random) -> Any:
    x = normal(random, 2, 5, 8)
    return {
        "the output in a compiled model": implementation.in_graph(x),
        "the gradient": implementation.gradient(x, along=normal(random, 2, 5, 8)),
    }


# layer_normalization ---------------------------------------------------------------------------------------


def scale_and_shift(random: Random, width: int) -> tuple[np.ndarray, np.ndarray]:
    return 1 + 0.5 * normal(random, width), normal(random, width)


@normalization.check("normalizes the features of each token, scales and shifts them", points=2)
def each_token(implementation: Handle, random: Random) -> Any:
    # Deviations of about 100: what is added to the variance does not show.
    return implementation(100 * normal(random, 2, 5, 8) + 50, *scale_and_shift(random, 8))


@normalization.check("takes any number of axes before the features", points=1)
def other_ranks(implementation: Handle, random: Random) -> Any:
    return {
        "the output for a table": implementation(100 * normal(random, 7, 6), *scale_and_shift(random, 6)),
        "the output for one token": implementation(100 * normal(random, 5), *scale_and_shift(random, 5)),
        "the output for heads": implementation(100 * normal(random, 2, 3, 5, 4), *scale_and_shift(random, 4)),
    }


@normalization.check("adds epsilon to the variance, inside the root", points=1)
def epsilon(implementation: Handle, random: Random) -> Any:
    x = 0.01 * normal(random, 2, 5, 8)
    x[0, 3] = 0.0  # a token without variance
    return {
        "the output with BERT's epsilon": implementation(x, *scale_and_shift(random, 8)),
        "the output with epsilon=0.001": implementation(x, *scale_and_shift(random, 8), epsilon=0.001),
    }


@normalization.check("computes in float32 where float16 comes in, and returns float16", points=1, tolerance=1e-2)
def half_precision_normalization(implementation: Handle, random: Random) -> Any:
    x = normal(random, 3, 7, 10, dtype="float16")
    x[1] *= 1000  # its squares are infinite in float16
    x[2, 2] = 0.0  # its variance is 0, and so is 1e-12 there
    output = implementation(x, *(part.astype("float16") for part in scale_and_shift(random, 10)))
    return {"the output": output, "its dtype": str(output.dtype)}


@normalization.check("runs in a compiled model, and passes gradients on", points=1)
def compiled_normalization(implementation: Handle, random: Random) -> Any:
    x, (gamma, beta) = normal(random, 2, 5, 8), scale_and_shift(random, 8)
    along = normal(random, 2, 5, 8)

    return {
        "the output in a compiled model": implementation.in_graph(x, gamma=gamma, beta=beta),
        "the gradient": implementation.gradient(x, gamma, beta, along=along),
    }


# FeedForward -----------------------------------------------------------------------------------------------


def dense(random: Random, name: str, rows: int, columns: int) -> Parameters:
    return {f"{name}/kernel": 0.5 * normal(random, rows, columns), f"{name}/bias": 0.5 * normal(random, columns)}


def norm(random: Random, name: str) -> Parameters:
    gamma, beta = scale_and_shift(random, HIDDEN_DIM)
    return {f"{name}/gamma": gamma, f"{name}/beta": beta}


def feed_forward_parameters(random: Random, prefix: str = "") -> Parameters:
    return {
        **dense(random, f"{prefix}intermediate", HIDDEN_DIM, INTERMEDIATE_DIM),
        **dense(random, f"{prefix}output", INTERMEDIATE_DIM, HIDDEN_DIM),
    }


def loaded_feed_forward(implementation: Handle, random: Random, **options: Any) -> Handle:
    made = implementation(HIDDEN_DIM, INTERMEDIATE_DIM, **options)
    made(normal(random, 2, 5, HIDDEN_DIM))
    made.load(feed_forward_parameters(random))
    return made


@feed_forward.check("projects, applies GELU, and projects back", points=3)
def two_projections(implementation: Handle, random: Random) -> Any:
    return loaded_feed_forward(implementation, random)(normal(random, 2, 5, HIDDEN_DIM))


@feed_forward.check("treats each token by itself, however long the text is", points=1)
def token_by_token(implementation: Handle, random: Random) -> Any:
    made = loaded_feed_forward(implementation, random)
    x = normal(random, 2, 7, HIDDEN_DIM)
    return {"the output of seven tokens": made(x), "the output of one of them": made(x[:, 3:4])}


@feed_forward.check("approximates GELU where that is asked for", points=1)
def approximated(implementation: Handle, random: Random) -> Any:
    return loaded_feed_forward(implementation, random, approximate_gelu=True)(normal(random, 2, 5, HIDDEN_DIM))


@feed_forward.check("is right in mixed precision, too", points=1, tolerance=3e-2)
def mixed_feed_forward(implementation: Handle, random: Random) -> Any:
    made = loaded_feed_forward(implementation, random, dtype="mixed_float16")
    return made(normal(random, 2, 5, HIDDEN_DIM))


@feed_forward.check("trains in a compiled model, and comes back from a file as it was", points=1)
def saved_feed_forward(implementation: Handle, random: Random) -> Any:
    x = normal(random, 2, 5, HIDDEN_DIM)
    return in_use(loaded_feed_forward(implementation, random), x, normal(random, 2, 5, HIDDEN_DIM))


def in_use(made: Handle, x: np.ndarray, along: np.ndarray) -> dict[str, Any]:
    return {
        "the output in a compiled model": made.in_graph(x),
        "the gradient by the inputs": made.gradient(x, along=along),
        "the output of the layer from the file": made.saved(x)(x),
    }


# EncoderBlock ----------------------------------------------------------------------------------------------


def block_parameters(random: Random, prefix: str = "") -> Parameters:
    parameters: Parameters = {}
    for name in ("query", "key", "value", "output"):
        parameters |= dense(random, f"{prefix}attention/{name}", HIDDEN_DIM, HIDDEN_DIM)
    parameters |= feed_forward_parameters(random, f"{prefix}feed_forward/")
    return parameters | norm(random, f"{prefix}attention_norm") | norm(random, f"{prefix}feed_forward_norm")


def loaded_block(implementation: Handle, random: Random, *, silent: tuple[str, ...] = (), **options: Any) -> Handle:
    """A block with random weights. The parts that are silent give 0."""
    made = implementation(HIDDEN_DIM, NUM_HEADS, INTERMEDIATE_DIM, **{"dropout": 0.0, **options})
    made(normal(random, 2, 5, HIDDEN_DIM))
    parameters = block_parameters(random)
    for part in silent:
        for kind in ("kernel", "bias"):
            parameters[f"{part}/output/{kind}"] *= 0
    made.load(parameters)
    return made


@block.check("attends, feeds forward, and normalizes each sum with what went in (post-LN)", points=3)
def post_norm(implementation: Handle, random: Random) -> Any:
    return loaded_block(implementation, random)(normal(random, 2, 5, HIDDEN_DIM))


@block.check("normalizes what goes into each part, and keeps the path around free, with norm_first", points=2)
def pre_norm(implementation: Handle, random: Random) -> Any:
    return loaded_block(implementation, random, norm_first=True)(normal(random, 2, 5, HIDDEN_DIM))


@block.check("passes the mask on to attention", points=1)
def mask_passed_on(implementation: Handle, random: Random) -> Any:
    x, real = normal(random, 2, 7, HIDDEN_DIM), np.arange(7) < np.array([7, 4])[:, None, None, None]
    answers = {}
    for norm_first in (False, True):
        made = loaded_block(implementation, random, norm_first=norm_first)
        answers[f"the output with norm_first={norm_first}"] = made(x, attention_mask=real)
    return answers


@block.check("passes epsilon and approximate_gelu on to its parts", points=1)
def options_passed_on(implementation: Handle, random: Random) -> Any:
    x = normal(random, 2, 5, HIDDEN_DIM)
    return {
        "the output with epsilon=0.5": loaded_block(implementation, random, epsilon=0.5)(x),
        "the output with approximate_gelu": loaded_block(implementation, random, approximate_gelu=True)(x),
    }


_CASES: dict[str, dict[str, Any]] = {
    "attention": {"silent": ("feed_forward",), "dropout": 0.5, "attention_dropout": 0.0},
    "feed-forward": {"silent": ("attention",), "dropout": 0.5, "attention_dropout": 0.0},
    "neither": {"silent": ("attention", "feed_forward"), "dropout": 0.5, "attention_dropout": 0.0},
    "attention's weights": {"dropout": 0.0, "attention_dropout": 0.5},
}


def _drops_the_parts(answers: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]) -> str | None:
    # Half of 120 numbers or more is dropped: that a right block drops none of them happens once in 2^120 times.
    drops = {}
    for case, (quiet, again, training) in answers.items():
        if not np.array_equal(quiet, again):
            return "drops outside training, too: two calls on the same input differ"
        drops[case] = not np.allclose(quiet, training, atol=1e-5)
    if drops["neither"]:
        return "drops from the path around the parts, or from the sum; only what a part gives is dropped"
    silent = [case for case in ("attention", "feed-forward") if not drops[case]]
    if silent:
        return f"drops nothing of the output of {' and '.join(silent)}"
    return None if drops["attention's weights"] else "does not pass attention_dropout on to attention"


@block.check("drops from what each part gives, in training, and only there", points=1, judge=_drops_the_parts)
def block_dropout(implementation: Handle, random: Random) -> Any:
    x = normal(random, 2, 5, HIDDEN_DIM)
    answers = {}
    for case, options in _CASES.items():
        made = loaded_block(implementation, random, **options)
        answers[case] = (made(x, training=False), made(x, training=False), made(x, training=True))
    return answers


@block.check("is right in mixed precision, too", points=1, tolerance=5e-2)
def mixed_block(implementation: Handle, random: Random) -> Any:
    return loaded_block(implementation, random, dtype="mixed_float16")(normal(random, 2, 5, HIDDEN_DIM))


@block.check("trains in a compiled model, and comes back from a file as it was", points=1)
def saved_block(implementation: Handle, random: Random) -> Any:
    x, along = normal(random, 2, 5, HIDDEN_DIM), normal(random, 2, 5, HIDDEN_DIM)
    return in_use(loaded_block(implementation, random), x, along)


# BertEncoder -----------------------------------------------------------------------------------------------

VOCABULARY_SIZE, NUM_LAYERS, MAX_LENGTH = 23, 2, 9
BATCH, LENGTH = 4, 7


def encoder_parameters(random: Random, num_segments: int) -> Parameters:
    rows = {"token": VOCABULARY_SIZE, "position": MAX_LENGTH, "segment": num_segments}
    parameters = {
        f"embedding/{name}_embedding/embeddings": normal(random, number, HIDDEN_DIM) for name, number in rows.items()
    }
    parameters |= norm(random, "embedding/norm")
    for index in range(NUM_LAYERS):
        parameters |= block_parameters(random, f"block_{index}/")
    return parameters | dense(random, "pooler", HIDDEN_DIM, HIDDEN_DIM)


def loaded_encoder(
    implementation: Handle, random: Random, *, silent_embedding: bool = False, num_segments: int = 2, **options: Any
) -> Handle:
    """An encoder with random weights. A silent embedding gives 0 for every token."""
    made = implementation(
        VOCABULARY_SIZE,
        NUM_LAYERS,
        NUM_HEADS,
        HIDDEN_DIM,
        INTERMEDIATE_DIM,
        max_length=MAX_LENGTH,
        num_segments=num_segments,
        **{"dropout": 0.0, **options},
    )
    made(tokens(random))
    parameters = encoder_parameters(random, num_segments)
    if silent_embedding:
        for kind in ("gamma", "beta"):
            parameters[f"embedding/norm/{kind}"] *= 0
    made.load(parameters)
    return made


def tokens(random: Random, length: int = LENGTH) -> np.ndarray:
    """Ids without padding."""
    return random.randint(1, VOCABULARY_SIZE, (BATCH, length)).astype("int32")


def padded(random: Random, padding_id: int) -> np.ndarray:
    token_ids = random.randint(4, VOCABULARY_SIZE, (BATCH, LENGTH)).astype("int32")
    token_ids[1, 5:] = token_ids[3, 2:] = padding_id
    return token_ids


@encoder.check("sends the embedded tokens through all blocks", points=3)
def sequence_output(implementation: Handle, random: Random) -> Any:
    return loaded_encoder(implementation, random)(tokens(random))["sequence_output"]


@encoder.check("pools [CLS]: tanh of a projection of the first token's output", points=1)
def pooled_output(implementation: Handle, random: Random) -> Any:
    return loaded_encoder(implementation, random)(tokens(random))["pooled_output"]


@encoder.check("lets no token attend to padding", points=2)
def padding(implementation: Handle, random: Random) -> Any:
    made, other = (loaded_encoder(implementation, random, padding_id=number) for number in (0, 3))
    mask = np.arange(LENGTH) < np.array([7, 3, 6, 2])[:, None]
    answers = {
        "the output with padding of id 0": made(padded(random, 0)),
        "the output with padding of id 3": other(padded(random, 3)),
        "the output with a padding_mask": made(tokens(random), padding_mask=mask),
        "the output with a padding_mask of 0 and 1": made(tokens(random), padding_mask=mask.astype("int32")),
    }
    return {case: outputs["sequence_output"] for case, outputs in answers.items()}


@encoder.check("returns every layer's output where asked", points=1)
def every_layer(implementation: Handle, random: Random) -> Any:
    return loaded_encoder(implementation, random)(tokens(random), return_layers=True)["layer_outputs"]


@encoder.check("passes segments and its other options on to the parts", points=1)
def encoder_options(implementation: Handle, random: Random) -> Any:
    segment_ids = random.randint(0, 3, (BATCH, LENGTH)).astype("int32")
    with_segments = loaded_encoder(implementation, random, num_segments=3)(tokens(random), segment_ids)
    answers = {"the output with three segments": with_segments["sequence_output"]}
    options: dict[str, dict[str, Any]] = {
        "epsilon=0.5": {"epsilon": 0.5},
        "approximate_gelu=True": {"approximate_gelu": True},
    }
    for name, option in options.items():
        outputs = loaded_encoder(implementation, random, **option)(tokens(random), return_layers=True)
        answers[f"the outputs of the layers with {name}"] = outputs["layer_outputs"]
    return answers


def _drops_in_every_part(answers: dict[str, np.ndarray]) -> str | None:
    # Half of 300 numbers or more is dropped: that a right encoder drops none of them happens once in 2^300 times.
    if not np.array_equal(answers["quiet"], answers["quiet again"]):
        return "drops outside training, too: two calls on the same ids differ"
    if not np.allclose(answers["no dropout"], answers["no dropout, quiet"], atol=1e-5):
        return "drops something in training, although dropout is 0"
    for part in ("the embedding", "the blocks", "the attention weights of the blocks"):
        if np.allclose(answers[part], answers[f"{part}, quiet"], atol=1e-5):
            return f"drops nothing in {part} in training, although dropout is 0.5"
    return None


@encoder.check("drops out in all parts in training, and only there", points=1, judge=_drops_in_every_part)
def encoder_dropout(implementation: Handle, random: Random) -> Any:
    token_ids = tokens(random)
    made = loaded_encoder(implementation, random, dropout=0.5, attention_dropout=0.0)
    silent = loaded_encoder(implementation, random, silent_embedding=True, dropout=0.5, attention_dropout=0.0)
    attending = loaded_encoder(implementation, random, silent_embedding=True, attention_dropout=0.5)
    without = loaded_encoder(implementation, random)
    return {
        "no dropout": without(token_ids, training=True)["sequence_output"],
        "no dropout, quiet": without(token_ids)["sequence_output"],
        "quiet": made(token_ids)["sequence_output"],
        "quiet again": made(token_ids)["sequence_output"],
        "the embedding": made(token_ids, return_layers=True, training=True)["layer_outputs"][0],
        "the embedding, quiet": made(token_ids, return_layers=True)["layer_outputs"][0],
        "the blocks": silent(token_ids, training=True)["sequence_output"],
        "the blocks, quiet": silent(token_ids)["sequence_output"],
        "the attention weights of the blocks": attending(token_ids, training=True)["sequence_output"],
        "the attention weights of the blocks, quiet": attending(token_ids)["sequence_output"],
    }


@encoder.check("runs in a compiled model, and comes back from a file as it was", points=1)
def saved_encoder(implementation: Handle, random: Random) -> Any:
    token_ids = padded(random, 0)
    made = loaded_encoder(implementation, random)
    return {
        "the output in a compiled model": made.in_graph(token_ids)["sequence_output"],
        "the output of the encoder from the file": made.saved(token_ids)(token_ids)["sequence_output"],
    }
