"""Pretrain from a prepared corpus to a saved encoder. A run that is killed resumes from its last checkpoint."""

from __future__ import annotations

import dataclasses
import math
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn, Protocol

import keras
import numpy as np
from keras import ops

from course.data.corpus.epochs import Batch
from course.data.corpus.token_arrays import TokenArrays
from course.data.text.vocabulary import Vocabulary
from course.encoder import BertEncoder
from course.errors import CourseError, Stopped
from course.presets import sizes_of
from course.pretraining import WarmupLinearDecay
from course.storage.atomic import atomic_file, require_writable
from course.storage.outputs import write_json
from course.training.checkpoint import load_checkpoint, read_note, save_checkpoint, save_encoder, value_of
from course.training.continued_pretraining import encoder_of, require_same_reading, save_heads, take_heads
from course.training.devices import bert_optimizer_on_devices, on_devices
from course.training.encoder_source import ENCODER, HEADS, VOCABULARY, EncoderSource
from course.training.fused_attention import fuse_attention, has_kernel
from course.training.history import HELD_OUT, History, Row
from course.training.pretrainers import PAIRS, pretrainer_of
from course.training.pretraining_data import batches_to_measure, for_fit, for_measuring, rows_to_learn
from course.training.pretraining_settings import Settings
from course.training.processes import anywhere, is_first_process, require_agreement
from course.training.tensorboard import TensorBoardWriter
from course.validation.values import require_instance, require_sizes
from course.weights.files import TOKENIZER_CONFIG

CHECKPOINT = "checkpoint.safetensors"


class Watcher(Protocol):
    """Receives the progress of a run."""

    def begin(self, total: int, done: int) -> None:
        """Called when the run begins or resumes; `done` of `total` steps are finished."""

    def step(self, tokens: int) -> None:
        """Called after each step, with its number of tokens."""

    def row(self, row: Row) -> None:
        """Called with each new row of the history."""


def pretrain(
    corpus: TokenArrays,
    folder: Path,
    settings: Settings,
    watcher: Watcher,
    save_every: int = 200,
    *,
    start: EncoderSource | None = None,
    stop: Callable[[], bool] = lambda: False,
    saved: Callable[[keras.Model], object] = lambda model: None,
) -> Path:
    """Pretrain an encoder, or resume its pretraining.

    With several processes (see `course.training.processes`), the first writes all files, and each reads the folder
    when it begins. If one is asked to stop, all do.

    Args:
        corpus: what to read.
        folder: where everything goes: checkpoint.safetensors, history.csv, curves.png, and in the end encoder.keras,
            heads.safetensors (not of ELECTRA) and vocabulary.txt. If it holds a run with the same settings, that run
            resumes from its checkpoint.
        settings: of the run.
        watcher: receives the progress.
        save_every: steps from one checkpoint to the next, rounded up to whole rows of the history. Each checkpoint,
            and the end, also measures the loss of the held-out documents, with the same masks each time and for all
            seeds.
        start: the encoder to begin with, with any heads that it has, instead of a random one of the settings' size.
        stop: called at each row of the history; returns whether to save a checkpoint and stop there.
        saved: called with the model after each checkpoint that this process writes, and if the run was finished.

    Returns:
        The file of the encoder.

    Raises:
        Stopped: `stop` returned True.
        CourseError: the corpus was not prepared as `start` reads, or is too small; the folder holds another run or
            cannot be written; the run has too few steps to change the weights once; or the loss is no longer finite.
        TypeError: an argument is not a prepared corpus, a path, or settings.
        ValueError: the settings give no batches, or a preset or dtype is unknown.
    """
    require_instance(folder, "folder", Path)
    require_instance(settings, "settings", Settings)
    require_sizes(save_every=save_every)
    epochs, held_out = rows_to_learn(corpus, settings), batches_to_measure(corpus, settings)
    total = max(1, math.ceil(settings.epochs * epochs.batches_per_epoch / settings.log_every)) * settings.log_every
    if settings.accumulate > total:
        raise CourseError(
            f"--accumulate {settings.accumulate} is more than the run has batches, {total}: the weights would never "
            "change. Take fewer, or more --epochs."
        )
    if settings.accumulate > 1 and settings.devices > 1 and keras.backend.backend() == "tensorflow":
        raise CourseError(
            f"--accumulate {settings.accumulate} and --devices {settings.devices} together need JAX: TensorFlow adds "
            "up gradients over batches, or over devices. Set KERAS_BACKEND to jax, or leave one of them out."
        )
    if start is not None:
        require_same_reading(corpus, start, settings.max_length)
    binding = {**dataclasses.asdict(settings), "corpus": corpus.key, "backend": keras.backend.backend()}
    binding["start"] = None if start is None else start.digest()
    if settings.accumulate > 1:
        binding["schedule"] = "over all batches"
    if is_first_process():
        require_writable(folder)
    done = _steps_behind(folder / CHECKPOINT, binding, total)
    require_agreement({**binding, "the checkpoint": done})
    keeper = _Keeper(folder, binding, watcher, done, total, save_every, stop, saved)
    watcher.begin(total, done)
    with on_devices(settings.devices):
        model = make_pretrainer(corpus.vocabulary, corpus.word_probabilities(), settings, total, start)
        if done < total:
            model.fit(
                for_fit(lambda: keeper.counted(epochs.batches(done)), epochs.input_names, epochs.has_labels),
                steps_per_epoch=settings.log_every,  # what Keras calls an epoch is a row of the history
                initial_epoch=done // settings.log_every,
                epochs=total // settings.log_every,
                validation_data=for_measuring(held_out, epochs.input_names, epochs.has_labels) if held_out else None,
                validation_freq=_rows_of_checkpoints(total, settings.log_every, save_every),
                callbacks=[keeper],
                shuffle=False,
                verbose=0,
            )
        else:
            load_checkpoint(folder / CHECKPOINT, model)
            saved(model)
    if is_first_process():
        _leave_encoder(model, corpus, folder, keeper.history)
    return folder / ENCODER


