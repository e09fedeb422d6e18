"""Two translators: an RNN, with and without attention, and a Transformer. Both are taught and asked in the same way."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import keras
import numpy as np
from keras import ops

from course.applications.translation.compiled import compiled
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
    """What reads a text, and then says what comes next in another one.

    A subclass says how, by `encode` and `decode`, and has `source_words`: how many words it can read.
    """

    source_words: int

    def encode(self, source_ids: Any) -> Any:
        """What is kept of the texts that were read: tensors, each of which has a row for each text."""
        raise NotImplementedError

    def decode(self, memory: Any, inputs: Any, return_weights: bool = False) -> Any:
        """Says what comes next at each place.

        Args:
            memory: what `encode` gave.
            inputs: integers, (batch, length), the words so far, with the start.
            return_weights: whether to return where it looked, too.

        Returns:
            (batch, length, words), logits; with `return_weights`, a tuple of this and (batch, length, source_length).
        """
        raise NotImplementedError

    def call(self, texts: tuple[Any, Any]) -> Any:
        """From (source_ids, inputs), (batch, source_length) and (batch, length), to logits, (batch, length, words)."""
        source_ids, inputs = texts
        return self.decode(self.encode(source_ids), inputs)

    def step(self, source_ids: np.ndarray, is_compiled: bool = False) -> Step:
        """What `greedy` and `beam_search` ask: log P of the next word, of all rows, or of hypotheses for one text.

        Args:
            source_ids: integers, (texts, source_length).
            is_compiled: whether to compile it, which takes seconds, once, and is worth it from some dozens of words on.

        Raises:
            ValueError: no text, one that is empty, or a word that the translator does not know.
        """
        require_sources(source_ids, self.source_words)
        encode, following = self._compiled_parts if is_compiled else (self.encode, self.following)
        memory = encode(ops.convert_to_tensor(source_ids, "int32"))
        return lambda prefixes: following(memory, ops.convert_to_tensor(prefixes, "int32"))

    def following(self, memory: Any, prefixes: Any) -> Any:
        """Log P of each word that could follow each prefix, (rows, words), where a text has as many rows as others.

        Args:
            memory: what `encode` gave.
            prefixes: integers, (rows, length).
        """
        rows, texts = ops.shape(prefixes)[0], ops.shape(keras.tree.flatten(memory)[0])[0]
        repeated = keras.tree.map_structure(lambda kept: ops.repeat(kept, rows // texts, axis=0), memory)
        # A word more, which nothing before it sees: Keras warns of a softmax over a single one.
        longer = ops.pad(prefixes, ((0, 0), (0, 1)), constant_values=PADDING_ID)
        logits = self.decode(repeated, longer)
        return ops.log_softmax(ops.cast(logits[:, -2], "float32"))

    @cached_property
    def _compiled_parts(self) -> tuple[Any, Any]:
        return compiled(self.encode, self.following)

    def weights_of(self, source_ids: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        """Where it looks while it says what comes after each of the inputs: (batch, length, source_length)."""
        require_sources(source_ids, self.source_words)
        memory = self.encode(ops.convert_to_tensor(source_ids))
        _, weights = self.decode(memory, ops.convert_to_tensor(inputs), return_weights=True)
        return ops.convert_to_numpy(weights)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}


@keras.saving.register_keras_serializable(package="course")
class RecurrentTranslator(SequenceToSequence):
    """Two RNNs: one reads from both sides, and the other one writes.

    Without attention, all that the writer gets is the last state of the reader. With it, it looks back, before each
    word, at what the reader thought at each word. It looks with the state that it has reached by the words so far, as
    in Luong et al., 2015, https://arxiv.org/abs/1508.04025, section 3.1; Bahdanau et al. look one word earlier.

    Args:
        source_words, target_words: how many words the languages have.
        units: width of the embeddings, of the writer's states, and of those of either side of the reader.
        attends: whether it looks back.
        **kwargs: what every Keras model takes.

    Attributes:
        attention_class: of how it looks. A subclass may name its own.
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
                raise ValueError("a translator without attention looks nowhere; make one with attends=True")
            return self.logits(self.mixed(states))
        context, weights = self.attention(states, read, key_mask=is_word)
        logits = self.logits(self.mixed(ops.concatenate([states, context], axis=-1)))
        return (logits, weights) if return_weights else logits


@keras.saving.register_keras_serializable(package="course")
class Translator(SequenceToSequence):
    """A Transformer that reads one language and writes another one, with pre-LN blocks.

    Args:
        source_words, target_words: how many words the languages have.
        num_layers: how many blocks read, and how many write.
        num_heads, hidden_dim, intermediate_dim, dropout: as in `DecoderBlock`.
        positions: "sinusoidal", which are added to the words; "rope" or "alibi", in every attention; or "none".
        max_length: the longest text, in words, for "sinusoidal".
        **kwargs: what every Keras model takes.

    Attributes:
        block_class: of the blocks that write. A subclass may name its own.

    Raises:
        ValueError: sizes that do not fit each other, or positions of another kind.

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
        """Where the heads of the last block look, on average, which gets x."""
        with recorded_looks(self.writers[-1]) as looks:
            self.writers[-1](x, context, context_mask=mask)
        return ops.mean(looks[-1], axis=1)

    def with_positions(self, x: Any, start: int = 0) -> Any:
        """Embeddings of words, of which the first one stands at `start`, with their positions where these are added.

        Raises:
            ValueError: a word would stand behind the last position.
        """
        x = x * self.hidden_dim**0.5
        if self.positions != "sinusoidal":
            return x
        end = start + ops.shape(x)[1]
        if isinstance(end, int) and end > self.max_length:
            raise ValueError(f"a text may have {self.max_length} words, as max_length says. Received: {end}")
        return x + ops.cast(ops.convert_to_tensor(self._waves)[start:end], x.dtype)


def require_sources(source_ids: Any, vocabulary_size: int) -> None:
    """Raises a ValueError unless there are texts, each with a word, and all words are of the vocabulary."""
    require_rank(source_ids, "source_ids", ("texts", "source_length"))
    require_integers(source_ids, "source_ids")
    require_range(source_ids, "source_ids", vocabulary_size, "as many words as the translator knows")
    words = (np.asarray(source_ids) != PADDING_ID).sum(axis=1)
    if not len(words) or not words.all():
        raise ValueError(
            "source_ids must have a text, and each text a word. "
            f"Received: {len(words)} texts, {int((words == 0).sum())} of them without"
        )
