"""Pretraining: masked words and next sentences are learned together, with the learning rate and decay of BERT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops, random

from course.encoder import BertEncoder
from course.masked_lm import (
    MaskedLMHead,
    mask_tokens,
    masked_lm_loss,
    masked_positions,
    require_probabilities,
    require_rate,
)
from course.next_sentence import NextSentenceHead, next_sentence_loss
from course.validation.arrays import require_inputs, require_range, require_rank
from course.validation.values import (
    require_id,
    require_instance,
    require_numbers,
    require_sizes,
    require_special_ids,
    require_text,
)


@keras.saving.register_keras_serializable(package="course")
class WarmupLinearDecay(keras.optimizers.schedules.LearningRateSchedule):
    """A learning rate that rises in a straight line, then falls in a straight line.

    It is 0 at step 0, `peak` at step `warmup_steps`, and 0 again at `total_steps` and ever after. The first
    update of a training is step 0, and the last one step `total_steps - 1`.

    Args:
        peak: the highest learning rate.
        warmup_steps: how many steps it rises for. With 0 it starts at the peak.
        total_steps: how many steps the training has, including the rise.

    Raises:
        ValueError: values that are not numbers, or a rise that does not end before the training does.

    Example:
        >>> schedule = WarmupLinearDecay(peak=1e-3, warmup_steps=10, total_steps=110)
        >>> [float(schedule(step)) for step in (0, 5, 10, 60, 110)]
        [0.0, 0.0005, 0.001, 0.0005, 0.0]

    Reference: Devlin et al., "BERT", 2018, appendix A.2.
    """

    def __init__(self, peak: float, warmup_steps: int, total_steps: int) -> None:
        super().__init__()
        require_numbers(peak=peak, warmup_steps=warmup_steps, total_steps=total_steps)
        if not 0 <= warmup_steps < total_steps:
            raise ValueError(
                "warmup_steps must be at least 0 and less than total_steps. "
                f"Received: warmup_steps={warmup_steps}, total_steps={total_steps}"
            )
        self.peak = peak
        self.warmup_steps = warmup_steps
        self.total_steps = total_steps

    def __call__(self, step: Any) -> Any:
        """Return the learning rate of a step.

        It runs inside a compiled training step, where the step has no value yet: it uses `keras.ops`, and no Python
        `if` looks at the step.

        Args:
            step: an integer tensor without axes, or a Python integer; the optimizer counts from 0.

        Returns:
            A float32 scalar.
        """
        step = ops.cast(step, "float32")
        rise = step / max(self.warmup_steps, 1)
        fall = (self.total_steps - step) / (self.total_steps - self.warmup_steps)
        return self.peak * ops.where(step < self.warmup_steps, rise, ops.maximum(fall, 0.0))

    def get_config(self) -> dict[str, Any]:
        return {"peak": self.peak, "warmup_steps": self.warmup_steps, "total_steps": self.total_steps}


def decays_weight(path: str) -> bool:
    """Whether weight decay applies to a variable.

    Weight decay pulls the matrices of the model towards 0: kernels and embeddings. It does not apply to weights that
    only shift or scale: the biases, and γ and β of the normalizations.

    Args:
        path: the variable's `path`, such as "bert_encoder/block_0/feed_forward/output/kernel". Its last part is the
            name of the variable; the others are those of the layers around it.

    Returns:
        True if the variable decays.

    Raises:
        TypeError: `path` is not a string, but for example the variable itself.

    Example:
        >>> decays_weight("block_0/attention/query/kernel"), decays_weight("block_0/attention_norm/gamma")
        (True, False)

    Reference: the code published with Devlin et al., "BERT", 2018: https://github.com/google-research/bert.
    """
    require_text(path, "path")
    return path.rpartition("/")[2] not in ("bias", "gamma", "beta")


class BertPretrainer(keras.Model):
    """Learns masked words and next sentences at once, to pretrain the encoder inside.

    L = L_MLM + L_NSP

    The texts come unmasked. In training they are masked inside the compiled step, so that every epoch sees new masks.
    Everywhere else the masks depend on `seed` alone, so that evaluations can be compared with each other.

    Args:
        encoder: the encoder to pretrain.
        unigram_probabilities: (vocabulary_size,), from `masked_lm.unigram_probabilities`.
        mask_id: the id of [MASK].
        special_ids: the ids that are never masked, padding and [MASK] among them.
        rate: the share of the words that is masked.
        seed: of the masks.
        **kwargs: what every Keras model takes, such as `name`.

    Raises:
        TypeError: the encoder is not a Keras model.
        ValueError: probabilities for another vocabulary, special ids without padding or [MASK], or a rate out of range.

    Example:
        >>> pretrainer = BertPretrainer(encoder, probabilities, mask_id=4, special_ids=[0, 1, 2, 3, 4])
        >>> optimizer = keras.optimizers.AdamW(WarmupLinearDecay(1e-4, 1000, 10_000), weight_decay=0.01)
        >>> free = [variable for variable in pretrainer.trainable_variables if not decays_weight(variable.path)]
        >>> optimizer.exclude_from_weight_decay(var_list=free)
        >>> pretrainer.compile(optimizer)
        >>> pretrainer.fit({"token_ids": token_ids, "segment_ids": segment_ids}, next_sentence_labels)
        >>> pretrainer.encoder.save("encoder.keras")

    Reference: Devlin et al., "BERT", 2018, section 3.1 and appendix A.2.
    """

    def __init__(
        self,
        encoder: BertEncoder,
        unigram_probabilities: np.ndarray,
        mask_id: int,
        special_ids: Sequence[int],
        *,
        rate: float = 0.15,
        seed: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        require_instance(encoder, "encoder", keras.Model)
        _require_vocabulary(encoder, unigram_probabilities, mask_id, special_ids)
        require_rate(rate)
        self.encoder = encoder
        self.unigram_probabilities = unigram_probabilities
        self.mask_id = mask_id
        self.special_ids = tuple(special_ids)
        self.rate = rate
        self.seed = seed
        self.seed_generator = random.SeedGenerator(seed)

        vocabulary_size, hidden_dim, dtype = encoder.vocabulary_size, encoder.hidden_dim, encoder.dtype_policy
        self.masked_lm_head = MaskedLMHead(vocabulary_size, hidden_dim, name="masked_lm_head", dtype=dtype)
        self.next_sentence_head = NextSentenceHead(name="next_sentence_head", dtype=dtype)

        self.mean_word_loss = keras.metrics.Mean(name="masked_lm_loss")
        self.word_accuracy = keras.metrics.Mean(name="masked_lm_accuracy")
        self.pair_accuracy = keras.metrics.Mean(name="next_sentence_accuracy")

        # All weights exist from the start, because an optimizer needs to know them before the first step.
        if not encoder.built:
            encoder.build((None, None))
        self.masked_lm_head.build((None, None, hidden_dim), (vocabulary_size, hidden_dim))
        self.next_sentence_head.build((None, hidden_dim))
        self.built = True

    def call(self, inputs: dict[str, Any], training: bool | None = None) -> dict[str, Any]:
        """Masks the texts, encodes them, and lets both heads guess.

        What must hold:
            - The texts are masked once per call, by `mask_tokens`, with the model's own probabilities, ids and rate.
              `masked_positions` says where, at the same rate.
            - The word head compares with the encoder's `embedding.token_embeddings`, and scores words at the masked
              positions alone: at all positions, that would take seven times as long.
            - The next-sentence head reads the pooled output.

        Args:
            inputs: "token_ids", "segment_ids" and, if there is one, "padding_mask", which the encoder takes one by one:
                `encoder(token_ids, segment_ids, padding_mask)`.
            training: whether `self.seed_generator` draws new masks. If not, the seed is `self.seed`, an integer, which
                draws the same masks at each call.

        Returns:
            A dictionary of

            - "word_logits": (batch, predictions, vocabulary_size), at the masked positions;
            - "words": int32, (batch, predictions), what stood there;
            - "word_weights": float32, (batch, predictions), 0 for positions that only fill up a row;
            - "next_sentence_logits": (batch, 2).

        Raises:
            ValueError: inputs that are missing, or are not arrays of ids.
        """
        require_inputs(inputs, ("token_ids", "segment_ids"))
        token_ids = ops.cast(inputs["token_ids"], "int32")
        seed = self.seed_generator if training else self.seed
        masked_ids, selected = mask_tokens(
            token_ids, self.unigram_probabilities, self.mask_id, self.special_ids, rate=self.rate, seed=seed
        )
        positions, weights = masked_positions(selected, self.rate)  # (batch, predictions) each

        outputs = self.encoder(masked_ids, inputs["segment_ids"], inputs.get("padding_mask"))
        embeddings = self.encoder.embedding.token_embeddings
        return {
            "word_logits": self.masked_lm_head(outputs["sequence_output"], embeddings, positions),
            "words": ops.take_along_axis(token_ids, positions, axis=1),
            "word_weights": weights,
            "next_sentence_logits": self.next_sentence_head(outputs["pooled_output"]),
        }

    def fit(self, x: Any = None, y: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Trains like every Keras model, but checks arrays first, because compiled code does not check them.

        Raises:
            ValueError: ids that the encoder has no row for, or labels that are not 0 and 1.
        """
        if isinstance(x, Mapping):
            require_inputs(x, ("token_ids", "segment_ids"))
            require_range(x["token_ids"], "token_ids", self.encoder.vocabulary_size, "which the encoder has rows for")
            require_range(x["segment_ids"], "segment_ids", self.encoder.num_segments, "which the encoder has rows for")
            require_rank(y, "y", ("batch",))
            require_range(y, "y", 2, "IS_NEXT or NOT_NEXT")
        return super().fit(x, y, *args, **kwargs)

    def compute_loss(
        self,
        x: Any = None,
        y: Any = None,
        y_pred: Any = None,
        sample_weight: Any = None,
        training: bool | None = True,
    ) -> Any:
        """Adds up the losses of both tasks, `masked_lm_loss` and `next_sentence_loss`.

        `self.record(word_loss, y, y_pred)` must be called, too: it updates the metrics. `word_loss` is that of the
        masked words alone.

        Args:
            x: the inputs of `call`.
            y: the next-sentence labels, (batch,).
            y_pred: what `call` returned.
            sample_weight: not used.
            training: not used.

        Returns:
            A float32 scalar.
        """
        words, logits, weights = y_pred["words"], y_pred["word_logits"], y_pred["word_weights"]
        word_loss = masked_lm_loss(words, logits, weights)
        pair_loss = next_sentence_loss(y, y_pred["next_sentence_logits"])
        self.record(word_loss, y, y_pred)
        return word_loss + pair_loss

    def record(self, word_loss: Any, y: Any, y_pred: dict[str, Any]) -> None:
        """Updates the metrics. Those of words are means over all masked words of an epoch, not over its batches."""
        weights = y_pred["word_weights"]
        right_words = ops.equal(ops.argmax(y_pred["word_logits"], axis=-1), y_pred["words"])
        right_pairs = ops.equal(ops.argmax(y_pred["next_sentence_logits"], axis=-1), ops.cast(y, "int32"))
        self.mean_word_loss.update_state(word_loss, sample_weight=ops.sum(weights))
        self.word_accuracy.update_state(right_words, sample_weight=weights)
        self.pair_accuracy.update_state(right_pairs)


