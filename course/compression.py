"""Small models: what a large model knows goes into one that is fast and small.

A loss for a student with a teacher; a student made of its teacher's own blocks; one that learns its teacher's vectors
and attention; weights in 8 bits, and a product of them; and pseudo-labels for unlabelled texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from course.classification import Inputs, predict
from course.encoder import BertEncoder, arguments, projection
from course.validation.arrays import require_floats, require_integers, require_same_shapes
from course.validation.compression import (
    name_of_activation,
    require_activation,
    require_finite,
    require_layer_map,
    require_layers_of_both,
    require_levels,
    require_logits_and_labels,
    require_teacher,
    require_temperature,
    require_widths,
    rows_of,
)
from course.validation.values import require_fractions, require_instance, require_sizes


def distillation_loss(
    student_logits: Any, teacher_logits: Any, labels: Any, temperature: float = 2.0, alpha: float = 0.5
) -> Any:
    """Return a student's loss: how far it is from its teacher's probabilities, and from the labels.

        soft = T² · KL(softmax(teacher / T) ‖ softmax(student / T))
        hard = -log softmax(student)_label
        loss = α · soft + (1 - α) · hard

    where KL(p ‖ q) = Σ p (log p - log q).

    What must hold:
        - KL is summed over the classes. Both parts are means over the texts.
        - In the soft part, the temperature T divides the logits of both models. Elsewhere it occurs only as T².
        - If both have the same logits, the soft part is 0.
        - The teacher gets no gradient.
        - Logits may be in half precision, and may be large. The loss is computed in float32, and is finite.

    Args:
        student_logits: floats, (batch, num_classes), before the softmax.
        teacher_logits: floats, of the same shape.
        labels: class ids from 0 on, (batch,).
        temperature: T, above 0. The higher, the more the small probabilities count.
        alpha: α, from 0 to 1: how much the teacher counts, and how little the labels.

    Returns:
        A float32 scalar.

    Raises:
        ValueError: shapes that do not fit each other, labels that are not class ids, a temperature that is not above 0,
            or an alpha that is not from 0 to 1.

    Example:
        The student is undecided. The teacher's probabilities are 0.88 and 0.12; at T = 2 they are 0.73 and 0.27.

        >>> distillation_loss(np.zeros((1, 2)), np.array([[2.0, 0.0]]), np.array([0]))
        # 0.5685: half of 4 · 0.1109, and half of 0.6931

    Reference: Hinton et al., "Distilling the Knowledge in a Neural Network", 2015, https://arxiv.org/abs/1503.02531,
    section 2.
    """
    require_logits_and_labels(student_logits, teacher_logits, labels)
    require_temperature(temperature)
    require_fractions(alpha=alpha)
    student, teacher = (ops.cast(logits, "float32") for logits in (student_logits, teacher_logits))
    teacher = ops.stop_gradient(teacher)
    said, wanted = (ops.log_softmax(logits / temperature, axis=-1) for logits in (student, teacher))
    soft = temperature**2 * ops.mean(ops.sum(ops.exp(wanted) * (wanted - said), axis=-1))
    hard = ops.mean(ops.sparse_categorical_crossentropy(labels, student, from_logits=True))
    return alpha * soft + (1 - alpha) * hard


def select_layers(teacher: BertEncoder, layers: int | Sequence[int]) -> BertEncoder:
    """Return a smaller encoder that starts with some of its teacher's blocks, and with all weights outside the blocks.

    What must hold:
        - A number n asks for n blocks, evenly spaced from the first to the last. Of L blocks, the i-th of n, both
          counted from 0, is the one at i · (L - 1) / (n - 1), rounded to the nearest number, halves up. A single block
          is the first.
        - A list or tuple names the blocks, from 0 on, in the student's order; a block may occur twice.
        - Embeddings, norms and pooler are the teacher's, too.
        - Weights are copies: whatever the student learns, the teacher does not change.
        - `num_layers` is the student's own number of blocks, so that it can be saved and loaded. All other arguments
          of the encoder are the teacher's, such as its dropout rates.

    Args:
        teacher: built, with any weights.
        layers: how many blocks, or which ones.

    Returns:
        An encoder, built.

    Raises:
        TypeError: the teacher is not an encoder.
        ValueError: a teacher without weights, more blocks than it has, or blocks that it does not have.

    Example:
        >>> student = select_layers(bert_base, 6)  # its blocks 0, 2, 4, 7, 9 and 11
        >>> student.num_layers
        6

    Reference: Sanh et al., "DistilBERT", 2019, https://arxiv.org/abs/1910.01108, section 3. The paper takes every
    second block; the released script takes those of the example.
    """
    require_teacher(teacher, layers)
    if isinstance(layers, Sequence):
        chosen = list(layers)
    else:
        gaps = max(layers - 1, 1)
        # Whole numbers, because a half that is computed as 0.49999 would not be rounded up.
        chosen = [(2 * i * (teacher.num_layers - 1) + gaps) // (2 * gaps) for i in range(layers)]
    student = type(teacher).from_config({**teacher.get_config(), "num_layers": len(chosen)})
    student.build((None, None))
    student.embedding.set_weights(teacher.embedding.get_weights())
    student.pooler.set_weights(teacher.pooler.get_weights())
    for block, number in zip(student.blocks, chosen, strict=True):
        block.set_weights(teacher.blocks[number].get_weights())
    return student


@keras.saving.register_keras_serializable(package="course")
class TinyLoss(keras.layers.Layer):
    """The distance between two encoders: that of their vectors, and that of their attention.

    Layer m of the student learns from layer g(m) of the teacher; layer 0 is the embedding, layer m is block m, counted
    from 1. A student may be narrower: `fit_dense`, learned with it, maps to the teacher's width.

        hidden loss = Σ over m = 0, ..., M: MSE(H_m W + b, H'_g(m))
        attention loss = Σ over m = 1, ..., M: MSE(A_m, A'_g(m))

    H are the vectors of tokens, and A the attention scores, Q Kᵀ / √d *before* the softmax; the teacher's have a prime.

    What must hold:
        - All layers share one W and one b, those of `fit_dense`, which is already made. It applies to the student.
        - MSE is the mean over all real tokens and their features, or over all pairs of a real query and a real key of
          all heads. Padding does not count, even if its scores are -∞.
        - The losses of the layers are summed.
        - The teacher gets no gradient.
        - Everything is computed in float32.

    Args:
        student_dim: width of the student.
        teacher_dim: width of the teacher, at least `student_dim`.
        layers: g(0), ..., g(M): for each layer of the student one of the teacher. It begins with 0, rises,
            and ends with the teacher's last layer.
        **kwargs: what every Keras layer takes, such as `name`.

    Raises:
        ValueError: a student wider than its teacher, or layers that do not begin with 0 and rise.

    Example:
        >>> loss = TinyLoss(student_dim=64, teacher_dim=128, layers=[0, 2, 4])  # 2 blocks learn from 4
        >>> loss(read_closely(student, inputs), read_closely(teacher, inputs), inputs["padding_mask"])

    Reference: Jiao et al., "TinyBERT", 2020, https://arxiv.org/abs/1909.10351, section 3, equations 7 to 9, with one
    projection for all layers, as in the released code.
    """

    def __init__(self, student_dim: int, teacher_dim: int, layers: Sequence[int], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_widths(student_dim, teacher_dim)
        require_layer_map(layers)
        self.student_dim = student_dim
        self.teacher_dim = teacher_dim
        self.layers = list(layers)
        self.fit_dense = projection(teacher_dim, "fit", dtype="float32")
        self.fit_dense.build((None, None, student_dim))

    def hidden_loss(self, student_layers: Sequence[Any], teacher_layers: Sequence[Any], padding_mask: Any) -> Any:
        """The sum over the student's layers of the mean squared distance from the teacher's vectors.

        Args:
            student_layers: the embedding's output and each block's, (batch, length, student_dim) each.
            teacher_layers: the same of the teacher, (batch, length, teacher_dim) each.
            padding_mask: boolean, (batch, length), True at tokens.

        Returns:
            A float32 scalar.

        Raises:
            ValueError: other layers than `layers` names.
        """
        require_layers_of_both(student_layers, teacher_layers, self.layers)
        real = ops.cast(padding_mask, "bool")[:, :, None]  # (batch, length, 1)
        wanted = [teacher_layers[number] for number in self.layers]
        return sum(_distance(self.fit_dense(x), y, real) for x, y in zip(student_layers, wanted, strict=True))

    def attention_loss(self, student_scores: Sequence[Any], teacher_scores: Sequence[Any], padding_mask: Any) -> Any:
        """The sum over the student's blocks of the mean squared difference of the scores, before the softmax.

        Args:
            student_scores: each block's, (batch, num_heads, length, length), with a row for each query and a column for
                each key.
            teacher_scores: the same of the teacher, with as many heads.
            padding_mask: boolean, (batch, length), True at tokens.

        Returns:
            A float32 scalar.

        Raises:
            ValueError: other blocks than `layers` names, or other heads.
        """
        require_layers_of_both(student_scores, teacher_scores, self.layers, blocks=True)
        mask = ops.cast(padding_mask, "bool")
        real = ops.logical_and(mask[:, None, :, None], mask[:, None, None, :])  # (batch, 1, query, key)
        wanted = [teacher_scores[number - 1] for number in self.layers[1:]]
        return sum(_distance(x, y, real) for x, y in zip(student_scores, wanted, strict=True))

    def call(self, student: dict[str, Any], teacher: dict[str, Any], padding_mask: Any) -> Any:
        """Return the sum of both losses.

        Args:
            student: "layer_outputs" and "attention_scores", as `read_closely` gives them.
            teacher: the same of the teacher.
            padding_mask: boolean, (batch, length), True at tokens.

        Returns:
            A float32 scalar.
        """
        hidden = self.hidden_loss(student["layer_outputs"], teacher["layer_outputs"], padding_mask)
        return hidden + self.attention_loss(student["attention_scores"], teacher["attention_scores"], padding_mask)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **arguments(self)}


def _distance(student: Any, teacher: Any, real: Any) -> Any:
    """The mean squared difference where `real`, which broadcasts to both, is True; the teacher gets no gradient."""
    require_same_shapes(student=student, teacher=teacher)
    student, teacher = ops.cast(student, "float32"), ops.stop_gradient(ops.cast(teacher, "float32"))
    real = ops.broadcast_to(real, ops.shape(student))
    squares = ops.square(ops.where(real, student - teacher, 0.0))
    return ops.sum(squares) / ops.maximum(ops.sum(ops.cast(real, "float32")), 1.0)


def quantize(weights: Any, axis: int, bits: int = 8, symmetric: bool = True) -> tuple[Any, Any, Any]:
    """Quantizes weights to whole numbers of 8 bits or fewer.

        q = round(w / scale) + zero_point    and back    ŵ = (q - zero_point) · scale

    Symmetric quantization has the zero point 0, and levels from -L to L, L = 2^(bits - 1) - 1 = 127:

        scale = max |w| / L

    Otherwise the levels -L - 1 to L cover the range from the lowest weight to the highest, which always includes 0:

        scale = (high - low) / (2^bits - 1),    zero_point = round(-L - 1 - low / scale)

    What must hold:
        - Each index of `axis`, such as each output of a matrix, has a scale and a zero point of its own.
        - 0 comes back as 0, and |w - ŵ| is at most scale / 2, everywhere.
        - Halves are rounded to the even number. Numbers beyond the levels are clipped *before* the cast to int8.
        - Where all weights are 0, the scale is 1.
        - Everything is computed in float32.
        - It runs in a compiled model, too, where `QuantizedDense` quantizes inputs whose values are not known yet.

    Args:
        weights: floats, with any number of axes.
        axis: the axis whose indices have scales of their own. Negative numbers count from the end.
        bits: 2 to 8. The levels are int8 in any case.
        symmetric: whether the zero point is 0.

    Returns:
        levels: int8, of the shape of `weights`.
        scale: float32, above 0, with as many axes as `weights`; all sizes but that of `axis` are 1, so that it
            broadcasts.
        zero_point: int8, of the shape of `scale`.

    Raises:
        ValueError: weights that are NaN, infinite or not floats, an axis that does not exist, or bits not from 2 to 8.

    Example:
        >>> quantize(np.array([[1.0, -0.03], [-0.4, 0.04]]), axis=1)
        # levels [[127, -95], [-51, 127]], scale [[0.00787, 0.000315]], zero_point [[0, 0]]

    Reference: Jacob et al., "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
    Inference", 2018, https://arxiv.org/abs/1712.05877, section 2.1 and, for the zero point, section 3.
    """
    weights = ops.convert_to_tensor(weights)
    require_floats(weights, "weights")
    require_levels(len(weights.shape), axis, bits)
    require_finite(weights, "weights")
    weights = ops.cast(weights, "float32")
    others = tuple(number for number in range(len(weights.shape)) if number != axis % len(weights.shape))
    highest = 2 ** (bits - 1) - 1
    if symmetric:
        scale = _above_0(ops.max(ops.abs(weights), axis=others, keepdims=True) / highest)
        zero_point, lowest = ops.zeros_like(scale), -highest
    else:
        low = ops.minimum(ops.min(weights, axis=others, keepdims=True), 0.0)
        high = ops.maximum(ops.max(weights, axis=others, keepdims=True), 0.0)
        lowest, steps = -highest - 1, 2**bits - 1
        scale = _above_0(high / steps - low / steps)  # high - low could be infinite
        zero_point = ops.round(lowest - low / scale)
    levels = ops.clip(ops.round(weights / scale) + zero_point, lowest, highest)
    return ops.cast(levels, "int8"), scale, ops.cast(zero_point, "int8")


def _above_0(scale: Any) -> Any:
    """Return the scale with 1 in place of 0, and of floats so small that many machines treat them as 0."""
    return ops.where(scale < 2e-38, 1.0, scale)


def dequantize(levels: Any, scale: Any, zero_point: Any) -> Any:
    """Return the weights that quantized ones stand for: (levels - zero_point) · scale.

    What must hold:
        - It is computed in float32. In int8, 100 - (-100) would be -56.

    Args:
        levels: int8, of any shape. All three are arrays or tensors.
        scale: float32; it broadcasts to `levels`.
        zero_point: int8, of the shape of `scale`.

    Returns:
        float32, of the shape of `levels`.

    Raises:
        ValueError: levels that are not whole numbers.

    Example:
        >>> dequantize(np.array([[127, -64]], "int8"), np.array([[0.5]], "float32"), np.array([[1]], "int8"))
        [[63.0, -32.5]]
    """
    require_integers(levels, "levels")
    return (ops.cast(levels, "float32") - ops.cast(zero_point, "float32")) * ops.cast(scale, "float32")


@keras.saving.register_keras_serializable(package="course")
class QuantizedDense(keras.layers.Layer):
    """A Dense layer with 8-bit weights and a product of whole numbers, made from a trained Dense layer.

        y = activation((q_x q_W) · scale_x · scale_W + b)

    What must hold:
        - The weights are stored as int8, with a scale for each output; the bias stays in float32.
        - Each call quantizes its inputs to int8, too: each token by itself, with a scale of its own.
        - Products are summed as int32, because int8 cannot hold such a sum.
        - None of its weights is trainable.

    Args:
        units: how many features come out.
        activation: a function, or its name, or None.
        **kwargs: what every Keras layer takes, such as `name` and `dtype`.

    Raises:
        ValueError: `units` is not a whole number of at least 1.

    Example:
        >>> small = QuantizedDense.from_dense(block.feed_forward.intermediate_dense)
        >>> small(x)  # (batch, length, 512), within a hundredth of what the Dense layer gives

    Reference: Zafrir et al., "Q8BERT", 2019, https://arxiv.org/abs/1910.06188, section 2, but with a scale for each
    output and each token; the tokens' scales are computed in each call. PyTorch's dynamic quantization computes one
    scale in each call, for all tokens.
    """

    def __init__(self, units: int, activation: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        require_sizes(units=units)
        self.units = units
        self.activation = require_activation(activation)

    def build(self, x_shape: tuple) -> None:
        """Makes `kernel`, int8, (features, units); `scale`, (1, units); and `bias`, (units,)."""
        plain = {"initializer": "zeros", "trainable": False, "autocast": False}
        self.kernel = self.add_weight((x_shape[-1], self.units), dtype="int8", name="kernel", **plain)
        self.scale = self.add_weight((1, self.units), dtype="float32", name="scale", **plain)
        self.bias = self.add_weight((self.units,), dtype="float32", name="bias", **plain)

    @classmethod
    def from_dense(cls, dense: keras.layers.Dense) -> QuantizedDense:
        """Return a quantized copy of a Dense layer: built, and with its activation, name and dtype policy.

        Args:
            dense: a built layer, which is not changed. If it has no bias, the copy's is 0.

        Raises:
            TypeError: `dense` is not a Dense layer.
            ValueError: weights that are NaN or infinite.
        """
        require_instance(dense, "dense", keras.layers.Dense)
        made = cls(dense.units, dense.activation, name=dense.name, dtype=dense.dtype_policy)
        made.build((None, dense.kernel.shape[0]))
        levels, scale, _ = quantize(dense.kernel, axis=-1)
        made.kernel.assign(levels)
        made.scale.assign(scale)
        if dense.use_bias:
            made.bias.assign(dense.bias)
        return made

    def call(self, x: Any) -> Any:
        """Quantizes each token to int8, multiplies, and scales back.

        Args:
            x: floats, (..., features).

        Returns:
            (..., units), in the dtype of `x`.
        """
        shape = ops.shape(x)
        tokens = ops.reshape(x, (-1, shape[-1]))
        levels, scale, _ = quantize(tokens, axis=0)  # scale: (tokens, 1)
        sums = ops.matmul(levels, self.kernel)  # (tokens, units); of int8, Keras sums int32
        y = ops.cast(sums, "float32") * scale * self.scale + self.bias
        y = ops.cast(self.activation(y), x.dtype)
        return ops.reshape(y, (*shape[:-1], self.units))

    def compute_output_shape(self, x_shape: tuple) -> tuple:
        return (*x_shape[:-1], self.units)

    def get_config(self) -> dict[str, Any]:
        config = {"units": self.units, "activation": name_of_activation(self.activation)}
        return {**super().get_config(), **config}


def pseudo_labels(
    teacher: keras.Model,
    inputs: Inputs,
    batch_size: int = 64,
    threshold: float = 0.0,
    soft: bool = True,
    exclude: Inputs | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Lets a teacher label unlabelled texts.

    What must hold:
        - The teacher predicts as it does outside training: without dropout.
        - Only texts whose highest probability is at least `threshold` are kept, in their order.
        - Texts whose whole row of ids, without padding, is also a row of `exclude` are left out: a test text must not
          get into training.
        - The labels of a text do not depend on the other texts, nor on `batch_size`.
        - Logits may be large. No probability becomes NaN.

    Args:
        teacher: takes inputs as `TextClassifier` does, and returns logits.
        inputs: arrays of (texts, length), "token_ids" and "padding_mask" among them.
        batch_size: how many texts the teacher reads at once.
        threshold: from 0 to 1.
        soft: whether to return probabilities, not class ids.
        exclude: inputs of texts that must not be labelled; their length may be another one.

    Returns:
        kept: int64, (kept texts,): the indices of these texts.
        labels: float32, (kept texts, num_classes), probabilities; or, if not `soft`, int64, (kept texts,).

    Raises:
        ValueError: no texts in `inputs`, inputs that do not fit the model, or a threshold that is not a share.

    Example:
        >>> kept, labels = pseudo_labels(teacher, unlabelled, threshold=0.9, exclude=test_inputs)
        >>> more = {name: array[kept] for name, array in unlabelled.items()}

    Reference: Lee, "Pseudo-Label: The Simple and Efficient Semi-Supervised Learning Method for Deep Neural Networks",
    2013; with probabilities, as in Hinton et al., 2015.
    """
    require_sizes(batch_size=batch_size)
    require_fractions(threshold=threshold)
    logits = predict(teacher, inputs, batch_size).astype("float64")
    probabilities = np.exp(logits - logits.max(axis=-1, keepdims=True))
    probabilities = (probabilities / probabilities.sum(axis=-1, keepdims=True)).astype("float32")
    known = set() if exclude is None else set(rows_of(exclude))
    is_new = np.array([row not in known for row in rows_of(inputs)])
    kept = np.flatnonzero(is_new & (probabilities.max(axis=-1) >= threshold))
    return kept, probabilities[kept] if soft else probabilities[kept].argmax(axis=-1)
