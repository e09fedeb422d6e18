"""Masked language modelling: hide some words of a text, and learn to say which words they were.

In the order of a training step: how often each word occurs, the corruption (15% of the words; 80/10/10), the
head that scores every word of the vocabulary, and the loss over the hidden words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops, random

from course.embeddings import require_ids
from course.encoder import LayerNorm, gelu, projection
from course.validation.arrays import require_integers, require_range, require_rank
from course.validation.values import require_id, require_sizes, require_special_ids


def unigram_probabilities(token_ids: np.ndarray, vocabulary_size: int, special_ids: Sequence[int]) -> np.ndarray:
    """Return how likely each word of the vocabulary is to occur in a text, without special tokens.

    The probability of a word is its number of occurrences divided by the number of all words. Special tokens such as
    [PAD], [CLS], [SEP] and [MASK] are not words: they get the probability 0, and all others sum to 1. A word that never
    occurs gets 0, too.

    Args:
        token_ids: integers of any shape, the whole corpus.
        vocabulary_size: how many ids there are.
        special_ids: the ids that are not words, in a list or a tuple.

    Returns:
        (vocabulary_size,), float64.

    Raises:
        ValueError: an id outside the vocabulary, or no word at all.

    Example:
        A vocabulary of 5 ids, of which 0 is special:

        >>> unigram_probabilities(np.array([[0, 4, 2], [2, 4, 2]]), vocabulary_size=5, special_ids=[0])
        array([0. , 0. , 0.6, 0. , 0.4])
    """
    _require_countable(token_ids, vocabulary_size, special_ids)
    counts = np.bincount(np.ravel(token_ids), minlength=vocabulary_size).astype("float64")
    counts[list(special_ids)] = 0.0
    if not counts.any():
        raise ValueError(f"token_ids must hold words. Received: only special tokens, {list(special_ids)}")
    return counts / counts.sum()


def mask_tokens(
    token_ids: Any,
    unigram_probabilities: np.ndarray,
    mask_id: int,
    special_ids: Sequence[int],
    *,
    rate: float = 0.15,
    seed: int | random.SeedGenerator | None = None,
) -> tuple[Any, Any]:
    """Corrupts a batch of texts as BERT does, with new draws at each call.

    In each row, words are selected at random: `rate` times the number of the row's words, rounded like `round` (halves
    to the even number), and at least one. Special tokens, padding among them, are never selected. Of the selected words

    - 80% are replaced by [MASK];
    - 10% are replaced by a word that is drawn from the vocabulary by its unigram probability (now and then
      that is the same word again);
    - 10% stay as they are, although they will have to be predicted, too.

    What must hold:
        - Which of the three happens to a word does not depend on where it stands, which word it is, how it came to be
          selected, or what happens to the others.
        - It can run inside a compiled training step, so that every epoch sees new masks: it uses `keras.ops` and
          `keras.random`, and no Python `if` looks at a tensor.

    Args:
        token_ids: integers, (batch, length).
        unigram_probabilities: (vocabulary_size,), a NumPy array: it is known before training. 0 for special
            tokens.
        mask_id: the id of [MASK].
        special_ids: the ids that are never selected.
        rate: the share of the words that is selected, above 0 and at most 1.
        seed: as in all of `keras.random`. A `SeedGenerator` gives new numbers at each draw. An integer gives the same
            numbers at each draw, so two draws with it are identical. None is Keras's global generator.

    Returns:
        masked_ids: int32, (batch, length), the corrupted texts, and
        selected: boolean, (batch, length), True where a word was selected.

    Raises:
        ValueError: other shapes or dtypes, ids outside the vocabulary, values that are not probabilities, or a rate out
            of range.

    Reference: Devlin et al., "BERT", 2018, section 3.1, task 1, and appendix A.1. There, random words are uniform; here
    they are drawn by unigram probability, as in Jurafsky and Martin, "Speech and Language Processing", 3rd edition.
    """
    _require_maskable(token_ids, unigram_probabilities, mask_id, special_ids, rate)
    token_ids = ops.convert_to_tensor(token_ids, dtype="int32")
    batch, length = ops.shape(token_ids)
    most = _most_selected(length, rate)
    # Independent numbers. One for each token: is it selected? Two for each that is: what happens to it, and what
    # replaces it?
    numbers = random.uniform((batch, length + 2 * most), dtype="float32", seed=seed)
    select, happen, replace = numbers[:, :length], numbers[:, length : length + most], numbers[:, length + most :]

    special_ids = ops.convert_to_tensor(list(special_ids), dtype="int32")
    is_word = ops.all(ops.not_equal(token_ids[:, :, None], special_ids), axis=-1)  # (batch, length)
    num_words = ops.sum(ops.cast(is_word, "float32"), axis=-1, keepdims=True)  # (batch, 1)
    num_selected = ops.cast(ops.maximum(ops.round(rate * num_words), 1.0), "int32")
    # The positions of the largest numbers of each row, the largest first. Special tokens have a number below them all.
    largest, positions = ops.top_k(ops.where(is_word, select, -1.0), most)  # (batch, most) each
    is_selected = ops.logical_and(largest >= 0.0, ops.arange(most, dtype="int32") < num_selected)

    # A number from cumulative[i - 1] up to cumulative[i] stands for word i: likely words have wider intervals.
    cumulative = np.cumsum(unigram_probabilities, dtype="float64")
    cumulative = ops.convert_to_tensor(cumulative / cumulative[-1], dtype="float32")  # (vocabulary_size,)
    drawn = ops.searchsorted(cumulative, ops.reshape(replace, (-1,)), side="right")  # (batch * most,)
    drawn = ops.reshape(ops.cast(drawn, "int32"), ops.shape(positions))  # (batch, most)

    words = ops.take_along_axis(token_ids, positions, axis=1)
    corrupted = ops.where(happen < 0.8, mask_id, ops.where(happen < 0.9, drawn, words))
    # Back from the selected words to all tokens: -1, which is not an id, marks tokens that were not selected.
    corrupted = _put_at(positions, ops.where(is_selected, corrupted, -1), length)  # (batch, length)
    selected = corrupted >= 0
    return ops.where(selected, corrupted, token_ids), selected


def masked_positions(selected: Any, rate: float = 0.15) -> tuple[Any, Any]:
    """Return the positions of the selected words of each row, in rows of one length.

    Much of a small BERT's work is to score the whole vocabulary, so only the selected words are scored. Compiled code
    needs the same number of them in each row: as many as `mask_tokens` selects in a row without padding. Rows with
    fewer are filled up with other positions, of weight 0.

    Args:
        selected: boolean, (batch, length), from `mask_tokens`.
        rate: the share of the words that `mask_tokens` was told to select.

    Returns:
        positions: int32, (batch, predictions), ascending, those of selected words first, and
        weights: float32, (batch, predictions), 1 for a selected word and 0 for what fills up the row.

    Raises:
        ValueError: another shape or dtype, or a rate out of range.
    """
    require_rank(selected, "selected", ("batch", "length"))
    if keras.backend.standardize_dtype(selected.dtype) != "bool":
        raise ValueError(f"selected must be boolean, as from `mask_tokens`. Received: selected.dtype={selected.dtype}")
    require_rate(rate)
    length = ops.shape(selected)[1]
    index = ops.arange(length, dtype="int32")
    # The smallest of these numbers, ascending: where the selected words stand, then the other places.
    order = -ops.top_k(-ops.where(selected, index, index + length), _most_selected(length, rate))[0]
    return order % length, ops.cast(order < length, "float32")  # (batch, predictions) each


def gather_masked(sequence_output: Any, positions: Any) -> Any:
    """Return, for each row, the vectors at its positions.

    Args:
        sequence_output: (batch, length, hidden_dim).
        positions: integers below length, (batch, predictions).

    Returns:
        (batch, predictions, hidden_dim): row i holds `sequence_output[i, positions[i]]`.

    Raises:
        ValueError: other shapes or dtypes, or positions beyond the end.

    Example:
        >>> gather_masked(np.array([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]), np.array([[2, 0]]))
        # [[[5.0, 6.0], [1.0, 2.0]]]
    """
    _require_positions(sequence_output, positions)
    return ops.take_along_axis(sequence_output, positions[:, :, None], axis=1)


class MaskedLMHead(keras.layers.Layer):
    """Scores every word of the vocabulary at the masked positions.

    The encoder's outputs at these positions go through a transform, `norm(gelu(dense(x)))`, with the exact GELU. The
    result, h, is compared with the embedding of each word:

        u = h Eᵀ + b    and then, in the loss, y = softmax(u)

    E is the encoder's own token embedding ("tied weights"), so the head has only the transform and the bias b. Each
    call gets E, and training changes it through both the encoder and the head.

    Args:
        vocabulary_size: how many words there are, the rows of E.
        hidden_dim: width of the encoder's output, the columns of E.
        epsilon: added to the variance in the normalization.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Example:
        >>> head = MaskedLMHead(vocabulary_size=8000, hidden_dim=256)
        >>> logits = head(sequence_output, embeddings, positions)  # (batch, predictions, 8000)

    Reference: Devlin et al., "BERT", 2018, section 3.1, task 1; tied weights: Press and Wolf, "Using the
    Output Embedding to Improve Language Models", 2017.
    """

    def __init__(self, vocabulary_size: int, hidden_dim: int, epsilon: float = 1e-12, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_sizes(vocabulary_size=vocabulary_size, hidden_dim=hidden_dim)
        self.vocabulary_size = vocabulary_size
        self.hidden_dim = hidden_dim
        self.epsilon = epsilon

    def build(
        self, sequence_output_shape: tuple, embeddings_shape: tuple, positions_shape: tuple | None = None
    ) -> None:
        """Makes the layers `dense` and `norm` and the weight `output_bias`, so that they exist before the first call.

        `dense` is a `projection` to `hidden_dim` of that name, and `norm` a `LayerNorm(self.epsilon)`. Both
        get `dtype=self.dtype_policy` and are built here. The bias is a number for each word, 0 at first. If the
        weight is named "bias", chapter 7 exempts it from weight decay, like every bias.

        Args:
            sequence_output_shape: (batch, length, hidden_dim).
            embeddings_shape: (vocabulary_size, hidden_dim).
            positions_shape: (batch, predictions), or None.

        Raises:
            ValueError: other widths than the head was made for.
        """
        _require_head_shapes(sequence_output_shape, embeddings_shape, self.vocabulary_size, self.hidden_dim)
        self.dense = projection(self.hidden_dim, "dense", dtype=self.dtype_policy)
        self.norm = LayerNorm(self.epsilon, name="norm", dtype=self.dtype_policy)
        self.dense.build(sequence_output_shape)
        self.norm.build(sequence_output_shape)
        self.output_bias = self.add_weight((self.vocabulary_size,), "zeros", name="bias")

    def call(self, sequence_output: Any, embeddings: Any, positions: Any = None) -> Any:
        """Gathers first and then transforms, so that no work is done at other positions.

        Args:
            sequence_output: (batch, length, hidden_dim), from the encoder.
            embeddings: (vocabulary_size, hidden_dim), the matrix E.
            positions: integers, (batch, predictions), where to score words. None: everywhere.

        Returns:
            Logits, (batch, predictions, vocabulary_size): u, before the softmax, in the head's compute dtype.

        Raises:
            ValueError: other shapes, or positions beyond the end.
        """
        _require_head_shapes(sequence_output.shape, embeddings.shape, self.vocabulary_size, self.hidden_dim)
        if positions is not None:
            sequence_output = gather_masked(sequence_output, positions)  # (batch, predictions, hidden_dim)
        hidden = self.norm(gelu(self.dense(sequence_output)))
        return ops.matmul(hidden, ops.transpose(embeddings)) + self.output_bias  # (batch, predictions, vocabulary_size)

    def get_config(self) -> dict[str, Any]:
        config = {
            "vocabulary_size": self.vocabulary_size,
            "hidden_dim": self.hidden_dim,
            "epsilon": self.epsilon,
        }
        return {**super().get_config(), **config}


def masked_lm_loss(labels: Any, logits: Any, weights: Any) -> Any:
    """Return the mean of -log P(word) over the masked words, and over no others.

    L = -1/|M| Σ log P(x_i | h_i), the sum over i in M, the masked words of the whole batch; x_i is the word that
    stood there.

    What must hold:
        - Every masked word counts the same, however many its row has.
        - A position of weight 0 changes nothing, whatever logits of up to ±1e38 it has.
        - Where no word is masked at all, the loss is 0, and so is its gradient. Neither is ever NaN.
        - The logits may be in half precision. The loss is computed in float32 all the same: a softmax over a whole
          vocabulary sums too many small numbers for half precision.

    Args:
        labels: integers, (batch, predictions), the words that stood there.
        logits: (batch, predictions, vocabulary_size), before the softmax.
        weights: floats, (batch, predictions), 1 where a word was masked and 0 elsewhere.

    Returns:
        A float32 scalar.

    Raises:
        ValueError: shapes that do not fit each other, or labels that are not words of the vocabulary.

    Example:
        Two words are equally likely at the first position, and the second does not count: log 2.

        >>> masked_lm_loss(np.array([[1, 0]]), np.array([[[3.0, 3.0], [9.0, 0.0]]]), np.array([[1.0, 0.0]]))
        # 0.6931

    Reference: Jurafsky and Martin, "Speech and Language Processing", 3rd edition, on training masked models.
    """
    labels, weights = ops.convert_to_tensor(labels), ops.cast(weights, "float32")
    logits = ops.cast(logits, "float32")
    _require_one_loss_each(labels, logits, weights)
    losses = ops.sparse_categorical_crossentropy(labels, logits, from_logits=True)  # (batch, predictions)
    return ops.divide_no_nan(ops.sum(weights * losses), ops.sum(weights))


def _most_selected(length: Any, rate: float) -> Any:
    """Return how many words `mask_tokens` selects in a row of words alone, the most for a row of this length.

    Args:
        length: of a row. TensorFlow may know a batch's length only at run time; then it is a tensor.
        rate: the share of the words that is selected.
    """
    if isinstance(length, int):  # in float32, so that 0.15 * 190 is rounded as in `mask_tokens`
        return max(1, int(np.round(np.float32(rate) * length)))
    return ops.cast(ops.maximum(ops.round(rate * ops.cast(length, "float32")), 1.0), "int32")


def _put_at(positions: Any, values: Any, length: Any) -> Any:
    """Return rows of -1 with the values at their positions.

    Args:
        positions: integers below `length`, (batch, count), different ones in each row.
        values: int32, (batch, count).
        length: of the rows.

    Returns:
        int32, (batch, length).

    Example:
        >>> _put_at(np.array([[2, 0], [1, 3]]), np.array([[7, 5], [9, 6]]), length=4)
        [[5, -1, 7, -1], [-1, 9, -1, 6]]
    """
    batch, count = ops.shape(positions)
    rows = ops.broadcast_to(ops.arange(batch, dtype="int32")[:, None], (batch, count))
    places = ops.stack([rows, ops.cast(positions, "int32")], axis=-1)  # (batch, count, 2)
    empty = ops.full((batch, length), -1, dtype="int32")
    return ops.scatter_update(empty, ops.reshape(places, (-1, 2)), ops.reshape(values, (-1,)))


def _require_countable(token_ids: np.ndarray, vocabulary_size: int, special_ids: Sequence[int]) -> None:
    """Raises a ValueError unless these are ids that can be counted."""
    require_sizes(vocabulary_size=vocabulary_size)
    require_special_ids(special_ids, vocabulary_size)
    require_integers(token_ids, "token_ids")
    require_range(token_ids, "token_ids", vocabulary_size, f"for vocabulary_size={vocabulary_size}")


def _require_maskable(
    token_ids: Any, unigram_probabilities: np.ndarray, mask_id: int, special_ids: Sequence[int], rate: float
) -> None:
    """Raises a ValueError unless these ids can be masked at this rate."""
    require_probabilities(unigram_probabilities)
    vocabulary_size = len(unigram_probabilities)
    require_ids(token_ids, "token_ids", vocabulary_size)
    require_id("mask_id", mask_id, vocabulary_size)
    require_special_ids(special_ids, vocabulary_size)
    require_rate(rate)


def require_probabilities(unigram_probabilities: np.ndarray) -> None:
    """Raises a ValueError unless there is a probability for each word, and a word can be drawn."""
    require_rank(unigram_probabilities, "unigram_probabilities", ("vocabulary_size",))
    lowest, total = np.min(unigram_probabilities, initial=np.inf), np.sum(unigram_probabilities)
    if not (lowest >= 0.0 and 0.0 < total < np.inf):
        raise ValueError(
            "unigram_probabilities must be finite, 0 or more, and not all 0. "
            f"Received: the lowest {lowest}, their sum {total}"
        )


def require_rate(rate: float) -> None:
    """Raises a ValueError unless the rate is above 0 and at most 1."""
    if not isinstance(rate, int | float | np.number) or not 0.0 < rate <= 1.0:
        raise ValueError(f"rate must be above 0 and at most 1; BERT's is 0.15. Received: rate={rate}")


def _require_head_shapes(sequence: tuple, embeddings: tuple, vocabulary_size: int, hidden_dim: int) -> None:
    """Raises a ValueError unless outputs and embeddings have the widths that the head was made for."""
    if len(sequence) != 3 or sequence[-1] != hidden_dim:
        raise ValueError(
            f"sequence_output must be (batch, length, {hidden_dim}), for hidden_dim={hidden_dim}. "
            f"Received: sequence_output.shape={tuple(sequence)}"
        )
    rows, *width = embeddings  # in a compiled function, rows may not be known yet
    if width != [hidden_dim] or rows not in (vocabulary_size, None):
        raise ValueError(
            f"embeddings must be ({vocabulary_size}, {hidden_dim}), a row for each word. "
            f"Received: embeddings.shape={tuple(embeddings)}"
        )


def _require_positions(sequence_output: Any, positions: Any) -> None:
    """Raises a ValueError unless each text has a row of positions."""
    require_rank(sequence_output, "sequence_output", ("batch", "length", "hidden_dim"))
    require_rank(positions, "positions", ("batch", "predictions"))
    require_integers(positions, "positions")
    batch, length, _ = sequence_output.shape
    if isinstance(batch, int) and isinstance(positions.shape[0], int) and batch != positions.shape[0]:
        raise ValueError(
            "positions must have a row for each text. "
            f"Received: positions.shape={tuple(positions.shape)}, sequence_output.shape={tuple(sequence_output.shape)}"
        )
    if isinstance(length, int):
        require_range(positions, "positions", length, f"since a text has {length} tokens")


def _require_one_loss_each(labels: Any, logits: Any, weights: Any) -> None:
    """Raises a ValueError unless there is a label and a weight for each guess."""
    require_rank(logits, "logits", ("batch", "predictions", "vocabulary_size"))
    require_integers(labels, "labels")
    require_range(labels, "labels", logits.shape[-1], "the words that there are logits for")
    for name, tensor in (("labels", labels), ("weights", weights)):
        require_rank(tensor, name, ("batch", "predictions"))
        sizes = zip(tensor.shape, logits.shape, strict=False)
        if any(given != wanted for given, wanted in sizes if given is not None and wanted is not None):
            raise ValueError(
                f"{name} must have one number for each row of the logits. "
                f"Received: {name}.shape={tuple(tensor.shape)}, logits.shape={tuple(logits.shape)}"
            )