def _leave_encoder(model: keras.Model, corpus: TokenArrays, folder: Path, history: History) -> None:
    """Write the results of a run: the picture of its losses, and the encoder with its heads and vocabulary."""
    if history.rows:  # empty if the table of a finished run was deleted
        history.draw()
    save_encoder(model.encoder, folder / ENCODER)
    save_heads(model, folder / HEADS)
    with atomic_file(folder / VOCABULARY) as draft:
        corpus.vocabulary.save(draft)
    if "lowercase" in corpus.description:
        write_json(folder / TOKENIZER_CONFIG, {"do_lower_case": corpus.description["lowercase"]})


def _rows_of_checkpoints(total: int, log_every: int, save_every: int) -> list[int]:
    """Return the rows of the history, counted from 1, at which an uninterrupted run saves a checkpoint."""
    last, every = total // log_every, math.ceil(save_every / log_every)
    return sorted({*range(every, last, every), last})


def make_pretrainer(
    vocabulary: Vocabulary,
    word_probabilities: np.ndarray,
    settings: Settings,
    total_steps: int,
    start: EncoderSource | None = None,
) -> keras.Model:
    """Return the model with its optimizer, both built, as before the first step."""
    keras.utils.set_random_seed(settings.seed)
    if start is None:
        encoder = _fresh_encoder(vocabulary, settings)
    else:
        encoder = encoder_of(start, settings.dropout, settings.attention_dropout, settings.dtype)
    model = pretrainer_of(
        settings.objective, encoder, vocabulary, word_probabilities, settings.mask_rate, settings.seed
    )
    model.seed = 0  # of the masks in measurements, the same for all seeds; a training draws from `seed_generator`
    if has_kernel():
        fuse_attention(model.encoder)
    if start is not None:
        take_heads(model, start)
    # A schedule's steps are batches, even if several make an update: Keras hands it the number of batches.
    schedule = WarmupLinearDecay(settings.learning_rate, math.floor(settings.warmup * total_steps), total_steps)
    optimizer = bert_optimizer_on_devices(model, schedule, settings.weight_decay, accumulate=settings.accumulate)
    model.compile(optimizer, jit_compile=_xla_pays())
    model.optimizer.build(model.trainable_variables)
    return model


def _fresh_encoder(vocabulary: Vocabulary, settings: Settings) -> BertEncoder:
    return BertEncoder(
        len(vocabulary),
        max_length=settings.max_length,
        dropout=settings.dropout,
        attention_dropout=settings.attention_dropout,
        padding_id=vocabulary.padding_id,
        name="encoder",
        dtype=settings.dtype,
        **(sizes_of(settings.preset) | ({"num_layers": settings.layers} if settings.layers else {})),
    )


