"""A Transformer that writes with a cache: it computes each word once, not again for every later word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import keras
import numpy as np
from keras import ops

from course.applications.translation.looks import replaced_calls
from course.applications.translation.translators import Translator, require_sources
from course.decoder import CachedAttention, DecoderBlock
from course.validation.values import require_sizes


class CachedStep:
    """A cached step for `greedy` and `beam_search`, with the same outputs as `model.step(source_ids)`.

    It remembers the rows of the last call. If every new row extends one of them by a word, it computes only that word,
    from the cache of the extended row. In all other cases, such as the first call, it computes whole rows.

    Args:
        model: with positions "sinusoidal" or "none". Its weights are copied: make a new step after training.
        source_ids: integers, (texts, source_length).
        max_length: the size of the cache in words, including the start.
        attention_class: of the attention to the words written so far.

    Raises:
        ValueError: positions of another kind, no text, an empty text, or an invalid size.

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
                "a cache needs a translator with positions='sinusoidal' or 'none', whose attention does not depend on "
                f"positions. Received: positions={model.positions!r}"
            )
        require_sources(source_ids, model.source_words)
        require_sizes(max_length=max_length)
        self._model, self._max_length, self._texts = model, max_length, len(source_ids)
        self._memory = model.encode(ops.convert_to_tensor(source_ids))
        self._attentions = [
            attention_class(model.hidden_dim, model.num_heads, dtype=model.dtype_policy) for _ in model.writers
        ]
        self._caches: list[Any] = []
        self._rows: dict[tuple[int, ...], int] = {}  # the place in the caches of each row of the last call

    def __call__(self, prefixes: np.ndarray) -> np.ndarray:
        """Return log P of the next word, (rows, words), for integers, (rows, length)."""
        prefixes = np.asarray(prefixes)
        rows_per_text = len(prefixes) // self._texts
        asked = [(row // rows_per_text, *words) for row, words in enumerate(prefixes.tolist())]
        extended = [self._rows.get(words[:-1]) for words in asked]
        if None in extended:
            written = 0
            self._caches = [attention.empty_cache(len(asked), self._max_length) for attention in self._attentions]
        else:
            written = len(asked[0]) - 2  # minus the new word, and the number of the text in front
            self._take_rows(extended)
        self._rows = {words: row for row, words in enumerate(asked)}
        logits = self._write(ops.convert_to_tensor(prefixes[:, written:]), written, rows_per_text)
        return ops.convert_to_numpy(ops.log_softmax(ops.cast(logits[:, -1], "float32")))

    def _take_rows(self, rows: Sequence[Any]) -> None:
        """Give each row the cache of the row that it extends."""
        if list(rows) != list(range(len(self._rows))):
            self._caches = [ops.take(cache, ops.convert_to_tensor(rows, "int32"), axis=0) for cache in self._caches]

    def _write(self, new: Any, written: int, rows_per_text: int) -> Any:
        """Return the logits after each of the new words, (rows, new), which follow the `written` cached ones."""
        model = self._model
        context, mask = keras.tree.map_structure(lambda tensor: ops.repeat(tensor, rows_per_text, axis=0), self._memory)
        x = model.with_positions(model.target_embedding(new), start=written)  # (rows, new, hidden_dim)
        for place, (block, attention) in enumerate(zip(model.writers, self._attentions, strict=True)):
            with _attending_by(block, attention, self._caches[place], written) as caches:
                x = block(x, context, context_mask=mask)
            self._caches[place] = caches[-1]
        return model.logits(model.writer_norm(x))


@contextmanager
def _attending_by(block: DecoderBlock, attention: CachedAttention, cache: Any, written: int) -> Iterator[list[Any]]:
    """Replace the self-attention of a block by one with a cache, whatever the block calls its own.

    Yields:
        A list with the cache. A call of the block appends the cache that includes the new words.
    """
    caches = [cache]

    def instead_of(part: Any) -> Callable[..., Any]:
        own = part.call

        def call(inputs: Any, context: Any = None, *args: Any, **kwargs: Any) -> Any:
            if context is not None and context is not inputs:  # attention to the source
                return own(inputs, context, *args, **kwargs)
            if not attention.built:
                attention.build(tuple(inputs.shape))
                attention.set_weights(part.get_weights())
            output, new = attention(inputs, cache, position=written)
            caches.append(new)
            return output

        return call

    with replaced_calls(block, instead_of):
        yield caches
