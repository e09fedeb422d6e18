"""Two translators with the same interface: an RNN, with or without attention, and a Transformer."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import Any

import keras
import numpy as np
from keras import ops

from course.applications.translation.looks import recorded_looks
from course.applications.translation.words import PADDING_ID
from course.attention import padding_mask
from course.decoder import AdditiveAttention, DecoderBlock
from course.embeddings import sinusoidal_positions
from course.encoder import LayerNorm, arguments
from course.given.positioned_encoder import PositionedBlock
from course.validation.arrays import require_integers, require_range, require_rank
from course.validation.steps import Step
from course.validation.values import require_choice, require_shares, require_sizes


class SequenceToSequence(keras.Model):
    """A model that reads one text and predicts the next word of another one.

    A subclass implements `encode` and `decode`, and sets `source_words`, the number of words that it can read.
    """

    source_words: int

    def encode(self, source_ids: Any) -> Any:
        """Return what the model remembers of the source texts: tensors with a row for each text."""
        raise NotImplementedError

    def decode(self, memory: Any, inputs: Any, return_weights: bool = False) -> Any:
        """Predict the next word at each position.

        Args:
            memory: the output of `encode`.
            inputs: integers, (batch, length), the words so far, with the start.
            return_weights: whether to return the attention weights, too.

        Returns:
            (batch, length, words), logits; with `return_weights`, a tuple of this and (batch, length, source_length).
        """
        raise NotImplementedError

    def call(self, texts: tuple[Any, Any]) -> Any:
        """Map (source_ids, inputs), (batch, source_length) and (batch, length), to logits, (batch, length, words)."""
        source_ids, inputs = texts
        return self.decode(self.encode(source_ids), inputs)

    def step(self, source_ids: np.ndarray, is_compiled: bool = False) -> Step:
        """Return the step that `greedy` and `beam_search` call: log P of the next word for each row of prefixes.

        Args:
            source_ids: integers, (texts, source_length).
            is_compiled: whether to compile the step. Compiling takes seconds, once, and pays off from some dozens of
                words on.

        Raises:
            ValueError: no text, an empty text, or a word that the translator does not know.
        """
        require_sources(source_ids, self.source_words)
        encode, following = self._compiled_parts if is_compiled else (self.encode, self.following)
        memory = encode(ops.convert_to_tensor(source_ids, "int32"))

        def step(prefixes: np.ndarray) -> np.ndarray:
            return ops.convert_to_numpy(following(memory, ops.convert_to_tensor(prefixes, "int32")))

        return step

    def following(self, memory: Any, prefixes: Any) -> Any:
        """Return log P of each word that could follow each prefix, (rows, words). All texts have equally many rows.

        Args:
            memory: the output of `encode`.
            prefixes: integers, (rows, length).
        """
        rows, texts = ops.shape(prefixes)[0], ops.shape(keras.tree.flatten(memory)[0])[0]
        repeated = keras.tree.map_structure(lambda tensor: ops.repeat(tensor, rows // texts, axis=0), memory)
        with warnings.catch_warnings():  # of a single word, which attends to itself alone
            warnings.filterwarnings("ignore", "You are using a softmax over axis")
            logits = self.decode(repeated, prefixes)
        return ops.log_softmax(ops.cast(logits[:, -1], "float32"))

    @cached_property
    def _compiled_parts(self) -> tuple[Any, Any]:
        """`encode` and `following`, each traced once for texts of any number and length. Only TensorFlow compiles them.

        Uncompiled, TensorFlow spends most time launching small operations.
        """
        if keras.backend.backend() != "tensorflow":
            return self.encode, self.following
        import tensorflow as tf

        ids = tf.TensorSpec((None, None), tf.int32)
        encode = tf.function(self.encode, input_signature=[ids])
        memory = encode.get_concrete_function().structured_outputs
        memory_spec = tf.nest.map_structure(lambda tensor: tf.TensorSpec(tensor.shape, tensor.dtype), memory)
        return encode, tf.function(self.following, input_signature=[memory_spec, ids])

    def weights_of(self, source_ids: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        """Return the attention weights at the prediction after each input: (batch, length, source_length)."""
        require_sources(source_ids, self.source_words)
        memory = self.encode(ops.convert_to_tensor(source_ids))
        _, weights = self.decode(memory, ops.convert_to_tensor(inputs), return_weights=True)
        return ops.convert_to_numpy(weights)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}


@keras.saving.register_keras_serializable(package="course")
class RecurrentTranslator(SequenceToSequence):
    """Two RNNs: a bidirectional reader and a writer.

    Without attention, the writer gets only the last state of the reader. With attention, it looks back at the reader's
    state at each source word before it writes a word. The query is the writer's state after the words so far, as in
    Luong et al., 2015, https://arxiv.org/abs/1508.04025, section 3.1; Bahdanau et al. use the state one word earlier.

    Args:
        source_words, target_words: how many words the languages have.
        units: width of the embeddings, of the writer's states, and of the reader's states in each direction.
        attends: whether the writer attends to the reader's states.
        **kwargs: passed to `keras.Model`.

    Attributes:
        attention_class: of the attention. A subclass may set its own.
    """

    attention_class: type[AdditiveAttention] = AdditiveAttention

    def __init__(
        self, source_words: int, target_words: int, units: int = 64, attends: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        require_sizes(source_words=source_words, target_words=target_words, units=units)
        self.source_words, self.target_words, self.units, self.attends = source_words, target_words, units, attends
        reader = keras.layers.GRU(units, return_sequences=True, return_state=True)
        self.source_embedding = keras.layers.Embedding(source_words, units, name="source_embedding")
        self.reader = keras.layers.Bidirectional(reader, name="reader")
        self.first_state = keras.layers.Dense(units, activation="tanh", name="first_state")
        self.target_embedding = keras.layers.Embedding(target_words, units, name="target_embedding")
        self.writer = keras.layers.GRU(units, return_sequences=True, name="writer")
        self.attention = self.attention_class(units, name="attention") if attends else None
        self.mixed = keras.layers.Dense(units, activation="tanh", name="mixed")
        self.logits = keras.layers.Dense(target_words, name="logits")

    def encode(self, source_ids: Any) -> Any:
        is_word = ops.not_equal(source_ids, PADDING_ID)
        read, forward, backward = self.reader(self.source_embedding(source_ids), mask=is_word)
        return read, self.first_state(ops.concatenate([forward, backward], axis=-1)), is_word

    def decode(self, memory: Any, inputs: Any, return_weights: bool = False) -> Any:
        read, first_state, is_word = memory
        states = self.writer(self.target_embedding(inputs), initial_state=first_state)  # (batch, length, units)
        if self.attention is None:
            if return_weights:
                raise ValueError("a translator without attention has no weights; make one with attends=True")
            return self.logits(self.mixed(states))
        context, weights = self.attention(states, read, key_mask=is_word)
        logits = self.logits(self.mixed(ops.concatenate([states, context], axis=-1)))
        return (logits, weights) if return_weights else logits


@keras.saving.register_keras_serializable(package="course")
class Translator(SequenceToSequence):
    """A Transformer with pre-LN blocks that reads one language and writes another.

    Args:
        source_words, target_words: how many words the languages have.
        num_layers: how many blocks read, and how many write.
        num_heads, hidden_dim, intermediate_dim, dropout: as in `DecoderBlock`.
        positions: "sinusoidal", added to the embeddings; "rope" or "alibi", in every attention; or "none".
        max_length: the longest text, in words, for "sinusoidal".
        **kwargs: passed to `keras.Model`.

    Attributes:
        block_class: of the writing blocks. A subclass may set its own.

    Raises:
        ValueError: sizes that do not fit each other, or unknown positions.

    Reference: Vaswani et al., 2017, section 3; Xiong et al., 2020, https://arxiv.org/abs/2002.04745, for pre-LN.
    """

    block_class: type[DecoderBlock] = DecoderBlock

    def __init__(
        self,
        source_words: int,
        target_words: int,
        num_layers: int = 2,
        num_heads: int = 4,
        hidden_dim: int = 64,
        intermediate_dim: int = 128,
        dropout: float = 0.0,
        *,
        positions: str = "sinusoidal",
        max_length: int = 64,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        require_sizes(source_words=source_words, target_words=target_words, num_layers=num_layers)
        require_choice("positions", positions, ("sinusoidal", "rope", "alibi", "none"))
        require_shares(dropout=dropout)
        self.source_words, self.target_words, self.num_layers = source_words, target_words, num_layers
        self.num_heads, self.hidden_dim, self.intermediate_dim = num_heads, hidden_dim, intermediate_dim
        self.dropout, self.positions, self.max_length = dropout, positions, max_length
        if positions == "sinusoidal":
            self._waves = np.array(sinusoidal_positions(max_length, hidden_dim))
        sizes = (hidden_dim, num_heads, intermediate_dim, dropout)
        options: dict[str, Any] = {
            "norm_first": True,
            "positions": positions if positions in ("rope", "alibi") else "none",
        }
        self.source_embedding = keras.layers.Embedding(source_words, hidden_dim, name="source_embedding")
        self.readers = [PositionedBlock(*sizes, name=f"reader_{n}", **options) for n in range(num_layers)]
        self.reader_norm = LayerNorm(name="reader_norm")
        self.target_embedding = keras.layers.Embedding(target_words, hidden_dim, name="target_embedding")
        self.writers = [self.block_class(*sizes, name=f"writer_{n}", **options) for n in range(num_layers)]
        self.writer_norm = LayerNorm(name="writer_norm")
        self.logits = keras.layers.Dense(target_words, name="logits")

    def encode(self, source_ids: Any) -> Any:
        mask = padding_mask(source_ids)  # (batch, 1, 1, source_length)
        x = self.with_positions(self.source_embedding(source_ids))
        for block in self.readers:
            x = block(x, attention_mask=mask)
        return self.reader_norm(x), mask

    def decode(self, memory: Any, inputs: Any, return_weights: bool = False) -> Any:
        context, mask = memory
        x = before_last = self.with_positions(self.target_embedding(inputs))
        for block in self.writers:
            before_last, x = x, block(x, context, context_mask=mask)
        logits = self.logits(self.writer_norm(x))
        return (logits, self._last_look(before_last, context, mask)) if return_weights else logits

    def _last_look(self, x: Any, context: Any, mask: Any) -> Any:
        """Return the attention weights of the last writing block for its input x, averaged over heads."""
        with recorded_looks(self.writers[-1]) as looks:
            self.writers[-1](x, context, context_mask=mask)
        return ops.mean(looks[-1], axis=1)

    def with_positions(self, x: Any, start: int = 0) -> Any:
        """Return scaled embeddings, with sinusoidal positions from `start` on if the model uses them.

        Raises:
            ValueError: a word would stand after the last position.
        """
        x = x * self.hidden_dim**0.5
        if self.positions != "sinusoidal":
            return x
        end = start + ops.shape(x)[1]
        if isinstance(end, int) and end > self.max_length:
            raise ValueError(f"a text may have at most {self.max_length} words (max_length). Received: {end}")
        return x + ops.cast(ops.convert_to_tensor(self._waves)[start:end], x.dtype)


def require_sources(source_ids: Any, vocabulary_size: int) -> None:
    """Raise a ValueError unless there are texts, each has a word, and all words are in the vocabulary."""
    require_rank(source_ids, "source_ids", ("texts", "source_length"))
    require_integers(source_ids, "source_ids")
    require_range(source_ids, "source_ids", vocabulary_size, "as many words as the translator knows")
    words = (np.asarray(source_ids) != PADDING_ID).sum(axis=1)
    if not len(words) or not words.all():
        raise ValueError(
            "source_ids must have at least one text, and each text at least one word. "
            f"Received: {len(words)} texts, {int((words == 0).sum())} of them without words"
        )
