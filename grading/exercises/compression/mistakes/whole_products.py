"""What goes wrong in QuantizedDense."""

from __future__ import annotations

from typing import Any

import keras
from keras import ops

import course.compression as right
from grading.exercises.compression.checks import small_dense


class Variant(right.QuantizedDense):
    """The layer in steps, one of which a mistake gets wrong."""

    @classmethod
    def of_kernel(cls, kernel: Any) -> tuple[Any, Any]:
        levels, scale, _ = right.quantize(kernel, axis=-1)
        return levels, scale

    @classmethod
    def from_dense(cls, dense: keras.layers.Dense) -> Any:
        made = cls(dense.units, dense.activation, name=dense.name, dtype=dense.dtype_policy)
        made.build((None, dense.kernel.shape[0]))
        levels, scale = cls.of_kernel(dense.kernel)
        made.kernel.assign(levels)
        made.scale.assign(scale)
        if dense.use_bias:
            made.bias.assign(dense.bias)
        return made

    def of_tokens(self, tokens: Any) -> tuple[Any, Any]:
        levels, scale, _ = right.quantize(tokens, axis=0)
        return levels, scale

    def sums(self, levels: Any) -> Any:
        return ops.cast(ops.matmul(levels, self.kernel), "float32")

    def scaled(self, sums: Any, scale: Any) -> Any:
        return sums * scale * self.scale + self.bias

    def activated(self, y: Any) -> Any:
        return self.activation(y)

    def call(self, x: Any) -> Any:
        shape = ops.shape(x)
        levels, scale = self.of_tokens(ops.reshape(x, (-1, shape[-1])))
        y = ops.cast(self.activated(self.scaled(self.sums(levels), scale)), x.dtype)
        return ops.reshape(y, (*shape[:-1], self.units))


@small_dense.whole_mistake(
    "Weights are made floats again before the product, and what comes in stays as it is.",
    hint="It is nearly right, and saves room on disk. But is a whole number multiplied with another?",
)
class FloatProduct(Variant):
    def call(self, x: Any) -> Any:
        kernel = right.dequantize(self.kernel, self.scale, ops.zeros_like(self.scale))
        return ops.cast(self.activation(ops.matmul(ops.cast(x, "float32"), kernel) + self.bias), x.dtype)


@small_dense.whole_mistake(
    "Weights have one scale for all outputs.",
    hint="Outputs with small weights become coarse. Which axis of the kernel are the outputs?",
)
class OneScale(Variant):
    @classmethod
    def of_kernel(cls, kernel: Any) -> tuple[Any, Any]:
        scale = ops.max(ops.abs(kernel)) / 127
        return ops.cast(ops.round(kernel / scale), "int8"), ops.broadcast_to(scale, (1, kernel.shape[1]))


@small_dense.whole_mistake(
    "All that comes in has one scale: a token's result depends on the tokens beside it.",
    hint="A large token makes all others coarse. Whose scale is it?",
)
class OneScaleForAll(Variant):
    def of_tokens(self, tokens: Any) -> tuple[Any, Any]:
        top = ops.max(ops.abs(tokens))
        scale = ops.where(top > 0, top / 127, 1.0)
        return ops.cast(ops.clip(ops.round(tokens / scale), -127, 127), "int8"), scale


@small_dense.whole_mistake(
    "What comes in has a scale for each feature, not for each token: it cannot be taken out of the sum.",
    hint="The sum goes over the features. Which scale is the same for all that is summed?",
)
class ScaleOfFeatures(Variant):
    def of_tokens(self, tokens: Any) -> tuple[Any, Any]:
        levels, scale, _ = right.quantize(tokens, axis=1)
        return levels, ops.mean(scale)


@small_dense.whole_mistake(
    "The scale of the tokens is forgotten in the end.",
    hint="Two factors were divided out. Which of them comes back?",
)
class TokenScaleForgotten(Variant):
    def scaled(self, sums: Any, scale: Any) -> Any:
        return sums * self.scale + self.bias


@small_dense.whole_mistake(
    "The scale of the weights is forgotten in the end.",
    hint="Two factors were divided out. Which of them comes back?",
)
class WeightScaleForgotten(Variant):
    def scaled(self, sums: Any, scale: Any) -> Any:
        return sums * scale + self.bias


@small_dense.whole_mistake(
    "The two scales are added instead of multiplied.",
    hint="A product of two numbers that were both divided: by how much was it divided?",
)
class ScalesAdded(Variant):
    def scaled(self, sums: Any, scale: Any) -> Any:
        return sums * (scale + self.scale) + self.bias


@small_dense.whole_mistake(
    "It is divided by the scales.",
    hint="Levels times scale is the weight.",
)
class Divided(Variant):
    def scaled(self, sums: Any, scale: Any) -> Any:
        return sums / (scale * self.scale) + self.bias


@small_dense.whole_mistake(
    "The bias is added before it is scaled.",
    hint="The bias was never divided by anything.",
)
class BiasScaled(Variant):
    def scaled(self, sums: Any, scale: Any) -> Any:
        return (sums + self.bias) * scale * self.scale