class _Keeper(keras.callbacks.Callback):
    """Writes the rows of a run's history, and its checkpoints."""

    def __init__(
        self,
        folder: Path,
        settings: dict[str, Any],
        watcher: Watcher,
        done: int,
        total: int,
        save_every: int,
        stop: Callable[[], bool],
        saved: Callable[[keras.Model], object],
    ) -> None:
        super().__init__()
        self.folder = folder
        self.settings = settings
        self.watcher = watcher
        self.total = total
        self.save_every = save_every
        self.stop, self.saved = stop, saved
        self.at = self.saved_at = done
        self.tokens: dict[int, int] = {}  # of batches that were read, but not yet trained on
        self.tokens_since, self.steps_since, self.row_began = 0, 0, time.perf_counter()
        self.writes = is_first_process()
        self.history = History(folder, until=done)
        self.board = TensorBoardWriter(folder / "tensorboard")

    def counted(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """Pass batches on, and record how many tokens each has, because they are read ahead of training."""
        for number, batch in enumerate(batches, start=self.at + 1):
            self.tokens[number] = batch.tokens
            yield batch

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        if self.at:  # not earlier, because `fit` may first try the model, which moves random generators on
            load_checkpoint(self.folder / CHECKPOINT, self.model)

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        if batch:
            self._step_made()
        elif keras.backend.backend() == "torch":
            import torch

            # PyTorch's dropout has its own generator, which is not in the checkpoint and which Keras does not seed, so
            # each row of the history seeds it.
            torch.manual_seed(int(np.random.SeedSequence((self.settings["seed"], self.at)).generate_state(1)[0]))

    def _step_made(self) -> None:
        """Count a step, when the next one begins or the row ends.

        If a callback has `on_train_batch_end`, Keras fetches every measurement from the device after each step, and
        waits for it. If none has, Keras does not wait on JAX.
        """
        self.at += 1
        tokens = self.tokens.pop(self.at)
        self.tokens_since += tokens
        self.steps_since += 1
        self.watcher.step(tokens)

    def on_test_begin(self, logs: dict[str, Any] | None = None) -> None:
        self.measuring_began = time.perf_counter()

    def on_test_end(self, logs: dict[str, Any] | None = None) -> None:
        self.row_began += time.perf_counter() - self.measuring_began  # exclude this time from training

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        self._step_made()
        measured = {re.sub("^val_", HELD_OUT, name): float(value) for name, value in (logs or {}).items()}
        measured.pop(f"{HELD_OUT}finite", None)
        finite = measured.pop("finite")
        if finite < 1.0:
            self._give_up(self.at - self.steps_since + round(finite * self.steps_since) + 1)
        now = time.perf_counter()
        row = {
            "step": self.at,
            **measured,
            "learning_rate": float(ops.convert_to_numpy(self.model.optimizer.learning_rate)),
            "tokens_per_second": self.tokens_since / (now - self.row_began),
        }
        self.row_began, self.tokens_since, self.steps_since = now, 0, 0
        if self.writes:
            self.history.add(row)
            self.board.add(row)
        self.watcher.row(row)
        stops = self.at < self.total and anywhere(self.stop())
        if self.at - self.saved_at >= self.save_every or self.at == self.total or stops:
            self._save()
        if stops:
            raise Stopped(f"stopped at step {self.at:,} of {self.total:,}. The same command resumes from there.")

    def _save(self) -> None:
        if not all(np.isfinite(value_of(weight)).all() for weight in self.model.weights):
            self._give_up(self.at)
        if self.writes:
            save_checkpoint(self.folder / CHECKPOINT, self.model, {"settings": self.settings, "step": self.at})
            self.saved(self.model)
        self.saved_at = self.at

    def _give_up(self, step: int) -> NoReturn:
        note = read_note(self.folder / CHECKPOINT)
        checkpoint = f"The checkpoint of step {note['step']} is kept" if note else "There is no checkpoint yet"
        raise CourseError(
            f"the loss is no longer finite at step {step} of {self.total}. {checkpoint}.",
            "Try a smaller --learning-rate, a longer --warmup, or --dtype float32, in another folder.",
        )


def _steps_behind(path: Path, settings: dict[str, Any], total: int) -> int:
    """Return the step of the checkpoint of a run with these settings; 0 if there is none."""
    note = read_note(path)
    if note is None:
        return 0
    older = {"objective": PAIRS, "packed": False, "start": None, "held_out": 0.0}  # what older runs do not record
    saved = {**older, **note["settings"]}
    if note["step"] < total and saved["accumulate"] == settings["accumulate"] > 1:
        # In older runs that accumulated, the learning rate reached 0 long before the end.
        saved.setdefault("schedule", "over updates, of an older version,")
    else:
        settings = {name: value for name, value in settings.items() if name != "schedule"}
    different = [name for name in settings if saved.get(name) != settings[name]]
    if different:
        differences = ", ".join(f"{name} {saved.get(name)} and not {settings[name]}" for name in different)
        raise CourseError(
            f"{path.parent} holds a run with other settings: {differences}.", "Name another folder, or delete this one."
        )
    return note["step"]


def _xla_pays() -> bool:
    """Return whether to compile with XLA. On a CPU, TensorFlow's own kernels are faster; JAX always uses XLA."""
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        return bool(tf.config.list_physical_devices("GPU"))
    return keras.backend.backend() == "jax"