def bert_optimizer(
    model: keras.Model,
    learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
    weight_decay: float = 0.01,
    clip_norm: float = 1.0,
    accumulate: int = 1,
) -> keras.optimizers.AdamW:
    """Return AdamW as BERT uses it: only matrices decay, and a gradient whose norm exceeds `clip_norm` is clipped.

    Keras adds epsilon before it corrects the second moment for its start at 0, and PyTorch after that. In step t the
    same epsilon weighs 1 / √(1 - β₂ᵗ) times as much here, so runs of the two differ where gradients are tiny.

    Args:
        model: built, so that its variables are known.
        learning_rate: a number, or a schedule such as `WarmupLinearDecay`. The steps of a schedule are batches, even
            if several make an update.
        weight_decay: the share of itself that a matrix loses in a step, times the learning rate.
        clip_norm: the largest norm that the gradient of all variables together may have.
        accumulate: how many batches' gradients are averaged for one update.

    Returns:
        An optimizer to compile this model with, and no other.

    Raises:
        TypeError: `model` is not a Keras model.
        ValueError: a model that is not built, or a number below 0.

    Reference: Devlin et al., "BERT", 2018, appendix A.2.
    """
    require_instance(model, "model", keras.Model)
    require_numbers(weight_decay=weight_decay, clip_norm=clip_norm)
    require_sizes(accumulate=accumulate)
    if not model.built:
        raise ValueError(f"model must be built before its optimizer is made. Received: {model.name}, not built")
    optimizer = keras.optimizers.AdamW(
        learning_rate,
        weight_decay=weight_decay,
        epsilon=1e-6,
        global_clipnorm=clip_norm,
        gradient_accumulation_steps=accumulate if accumulate > 1 else None,
    )
    free = [variable for variable in model.trainable_variables if not decays_weight(variable.path)]
    optimizer.exclude_from_weight_decay(var_list=free)
    # Otherwise its variables would be made within the first compiled step, which TensorFlow then traces twice.
    optimizer.build(model.trainable_variables)
    return optimizer


def _require_vocabulary(
    encoder: BertEncoder, unigram_probabilities: np.ndarray, mask_id: int, special_ids: Sequence[int]
) -> None:
    """Raises a ValueError unless probabilities and special ids are those of the encoder's vocabulary."""
    require_probabilities(unigram_probabilities)
    if len(unigram_probabilities) != encoder.vocabulary_size:
        raise ValueError(
            f"unigram_probabilities must be one for each word of the encoder, {encoder.vocabulary_size}. "
            f"Received: {len(unigram_probabilities)}. Were they counted with another vocabulary?"
        )
    require_special_ids(special_ids, encoder.vocabulary_size)
    require_id("mask_id", mask_id, encoder.vocabulary_size)
    for name, needed in (("the encoder's padding_id", encoder.padding_id), ("mask_id", mask_id)):
        if needed not in special_ids:
            raise ValueError(
                f"special_ids must include {name}, {needed}, which must not be masked. "
                f"Received: special_ids={list(special_ids)}"
            )
