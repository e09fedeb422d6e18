"""The settings of a pretraining."""

from __future__ import annotations

from dataclasses import dataclass

from course.masked_lm import require_rate
from course.training.pretrainers import OBJECTIVES, PAIRS
from course.validation.values import require_choice, require_numbers, require_shares, require_sizes


@dataclass(frozen=True)
class Settings:
    """Everything that the weights of a pretraining depend on, except its corpus.

    Attributes:
        preset: the size of the encoder, a name of `course.presets.PRESETS`.
        epochs: how often the corpus is read. Fractions are allowed.
        layers: the number of layers, if not that of the preset.
        objective: "mlm+nsp", masked words and next sentences, as BERT; "mlm", masked words alone; "span", masked
            spans; "electra", which words were replaced.
        packed: whether rows are filled with several documents, which do not see each other.
        max_length: the longest row, in tokens.
        batch_tokens: the largest number of tokens in a batch, including padding.
        num_buckets: the largest number of different row lengths.
        accumulate: how many batches' gradients are averaged for each update of the weights.
        learning_rate: the peak.
        warmup: the share of the steps in which the learning rate rises.
        weight_decay: as in `bert_optimizer`.
        dropout, attention_dropout: as in `BertEncoder`.
        mask_rate: the share of the words that is masked.
        held_out: the share of the documents that is held out from training, to measure on.
        dtype: "float32", "mixed_bfloat16" or "mixed_float16".
        log_every: steps from one row of the history to the next. A run ends with a whole row.
        devices: how many devices share each batch, those of all processes together.
        seed: the seed of everything random.

    Raises:
        ValueError: a number is out of its range. `Epochs` checks those that make batches.
    """

    preset: str = "mini"
    epochs: float = 10.0
    layers: int | None = None
    objective: str = PAIRS
    packed: bool = False
    max_length: int = 128
    batch_tokens: int = 4096
    num_buckets: int = 8
    accumulate: int = 1
    learning_rate: float = 5e-4
    warmup: float = 0.1
    weight_decay: float = 0.01
    dropout: float = 0.1
    attention_dropout: float = 0.1
    mask_rate: float = 0.15
    held_out: float = 0.0
    dtype: str = "float32"
    log_every: int = 20
    devices: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        require_numbers(epochs=self.epochs, learning_rate=self.learning_rate, weight_decay=self.weight_decay)
        if not self.epochs:
            raise ValueError("epochs must be above 0; a part of one is allowed. Received: epochs=0")
        if self.layers is not None:
            require_sizes(layers=self.layers)
        require_sizes(accumulate=self.accumulate, log_every=self.log_every, devices=self.devices)
        require_shares(warmup=self.warmup, held_out=self.held_out)
        require_shares(dropout=self.dropout, attention_dropout=self.attention_dropout)
        require_rate(self.mask_rate)
        require_choice("objective", self.objective, OBJECTIVES)
        if self.packed and self.objective == PAIRS:
            raise ValueError(
                f"packed rows hold no pairs of sentences: packed needs another objective than {PAIRS}, such as mlm. "
                f"Received: packed=True, objective={self.objective!r}"
            )
