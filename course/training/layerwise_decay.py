"""Layer-wise learning rates: lower layers, which know what all texts have in common, take smaller steps."""

from __future__ import annotations

import re
from typing import Any

import keras
from keras import ops

from course.pretraining import decays_weight
from course.validation.values import require_instance, require_numbers

_BLOCK = re.compile(r"(?:^|/)block_(\d+)/")
_EMBEDDING = re.compile(r"(?:^|/)embedding/")


def rate_share(path: str, num_layers: int, decay: float) -> float:
    """Return a variable's share of the learning rate: `decay` to the power of its distance from the top.

    Args:
        path: the variable's `path`. The embedding is at the bottom, then come the blocks; everything else, such as
            the pooler and the classifier's matrix, is at the top.
        num_layers: how many blocks there are.
        decay: the factor from one layer to the one below it. 1: all get the same.

    Example:
        >>> [rate_share(path, 2, 0.5) for path in ("logits/kernel", "block_1/norm/gamma", "block_0/norm/gamma")]
        [1.0, 0.5, 0.25]

    Reference: Howard and Ruder, "Universal Language Model Fine-tuning", 2018, https://arxiv.org/abs/1801.06146,
    section 3.2; Clark et al., "ELECTRA", 2020, https://arxiv.org/abs/2003.10555, appendix B.
    """
    block = _BLOCK.search(path)
    if block:
        return decay ** (num_layers - int(block[1]))
    return decay ** (num_layers + 1) if _EMBEDDING.search(path) else 1.0


class LayerwiseAdamW(keras.optimizers.AdamW):
    """AdamW as BERT uses it (see `bert_optimizer`), with a learning rate for each layer.

    Args:
        model: built; it has blocks named "block_0", "block_1", ...
        num_layers: how many blocks.
        learning_rate: that of the top: a number or a schedule.
        layer_decay: see `rate_share`.
        weight_decay: in each step, a matrix loses this share of itself, times its learning rate.
        clip_norm: the largest norm of the gradient of all variables together.

    Raises:
        TypeError: `model` is not a model.
        ValueError: the model is not built or has another number of blocks, a decay is not above 0 and at most 1, or
            a number is below 0.
    """

    def __init__(
        self,
        model: keras.Model,
        num_layers: int,
        learning_rate: float | keras.optimizers.schedules.LearningRateSchedule,
        *,
        layer_decay: float,
        weight_decay: float = 0.01,
        clip_norm: float = 1.0,
    ) -> None:
        require_instance(model, "model", keras.Model)
        require_numbers(weight_decay=weight_decay, clip_norm=clip_norm)
        if not model.built:
            raise ValueError(f"model must be built before its optimizer is made. Received: {model.name}, not built")
        if not 0 < layer_decay <= 1:
            raise ValueError(f"layer_decay must be above 0 and at most 1. Received: layer_decay={layer_decay}")
        paths = [variable.path for variable in model.trainable_variables]
        blocks = {block[1] for block in map(_BLOCK.search, paths) if block}
        if len(blocks) != num_layers:
            raise ValueError(
                f"num_layers must be the model's number of blocks, {len(blocks)}. Received: num_layers={num_layers!r}"
            )
        # Keras's own weight decay knows only one learning rate, so `update_step` does it instead.
        super().__init__(learning_rate, weight_decay=0.0, epsilon=1e-6, global_clipnorm=clip_norm)
        self.shares = tuple(rate_share(path, num_layers, layer_decay) for path in paths)
        self.decays = tuple(weight_decay if decays_weight(path) else 0.0 for path in paths)
        self.build(model.trainable_variables)

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Decay the variable and make Adam's step, both at the variable's own learning rate."""
        number = self._get_variable_index(variable)
        rate = ops.cast(learning_rate, variable.dtype) * self.shares[number]
        if self.decays[number]:
            self.assign_sub(variable, ops.multiply(variable, rate * self.decays[number]))
        super().update_step(gradient, variable, rate)
