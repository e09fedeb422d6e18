"""What goes wrong in gelu."""

from __future__ import annotations

from grading.exercises.encoder.checks import activation

APPROXIMATION = "return 0.5 * x * (1.0 + ops.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))"
EXACT = "return 0.5 * x * (1.0 + ops.erf(x / math.sqrt(2.0)))"
BOTH = f"if approximate:\n    {APPROXIMATION}\n{EXACT}"

activation.mistake(
    "always_approximate",
    "The approximation is used where the exact GELU is asked for.",
    hint="They differ by up to 4.7e-4 only. Which of the two equations has no tanh in it?",
    change={"if approximate:": "if True:"},
)
activation.mistake(
    "never_approximate",
    "`approximate` is ignored: the exact GELU is always computed.",
    hint="Some published weights were trained with the approximation. There are two equations.",
    change={"if approximate:": "if False:"},
)
activation.mistake(
    "approximate_inverted",
    "`approximate` is the wrong way round.",
    hint="Which of the two equations is the default?",
    change={"if approximate:": "if not approximate:"},
)
activation.mistake(
    "relu",
    "It is a ReLU: negative numbers become 0.",
    hint="GELU lets a little of a negative number through. gelu(-1) is -0.1587.",
    change={BOTH: "return ops.relu(x)"},
)
activation.mistake(
    "silu",
    "It is x · sigmoid(x), called SiLU or swish.",
    hint="Sigmoid, too, goes from 0 to 1, but Φ is the normal distribution's. What has erf to do with it?",
    change={BOTH: "return x * ops.sigmoid(x)"},
)
activation.mistake(
    "by_sigmoid",
    "It is the approximation by a sigmoid, x · sigmoid(1.702 x).",
    hint="That is another approximation than BERT's. The docstring has both equations that are wanted.",
    change={BOTH: "return x * ops.sigmoid(1.702 * x)"},
)
activation.mistake(
    "without_root_of_two",
    "x is not divided by √2 inside erf.",
    hint="erf is the integral of exp(-t²), Φ that of exp(-t²/2). What must be done to x to go from one to the other?",
    change={"x / math.sqrt(2.0)": "x"},
)
activation.mistake(
    "without_half",
    "The factor ½ is missing.",
    hint="For a large x, gelu(x) is nearly x. What is 1 + erf(x / √2) there?",
    change={"0.5 * x * (1.0 + ops.tanh": "x * (1.0 + ops.tanh", "0.5 * x * (1.0 + ops.erf": "x * (1.0 + ops.erf"},
)
activation.mistake(
    "without_x",
    "It is Φ(x), and is not multiplied by x.",
    hint="GELU is the number times its share. For a large x it is nearly x, and not 1.",
    change={"0.5 * x * (1.0 + ops.erf": "0.5 * (1.0 + ops.erf"},
)
activation.mistake(
    "squared",
    "In the approximation, x is squared instead of cubed.",
    hint="Inside tanh stands an odd function of x. Is x² odd?",
    change={"0.044715 * x * x * x": "0.044715 * x * x"},
)
activation.mistake(
    "without_scale",
    "In the approximation, the factor √(2/π) is missing.",
    hint="What is multiplied by the bracket inside tanh?",
    change={"math.sqrt(2.0 / math.pi) * ": ""},
)
activation.mistake(
    "without_cube",
    "In the approximation, the term with x³ is missing.",
    hint="Inside tanh, x has company.",
    change={"(x + 0.044715 * x * x * x)": "x"},
)
