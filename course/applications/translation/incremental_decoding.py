"""A Transformer that writes with a cache: it computes each word once, and not anew for each word that follows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import keras
import numpy as np
from keras import ops

from course.applications.translation.translators import Translator, require_sources
from course.decoder import CachedAttention, DecoderBlock
from course.validation.values import require_sizes


class CachedStep:
    """What `greedy` and `beam_search` ask, as `model.step(source_ids)` is, and with the same answers.

    It remembers what it was asked last. Where each row is one of the last rows with a word more, only that word is
    computed, from the cache of the row that it extends. All else, such as the first call, is computed as a whole.

    Args:
        model: whose positions are "sinusoidal" or "none". Its weights are copied: make a new step after training.
        source_ids: integers, (texts, source_length).
        max_length: how many words there is room for, with the start.
        attention_class: of the attention to what was written.

    Raises:
        ValueError: positions of another kind, no text, one that is empty, or a number that is no size.

    Example:
        >>> step = CachedStep(translator, source_ids, max_length=25)
        >>> greedy(step, starts, END_ID, max_length=24)
    """

    def __init__(
        self,
        model: Translator,
        source_ids: np.ndarray,
        max_length: int,
        attention_class: type[CachedAttention] = CachedAttention,
    ) -> None:
        if model.positions in ("rope", "alibi"):
            raise ValueError(
                "a cache needs a translator with positions='sinusoidal' or 'none', whose attention knows nothing of "
                f"them. Received: positions={model.positions!r}"
            )
        require_sources(source_ids, model.source_words)
        require_sizes(max_length=max_length)
        self._model, self._max_length, self._texts = model, max_length, len(source_ids)
        self._memory = model.encode(ops.convert_to_tensor(source_ids))
        self._attentions = [
            attention_class(model.hidden_dim, model.num_heads, dtype=model.dtype_policy) for _ in model.writers
        ]
        self._caches: list[Any] = []
        self._rows: dict[tuple[int, ...], int] = {}  # where what was asked last is in the caches

    def __call__(self, prefixes: np.ndarray) -> Any:
        """From integers, (rows, length), to log P of the next word, (rows, words)."""
        each = len(prefixes) // self._texts
        asked = [(row // each, *words) for row, words in enumerate(np.asarray(prefixes).tolist())]
        extended = [self._rows.get(words[:-1]) for words in asked]
        if None in extended:
            written = 0
            self._caches = [each.empty_cache(len(asked), self._max_length) for each in self._attentions]
        else:
            written = len(asked[0]) - 2  # words, of which the first one here is the text's number
            self._take_rows(extended)
        self._rows = {words: row for row, words in enumerate(asked)}
        logits = self._write(ops.convert_to_tensor(prefixes[:, written:]), written, each)
        return ops.log_softmax(ops.cast(logits[:, -1], "float32"))

    def _take_rows(self, rows: Sequence[Any]) -> None:
        """Gives each row the cache of the row that it extends."""
        if list(rows) != list(range(len(self._rows))):
            self._caches = [ops.take(cache, ops.convert_to_tensor(rows, "int32"), axis=0) for cache in self._caches]

    def _write(self, new: Any, written: int, each: int) -> Any:
        """Logits behind the new words, (rows, new), which stand behind those that were written."""
        model = self._model
        context, mask = keras.tree.map_structure(lambda kept: ops.repeat(kept, each, axis=0), self._memory)
        x = model.with_positions(model.target_embedding(new), start=written)  # (rows, new, hidden_dim)
        for place, (block, attention) in enumerate(zip(model.writers, self._attentions, strict=True)):
            with _attending_by(block, attention, self._caches[place], written) as caches:
                x = block(x, context, context_mask=mask)
            self._caches[place] = caches[-1]
        return model.logits(model.writer_norm(x))


@contextmanager
def _attending_by(block: DecoderBlock, attention: CachedAttention, cache: Any, written: int) -> Iterator[list[Any]]:
    """Lets a block attend to what was written by an attention with a cache, whatever its own is called there.

    Returns:
        A list that has the cache, and after a call of the block the one with the new words, too.
    """
    caches = [cache]
    parts = [
        part
        for part in block._flatten_layers(include_self=False)
        if "return_weights" in inspect.signature(part.call).parameters
    ]

    def instead_of(part: Any) -> Callable[..., Any]:
        own = part.call

        def call(inputs: Any, context: Any = None, *args: Any, **kwargs: Any) -> Any:
            if context is not None:  # to what was read
                return own(inputs, context, *args, **kwargs)
            if not attention.built:
                attention.build(tuple(inputs.shape))
                attention.set_weights(part.get_weights())
            output, new = attention(inputs, cache, position=written)
            caches.append(new)
            return output

        return call

    for part in parts:
        part.call = instead_of(part)
    try:
        yield caches
    finally:
        for part in parts:
            del part.call  # the class's own is there again
