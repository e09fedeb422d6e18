"""A training step: masked words and next sentences, on full rows, beside keras-hub and Hugging Face.

BERT-mini with 8,000 pieces; 32 rows of 128 tokens, of which 19 are predicted; dropout 0.1; AdamW with clipping. Ours
draws its masks in the step. The others get ready-made masks, so they only train. On TensorFlow, ours and keras-hub's
both keep their memory (see `course.environment`). bfloat16 helps if the processor has instructions for it; the line
below says whether this one has.

What limits it: products of matrices are most of a step. Ours makes fewer: the last block computes queries, projections
and the feed-forward network only at the masked places and [CLS], since nothing reads the others
(`course.training.last_block`). Hugging Face with its masked places gathered omits only the vocabulary's product at the
other places. Without gathering, it scores the whole vocabulary at every place, which takes half as long again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.turns import Goal, Work, goal_rows, take_turns
from course.environment import prepare_tensorflow

ROWS, LENGTH, PIECES = 32, 128, 8000
SIZES = {"num_layers": 4, "num_heads": 4, "hidden_dim": 256, "intermediate_dim": 1024}
STEPS_A_TURN, TURNS = 4, 7

GOALS: list[Goal] = [
    ("ours", "keras_hub", 1.0),
    ("ours", "hugging_face", 1.8),
    ("ours", "hugging_face_gathered", 1.15),
    ("ours_bfloat16", "ours", 1.4),
    ("ours_bfloat16", "keras_hub_bfloat16", 1.0),
]


def measure() -> list[dict[str, Any]]:
    """A row for each goal."""
    return goal_rows(take_turns("benchmarks.training", GOALS, TURNS), GOALS, "tokens/s")


def ours() -> Work:
    return _ours("float32")


def ours_bfloat16() -> Work:
    return _ours("mixed_bfloat16")


def keras_hub() -> Work:
    return _keras_hub("float32")


def keras_hub_bfloat16() -> Work:
    return _keras_hub("mixed_bfloat16")


def hugging_face() -> Work:
    return _hugging_face(gathered=False)


def hugging_face_gathered() -> Work:
    return _hugging_face(gathered=True)


def random_arrays(rows: int = ROWS, length: int = LENGTH, pieces: int = PIECES) -> dict[str, np.ndarray]:
    """A batch without padding."""
    random = np.random.default_rng(0)
    token_ids = random.integers(5, pieces, (rows, length)).astype("int32")
    places = random.permuted(np.tile(np.arange(length), (rows, 1)), axis=1)
    positions = np.sort(places[:, : round(0.15 * length)]).astype("int32")
    masked = token_ids.copy()
    np.put_along_axis(masked, positions, 4, axis=1)
    return {
        "token_ids": token_ids,
        "masked_ids": masked,
        "positions": positions,
        "words": np.take_along_axis(token_ids, positions, axis=1),
        "segment_ids": np.repeat([[0, 1]], length // 2, axis=1).repeat(rows, axis=0).astype("int32"),
        "labels": random.integers(0, 2, rows).astype("int32"),
    }


def steps_on_a_batch(model: Any, inputs: Any, labels: Any, variable_length: bool, steps: int = STEPS_A_TURN) -> Work:
    """Work that trains on the same batch with TensorFlow, and counts tokens.

    Args:
        model: compiled.
        inputs, labels: arrays.
        variable_length: whether the step is compiled for rows of any length.
        steps: how many steps per turn.
    """
    import tensorflow as tf

    batch = (inputs, labels)
    signature = tf.nest.map_structure(
        lambda array: tf.TensorSpec((None, None)[: array.ndim] if variable_length else array.shape, array.dtype), batch
    )

    def forever() -> Any:
        while True:
            yield batch

    train = steps_of(model, tf.data.Dataset.from_generator(forever, output_signature=signature).prefetch(2), steps)

    def work() -> float:
        train()
        return steps * inputs["token_ids"].size

    return work


def steps_of(model: Any, data: Any, steps: int) -> Callable[[], None]:
    """A function that makes this number of the steps of Keras's `fit` on TensorFlow in each call.

    `fit` makes an iterator on every call, and after several of them TensorFlow sometimes used only one of two threads.
    A real training calls `fit` once.

    Args:
        model: compiled.
        data: an endless `tf.data.Dataset`.
        steps: how many steps per call.
    """
    batches = iter(data)
    model.make_train_function()

    def train() -> None:
        for _ in range(steps):
            measured = model.train_function(batches)
        for number in measured.values():
            number.numpy()  # waits for the last step

    return train


def our_model(dtype: str, max_length: int) -> Any:
    """BERT-mini as `python -m course pretrain` makes it."""
    from course.data.text.vocabulary import Vocabulary
    from course.tokenization import SPECIAL_TOKENS
    from course.training.pretraining import make_pretrainer
    from course.training.pretraining_settings import Settings

    prepare_tensorflow()
    vocabulary = Vocabulary([*SPECIAL_TOKENS, *map(str, range(PIECES - len(SPECIAL_TOKENS)))])
    probabilities = np.where(np.arange(PIECES) < len(SPECIAL_TOKENS), 0.0, 1.0 / (PIECES - len(SPECIAL_TOKENS)))
    return make_pretrainer(vocabulary, probabilities, Settings("mini", max_length=max_length, dtype=dtype), 1000)


def _ours(dtype: str) -> Work:
    arrays = random_arrays()
    inputs = {name: arrays[name] for name in ("token_ids", "segment_ids")}
    return steps_on_a_batch(our_model(dtype, LENGTH), inputs, arrays["labels"], variable_length=True)


def _keras_hub(dtype: str) -> Work:
    import keras
    import keras_hub

    prepare_tensorflow()
    arrays = random_arrays()
    backbone = keras_hub.models.BertBackbone(
        vocabulary_size=PIECES, dropout=0.1, max_sequence_length=LENGTH, dtype=dtype, **SIZES
    )
    positions = keras.Input((None,), dtype="int32", name="mask_positions")
    outputs = backbone.output
    words = keras_hub.layers.MaskedLMHead(
        token_embedding=backbone.token_embedding, intermediate_activation="gelu", dtype=dtype, name="words"
    )(outputs["sequence_output"], mask_positions=positions)
    pair = keras.layers.Dense(2, dtype=dtype, name="pair")(outputs["pooled_output"])
    model = keras.Model({**backbone.input, "mask_positions": positions}, [words, pair])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.AdamW(1e-4, weight_decay=0.01, epsilon=1e-6, global_clipnorm=1.0)
    model.compile(optimizer, [loss, loss], jit_compile=False)
    inputs = {
        "token_ids": arrays["masked_ids"],
        "segment_ids": arrays["segment_ids"],
        "padding_mask": np.ones((ROWS, LENGTH), "int32"),
        "mask_positions": arrays["positions"],
    }
    return steps_on_a_batch(model, inputs, (arrays["words"], arrays["labels"]), variable_length=False)


def _hugging_face(gathered: bool) -> Work:
    import torch
    from transformers import BertConfig, BertForPreTraining

    config = BertConfig(
        vocab_size=PIECES,
        num_hidden_layers=SIZES["num_layers"],
        num_attention_heads=SIZES["num_heads"],
        hidden_size=SIZES["hidden_dim"],
        intermediate_size=SIZES["intermediate_dim"],
        max_position_embeddings=LENGTH,
    )
    model = BertForPreTraining(config).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.01, eps=1e-6)
    arrays = {name: torch.from_numpy(array).long() for name, array in random_arrays().items()}
    labels = torch.full((ROWS, LENGTH), -100).scatter(1, arrays["positions"], arrays["words"])
    inputs = {
        "input_ids": arrays["masked_ids"],
        "token_type_ids": arrays["segment_ids"],
        "attention_mask": torch.ones_like(arrays["token_ids"]),
    }

    def loss() -> Any:
        if not gathered:
            return model(**inputs, labels=labels, next_sentence_label=arrays["labels"]).loss
        outputs = model.bert(**inputs)
        places = arrays["positions"].unsqueeze(-1).expand(-1, -1, config.hidden_size)
        words, pair = model.cls(outputs.last_hidden_state.gather(1, places), outputs.pooler_output)
        return torch.nn.functional.cross_entropy(
            words.flatten(0, 1), arrays["words"].flatten()
        ) + torch.nn.functional.cross_entropy(pair, arrays["labels"])

    def work() -> float:
        for _ in range(STEPS_A_TURN):
            optimizer.zero_grad()
            loss().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        return STEPS_A_TURN * ROWS * LENGTH

    return work
