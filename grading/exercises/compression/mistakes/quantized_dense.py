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
    "Weights are converted back to floats before the product, and the inputs are not quantized.",
    hint="That is nearly right, and saves disk space. But does it multiply integers?",
    instead="""
        def call(self, x):
            kernel = dequantize(self.kernel, self.scale, ops.zeros_like(self.scale))
            return ops.cast(self.activation(ops.matmul(ops.cast(x, "float32"), kernel) + self.bias), x.dtype)
    """,
)
small_dense.mistake(
    "OneScale",
    "All outputs share one weight scale.",
    hint="Outputs with small weights become coarse. Which axis of the kernel holds the outputs?",
    change={
        OF_KERNEL: """
            scale = ops.max(ops.abs(dense.kernel)) / 127
            levels, scale = ops.round(dense.kernel / scale), ops.broadcast_to(scale, (1, dense.units))
        """
    },
)
small_dense.mistake(
    "OneScaleForAll",
    "All inputs share one scale, so a token's result depends on the other tokens.",
    hint="A large token makes all others coarse. How many scales do the inputs need?",
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
    "The inputs have one scale per feature instead of one per token, so the scale cannot be moved out of the sum.",
    hint="The sum runs over the features. Which scale is the same for all of its terms?",
    change={OF_TOKENS: "levels, scale, _ = quantize(tokens, axis=1)\nscale = ops.mean(scale)"},
)
small_dense.mistake(
    "TokenScaleForgotten",
    "The result is not multiplied by the scale of the tokens.",
    hint="Two scales were divided out. Which of them do you multiply back?",
    change={SCALED: f"{SUMS} * self.scale"},
)
small_dense.mistake(
    "WeightScaleForgotten",
    "The result is not multiplied by the scale of the weights.",
    hint="Two scales were divided out. Which of them do you multiply back?",
    change={SCALED: f"{SUMS} * scale"},
)
small_dense.mistake(
    "ScalesAdded",
    "The two scales are added instead of multiplied.",
    hint="Both factors of the product were divided. By how much was the product divided?",
    change={SCALED: f"{SUMS} * (scale + self.scale)"},
)
small_dense.mistake(
    "Divided",
    "The result is divided by the scales instead of multiplied.",
    hint="Levels times scale is the weight.",
    change={SCALED: f"{SUMS} / (scale * self.scale)"},
)
small_dense.mistake(
    "BiasScaled",
    "The bias is added before the scales are multiplied.",
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
    "The bias is quantized with the scale of the weights.",
    hint="There are few bias weights. What stays in float32?",
    change={" + self.bias": " + ops.round(self.bias / self.scale) * self.scale"},
)
small_dense.mistake(
    "SumsOfInt8",
    "Products are summed in int8, which wraps around.",
    hint="100 · 100 is 10,000. What is the largest int8?",
    change={PRODUCT: f"ops.cast({PRODUCT}, 'int8')"},
)
small_dense.mistake(
    "SumsOfInt16",
    "Products are summed in int16, which wraps around with many features.",
    hint="300 products of up to 16,129 each. What is the largest int16?",
    change={PRODUCT: f"ops.cast({PRODUCT}, 'int16')"},
)
small_dense.mistake(
    "SumsClipped",
    "Sums are clipped to the range of int8.",
    hint="The inputs are clipped. What happens to a sum?",
    change={PRODUCT: f"ops.clip({PRODUCT}, -127, 127)"},
)
small_dense.mistake(
    "ZerosDivided",
    "A token of zeros is divided by its scale, 0, and becomes NaN.",
    hint="`quantize` handles zeros.",
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
    hint="The pooler is a Dense layer with tanh. What is your copy of it?",
    change={"self.activation(y)": "y"},
)
small_dense.mistake(
    "KernelOfFloats",
    "The kernel is stored as float32, so its integers save no memory.",
    hint="What is the dtype of the weight, and how large is the file?",
    change={
        'dtype="int8", name="kernel"': 'dtype="float32", name="kernel"',
        PRODUCT: 'ops.matmul(ops.cast(levels, "float32"), self.kernel)',
    },
)
small_dense.mistake(
    "DenseChanged",
    "The original Dense layer is changed: its weights are quantized, too.",
    hint="Comparing the two layers would show no difference. Should the original change?",
    change={"return made": "dense.kernel.assign(dequantize(levels, scale, ops.zeros_like(scale)))\nreturn made"},
)
small_dense.mistake(
    "ZeroPointForgotten",
    "The weights are quantized with a zero point, which the product ignores.",
    hint="A zero point other than 0 adds a term to each sum.",
    change={"quantize(dense.kernel, axis=-1)": "quantize(dense.kernel, axis=-1, symmetric=False)"},
)
small_dense.mistake(
    "InputsClipped",
    "The inputs are first clipped to ±1, as if they were normalised.",
    hint="Each token has its own scale. What is left to clip?",
    change={"quantize(tokens, axis=0)": "quantize(ops.clip(tokens, -1, 1), axis=0)"},
)
small_dense.mistake(
    "Trained",
    "The scale and the bias are trainable.",
    hint="Rounding has no gradient. Training comes before quantization.",
    change={
        'dtype="float32", name="scale", **plain': 'name="scale", autocast=False',
        'dtype="float32", name="bias", **plain': 'name="bias", autocast=False',
    },
)
small_dense.mistake(
    "AlwaysFloat32",
    "The result is always float32, whatever the dtype of the inputs.",
    hint="The next layer expects the dtype of your inputs. If `call` returns that: which policy has the copy?",
    change={OUTPUT: "self.activation(y)"},
)
small_dense.mistake(
    "LeastTokenScale",
    "The scales of tokens have a lower limit, so a token of tiny numbers becomes 0.",
    hint="Only a token of zeros needs another scale. What does a lower limit do to tiny numbers?",
    change={
        OF_TOKENS: """
            tokens = ops.cast(tokens, "float32")
            scale = ops.maximum(ops.max(ops.abs(tokens), axis=1, keepdims=True) / 127, 1e-6)
            levels = ops.cast(ops.round(tokens / scale), "int8")
        """
    },
)