@small_dense.whole_mistake(
    "The bias is not added.",
    hint="A Dense layer has two kinds of weights.",
)
class BiasForgotten(Variant):
    def scaled(self, sums: Any, scale: Any) -> Any:
        return sums * scale * self.scale


@small_dense.whole_mistake(
    "The bias is made whole with the scale of the weights.",
    hint="There are so few of them. What stays in float32?",
)
class BiasQuantized(Variant):
    def scaled(self, sums: Any, scale: Any) -> Any:
        return sums * scale * self.scale + ops.round(self.bias / self.scale) * self.scale


@small_dense.whole_mistake(
    "Products are summed in int8, and wrap around.",
    hint="100 · 100 is 10,000. What is the largest int8?",
)
class SumsOfInt8(Variant):
    def sums(self, levels: Any) -> Any:
        whole = ops.matmul(ops.cast(levels, "int32"), ops.cast(self.kernel, "int32"))
        return ops.cast(ops.mod(whole + 128, 256) - 128, "float32")


@small_dense.whole_mistake(
    "Products are summed in int16, and wrap around where there are many features.",
    hint="300 products of up to 16,129 each. What is the largest int16?",
)
class SumsOfInt16(Variant):
    def sums(self, levels: Any) -> Any:
        whole = ops.matmul(ops.cast(levels, "int32"), ops.cast(self.kernel, "int32"))
        return ops.cast(ops.mod(whole + 32768, 65536) - 32768, "float32")


@small_dense.whole_mistake(
    "Sums are clipped to what int8 holds.",
    hint="What comes in is clipped; what comes out is a sum.",
)
class SumsClipped(Variant):
    def sums(self, levels: Any) -> Any:
        return ops.clip(super().sums(levels), -127, 127)


@small_dense.whole_mistake(
    "A token of zeros is divided by its scale, 0, and becomes NaN.",
    hint="`quantize` knows what to do with zeros.",
)
class ZerosDivided(Variant):
    def of_tokens(self, tokens: Any) -> tuple[Any, Any]:
        scale = ops.max(ops.abs(tokens), axis=1, keepdims=True) / 127
        return ops.cast(ops.clip(ops.round(tokens / ops.where(scale > 0, scale, 1.0)), -127, 127), "int8"), ops.where(
            scale > 0, scale, float("nan")
        )


@small_dense.whole_mistake(
    "The activation of the Dense layer is lost.",
    hint="The pooler is tanh of a projection. What is yours?",
)
class ActivationLost(Variant):
    def activated(self, y: Any) -> Any:
        return y


@small_dense.whole_mistake(
    "The kernel is kept as float32: whole numbers, but no room is saved.",
    hint="What is the dtype of the weight, and how large is the file?",
)
class KernelOfFloats(Variant):
    def build(self, x_shape: tuple) -> None:
        super().build(x_shape)
        self._tracker.unlock()
        self._non_trainable_variables.remove(self.kernel)
        self.kernel = self.add_weight((x_shape[-1], self.units), dtype="float32", name="kernel", trainable=False)
        self._non_trainable_variables.insert(0, self._non_trainable_variables.pop())

    def sums(self, levels: Any) -> Any:
        return ops.matmul(ops.cast(levels, "float32"), self.kernel)


@small_dense.whole_mistake(
    "The Dense layer itself is changed: its weights are rounded, too.",
    hint="Whoever compares both finds no difference. Who still needs the original?",
)
class DenseChanged(Variant):
    @classmethod
    def from_dense(cls, dense: keras.layers.Dense) -> Any:
        made = super().from_dense(dense)
        dense.kernel.assign(right.dequantize(made.kernel, made.scale, ops.zeros_like(made.scale)))
        return made


@small_dense.whole_mistake(
    "The weights are made whole with a zero point, which the product does not know of.",
    hint="A zero point other than 0 adds a term to each sum.",
)
class ZeroPointForgotten(Variant):
    @classmethod
    def of_kernel(cls, kernel: Any) -> tuple[Any, Any]:
        levels, scale, _ = right.quantize(kernel, axis=-1, symmetric=False)
        return levels, scale


@small_dense.whole_mistake(
    "What comes in is clipped to ±1 first, as if it had been normalised.",
    hint="Each token has a scale, so that nothing needs to be clipped.",
)
class InputsClipped(Variant):
    def of_tokens(self, tokens: Any) -> tuple[Any, Any]:
        return super().of_tokens(ops.clip(tokens, -1, 1))


@small_dense.whole_mistake(
    "The scale and the bias are trained.",
    hint="Rounding has no gradient; what is trained, is trained before.",
)
class Trained(Variant):
    def build(self, x_shape: tuple) -> None:
        whole = {"dtype": "int8", "initializer": "zeros", "trainable": False}
        self.kernel = self.add_weight((x_shape[-1], self.units), name="kernel", **whole)
        self.scale = self.add_weight((1, self.units), name="scale", autocast=False)
        self.bias = self.add_weight((self.units,), name="bias", autocast=False)


@small_dense.whole_mistake(
    "The result is always float32, whatever came in.",
    hint="The layer above expects the dtype that you were given.",
)
class AlwaysFloat32(Variant):
    def call(self, x: Any) -> Any:
        return super().call(ops.cast(x, "float32"))
