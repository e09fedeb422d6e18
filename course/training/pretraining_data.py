"""The data of a pretraining: batches to learn from and to measure on, as Keras's `fit` takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import keras

from course.data.corpus.epochs import Batch, Epochs
from course.data.corpus.held_out import held_out_documents
from course.data.corpus.text_rows import PackedRows, SpanHiding, TextRows
from course.data.corpus.token_arrays import TokenArrays
from course.errors import CourseError
from course.training.pretrainers import PAIRS, SPANS
from course.training.pretraining_settings import Settings
from course.training.processes import own_rows
from course.validation.values import require_instance


def rows_to_learn(corpus: TokenArrays, settings: Settings) -> Epochs:
    """Return the batches of a pretraining, without the held-out documents.

    Raises:
        CourseError: as for `Epochs`; or the corpus is a single document, which gives no pairs of two.
        TypeError, ValueError: as for `Epochs`.
    """
    require_instance(corpus, "corpus", TokenArrays)
    documents = [len(corpus.shard(n).document_starts) - 1 for n in range(corpus.num_shards)]
    if settings.objective == PAIRS and max(documents) == 1:
        raise CourseError(
            "the corpus is a single document, and half of the pairs of next-sentence prediction join two. In plain "
            "text, blank lines separate documents: add some and prepare it again, or pretrain with --objective mlm."
        )
    if not settings.held_out:
        return _rows_to_read(corpus, settings)
    return _rows_to_read(corpus.only(lambda shard: ~held_out_documents(shard, settings.held_out)), settings)


def batches_to_measure(corpus: TokenArrays, settings: Settings) -> list[Batch]:
    """Return one epoch of the held-out documents, the same for all seeds; empty if none are held out.

    Raises:
        CourseError: they do not fill a batch.
        TypeError, ValueError: as for `Epochs`.
    """
    if not settings.held_out:
        return []
    require_instance(corpus, "corpus", TokenArrays)
    part = corpus.only(lambda shard: held_out_documents(shard, settings.held_out))
    try:
        epochs = _rows_to_read(part, replace(settings, seed=0))
    except CourseError as error:
        raise CourseError(
            f"--held-out {settings.held_out} holds out too few documents to measure on: {error}"
        ) from error
    return list(islice(epochs.batches(), epochs.batches_per_epoch))


def _rows_to_read(corpus: TokenArrays, settings: Settings) -> Epochs:
    """Return batches of pairs of texts, of texts, or of packed rows.

    Raises:
        CourseError, TypeError, ValueError: as for `Epochs`.
    """
    sizes = (settings.max_length, settings.batch_tokens, settings.num_buckets, settings.devices, settings.seed)
    if settings.objective == PAIRS:
        return Epochs(corpus, *sizes)
    kind = PackedRows if settings.packed else TextRows
    if settings.objective != SPANS:
        return kind(corpus, *sizes)
    return kind(corpus, *sizes, spans=SpanHiding(corpus.vocabulary, corpus.word_probabilities(), settings.mask_rate))


def for_fit(
    read: Callable[[], Iterator[Batch]],
    input_names: Sequence[str] = Epochs.input_names,
    has_labels: bool = Epochs.has_labels,
) -> Any:
    """Return batches as Keras's `fit` takes them. TensorFlow prefetches the next ones during a step."""
    if keras.backend.backend() != "tensorflow":
        return (_for_keras(batch) for batch in read())
    import tensorflow as tf

    # With the shapes left open, TensorFlow compiles the step once for rows of all lengths.
    ids = {name: tf.TensorSpec((None, None), tf.int32) for name in input_names}
    signature = (ids, tf.TensorSpec((None,), tf.int32)) if has_labels else (ids,)
    data = tf.data.Dataset.from_generator(lambda: map(_for_keras, read()), output_signature=signature)
    return data.prefetch(4)


def _for_keras(batch: Batch) -> tuple[Any, ...]:
    """Return the rows of this process."""
    inputs = {name: own_rows(array) for name, array in batch.inputs.items()}
    return (inputs,) if batch.labels is None else (inputs, own_rows(batch.labels))


def for_measuring(batches: Sequence[Batch], input_names: Sequence[str], has_labels: bool) -> Any:
    """Return validation batches for Keras's `fit`, which reads them many times."""
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        data = for_fit(lambda: iter(batches), input_names, has_labels)
        return data.apply(tf.data.experimental.assert_cardinality(len(batches)))  # else Keras warns at the end
    return _InMemory(batches)


class _InMemory(keras.utils.PyDataset):
    def __init__(self, batches: Sequence[Batch]) -> None:
        super().__init__()
        self.batches = batches

    def __len__(self) -> int:
        return len(self.batches)

    def __getitem__(self, number: int) -> tuple[Any, ...]:
        return _for_keras(self.batches[number])
