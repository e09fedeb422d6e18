"""Known mistakes in gelu."""

from __future__ import annotations

from grading.exercises.encoder.checks import activation

APPROXIMATION = "return 0.5 * x * (1.0 + ops.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))"
EXACT = "return 0.5 * x * (1.0 + ops.erf(x / math.sqrt(2.0)))"
BOTH = f"if approximate:\n    {APPROXIMATION}\n{EXACT}"

activation.mistake(
    "always_approximate",
    "`approximate` is ignored: the approximation is always computed.",
    hint="The two differ by 4.7e-4 at most. Which equation has no tanh in it?",
    change={"if approximate:": "if True:"},
)
activation.mistake(
    "never_approximate",
    "`approximate` is ignored: the exact GELU is always computed.",
    hint="Some published weights were trained with the approximation. Which argument asks for it?",
    change={"if approximate:": "if False:"},
)
activation.mistake(
    "approximate_inverted",
    "`approximate` is inverted: True gives the exact GELU, and False the approximation.",
    hint="Which of the two equations is the default?",
    change={"if approximate:": "if not approximate:"},
)
activation.mistake(
    "root_times_x_alone",
    "In the approximation, √(2/π) multiplies x alone, and not its cube.",
    hint="Where do the brackets of √(2/π) (x + 0.044715 x³) end?",
    change={
        "math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)": "math.sqrt(2.0 / math.pi) * x + 0.044715 * x * x * x"
    },
)
activation.mistake(
    "relu",
    "The function is a ReLU: negative numbers become 0.",
    hint="GELU lets a little of a negative number through. gelu(-1) is -0.1587.",
    change={BOTH: "return ops.relu(x)"},
)
activation.mistake(
    "silu",
    "The function is x · sigmoid(x), called SiLU or swish.",
    hint="Sigmoid also rises from 0 to 1, but Φ belongs to the normal distribution. What has erf to do with it?",
    change={BOTH: "return x * ops.sigmoid(x)"},
)
activation.mistake(
    "by_sigmoid",
    "The function is the approximation by a sigmoid, x · sigmoid(1.702 x).",
    hint="BERT's approximation is another one. Which two equations does the docstring give?",
    change={BOTH: "return x * ops.sigmoid(1.702 * x)"},
)
activation.mistake(
    "without_root_of_two",
    "x is not divided by √2 inside erf.",
    hint="erf is the integral of exp(-t²), Φ that of exp(-t²/2). How must x change to get from one to the other?",
    change={"x / math.sqrt(2.0)": "x"},
)
activation.mistake(
    "root_of_numpy",
    "A NumPy array meets a float64 of NumPy before it is a tensor, so an array of float32 comes back in float64.",
    hint="Which dtype is np.sqrt(2), and which is math.sqrt(2)? Print the dtype of gelu(np.ones(3, 'float32')).",
    change={
        "x = ops.convert_to_tensor(x)": "",
        "math.sqrt(2.0 / math.pi)": "np.sqrt(2.0 / np.pi)",
        "x / math.sqrt(2.0)": "x / np.sqrt(2.0)",
    },
)
activation.mistake(
    "without_half",
    "The factor ½ is missing.",
    hint="For a large x, gelu(x) is nearly x. What is 1 + erf(x / √2) there?",
    change={"0.5 * x * (1.0 + ops.tanh": "x * (1.0 + ops.tanh", "0.5 * x * (1.0 + ops.erf": "x * (1.0 + ops.erf"},
)
activation.mistake(
    "without_x",
    "The function is Φ(x): it is not multiplied by x.",
    hint="For a large x, gelu(x) is nearly x. What is Φ(x) there?",
    change={"0.5 * x * (1.0 + ops.erf": "0.5 * (1.0 + ops.erf"},
)
activation.mistake(
    "squared",
    "In the approximation, x is squared instead of cubed.",
    hint="The argument of tanh is an odd function of x. Is x² odd?",
    change={"0.044715 * x * x * x": "0.044715 * x * x"},
)
activation.mistake(
    "without_scale",
    "In the approximation, the factor √(2/π) is missing.",
    hint="Inside tanh, which number stands before the bracket?",
    change={"math.sqrt(2.0 / math.pi) * ": ""},
)
activation.mistake(
    "without_cube",
    "In the approximation, the x³ term is missing.",
    hint="Inside tanh, something is added to x. Which power of x is that?",
    change={"(x + 0.044715 * x * x * x)": "x"},
)
activation.mistake(
    "root_of_two_alone",
    "In the approximation, the factor is √2/π instead of √(2/π).",
    hint="How far does the root reach in the equation?",
    change={"math.sqrt(2.0 / math.pi)": "math.sqrt(2.0) / math.pi"},
)
