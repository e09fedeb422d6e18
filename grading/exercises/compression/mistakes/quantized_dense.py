"""What goes wrong in QuantizedDense."""

from __future__ import annotations

from grading.exercises.compression.checks import small_dense

OF_KERNEL = "levels, scale, _ = quantize(dense.kernel, axis=-1)"
OF_TOKENS = "levels, scale, _ = quantize(tokens, axis=0)"
PRODUCT = "ops.matmul(levels, self.kernel)"
SUMS = 'ops.cast(sums, "float32")'
SCALED = f"{SUMS} * scale * self.scale"
OUTPUT = "ops.cast(self.activation(y), x.dtype)"

small_dense.mistake(
    "FloatProduct",
    "Weights are made floats again before the product, and what comes in stays as it is.",
    hint="It is nearly right, and saves room on disk. But is a whole number multiplied with another?",
    instead="""
        def call(self, x):
            kernel = dequantize(self.kernel, self.scale, ops.zeros_like(self.scale))
            return ops.cast(self.activation(ops.matmul(ops.cast(x, "float32"), kernel) + self.bias), x.dtype)
    """,
)
small_dense.mistake(
    "OneScale",
    "Weights have one scale for all outputs.",
    hint="Outputs with small weights become coarse. Which axis of the kernel are the outputs?",
    change={
        OF_KERNEL: """
            scale = ops.max(ops.abs(dense.kernel)) / 127
            levels, scale = ops.round(dense.kernel / scale), ops.broadcast_to(scale, (1, dense.units))
        """
    },
)
small_dense.mistake(
    "OneScaleForAll",
    "All that comes in has one scale: a token's result depends on the tokens beside it.",
    hint="A large token makes all others coarse. Whose scale is it?",
    change={
        OF_TOKENS: """
            scale = ops.max(ops.abs(tokens)) / 127
            scale = ops.where(scale > 0, scale, 1.0)
            levels = ops.cast(ops.round(tokens / scale), "int8")
        """
    },
)
small_dense.mistake(
    "ScaleOfFeatures",
    "What comes in has a scale for each feature, not for each token: it cannot be taken out of the sum.",
    hint="The sum goes over the features. Which scale is the same for all that is summed?",
    change={OF_TOKENS: "levels, scale, _ = quantize(tokens, axis=1)\nscale = ops.mean(scale)"},
)
small_dense.mistake(
    "TokenScaleForgotten",
    "The scale of the tokens is forgotten in the end.",
    hint="Two factors were divided out. Which of them comes back?",
    change={SCALED: f"{SUMS} * self.scale"},
)
small_dense.mistake(
    "WeightScaleForgotten",
    "The scale of the weights is forgotten in the end.",
    hint="Two factors were divided out. Which of them comes back?",
    change={SCALED: f"{SUMS} * scale"},
)
small_dense.mistake(
    "ScalesAdded",
    "The two scales are added instead of multiplied.",
    hint="A product of two numbers that were both divided: by how much was it divided?",
    change={SCALED: f"{SUMS} * (scale + self.scale)"},
)
small_dense.mistake(
    "Divided",
    "It is divided by the scales.",
    hint="Levels times scale is the weight.",
    change={SCALED: f"{SUMS} / (scale * self.scale)"},
)
small_dense.mistake(
    "BiasScaled",
    "The bias is added before it is scaled.",
    hint="The bias was never divided by anything.",
    change={f"{SCALED} + self.bias": f"({SUMS} + self.bias) * scale * self.scale"},
)
small_dense.mistake(
    "BiasForgotten",
    "The bias is not added.",
    hint="A Dense layer has two kinds of weights.",
    change={" + self.bias": ""},
)
small_dense.mistake(
    "BiasQuantized",
    "The bias is made whole with the scale of the weights.",
    hint="There are so few of them. What stays in float32?",
    change={" + self.bias": " + ops.round(self.bias / self.scale) * self.scale"},
)
small_dense.mistake(
    "SumsOfInt8",
    "Products are summed in int8, and wrap around.",
    hint="100 · 100 is 10,000. What is the largest int8?",
    change={PRODUCT: f"ops.cast({PRODUCT}, 'int8')"},
)
small_dense.mistake(
    "SumsOfInt16",
    "Products are summed in int16, and wrap around where there are many features.",
    hint="300 products of up to 16,129 each. What is the largest int16?",
    change={PRODUCT: f"ops.cast({PRODUCT}, 'int16')"},
)
small_dense.mistake(
    "SumsClipped",
    "Sums are clipped to what int8 holds.",
    hint="What comes in is clipped; what comes out is a sum.",
    change={PRODUCT: f"ops.clip({PRODUCT}, -127, 127)"},
)
small_dense.mistake(
    "ZerosDivided",
    "A token of zeros is divided by its scale, 0, and becomes NaN.",
    hint="`quantize` knows what to do with zeros.",
    change={
        OF_TOKENS: f"""
            {OF_TOKENS}
            scale = ops.max(ops.abs(tokens), axis=1, keepdims=True) / 127
            scale = ops.where(scale > 0, scale, np.nan)
        """
    },
)
small_dense.mistake(
    "ActivationLost",
    "The activation of the Dense layer is lost.",
    hint="The pooler is tanh of a projection. What is yours?",
    change={"self.activation(y)": "y"},
)
small_dense.mistake(
    "KernelOfFloats",
    "The kernel is kept as float32: whole numbers, but no room is saved.",
    hint="What is the dtype of the weight, and how large is the file?",
    change={
        'dtype="int8", name="kernel"': 'dtype="float32", name="kernel"',
        PRODUCT: 'ops.matmul(ops.cast(levels, "float32"), self.kernel)',
    },
)
small_dense.mistake(
    "DenseChanged",
    "The Dense layer itself is changed: its weights are rounded, too.",
    hint="Whoever compares both finds no difference. Who still needs the original?",
    change={"return made": "dense.kernel.assign(dequantize(levels, scale, ops.zeros_like(scale)))\nreturn made"},
)
small_dense.mistake(
    "ZeroPointForgotten",
    "The weights are made whole with a zero point, which the product does not know of.",
    hint="A zero point other than 0 adds a term to each sum.",
    change={"quantize(dense.kernel, axis=-1)": "quantize(dense.kernel, axis=-1, symmetric=False)"},
)
small_dense.mistake(
    "InputsClipped",
    "What comes in is clipped to ±1 first, as if it had been normalised.",
    hint="Each token has a scale, so that nothing needs to be clipped.",
    change={"quantize(tokens, axis=0)": "quantize(ops.clip(tokens, -1, 1), axis=0)"},
)
small_dense.mistake(
    "Trained",
    "The scale and the bias are trained.",
    hint="Rounding has no gradient; what is trained, is trained before.",
    change={
        'dtype="float32", name="scale", **plain': 'name="scale", autocast=False',
        'dtype="float32", name="bias", **plain': 'name="bias", autocast=False',
    },
)
small_dense.mistake(
    "AlwaysFloat32",
    "The result is always float32, whatever came in.",
    hint="The layer above expects the dtype that you were given.",
    change={OUTPUT: "self.activation(y)"},
)
