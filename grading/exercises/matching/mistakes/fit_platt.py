"""What goes wrong in fit_platt."""

from __future__ import annotations

from grading.exercises.matching.checks import platt

TARGETS = "targets = np.where(labels, (positive + 1) / (positive + 2), 1 / (len(labels) - positive + 2))"
SIZES = "center, width = logits.mean(), logits.std()"
LOSS = "np.sum(np.logaddexp(0, rows @ weights) - targets * (rows @ weights))"
START = "weights = np.zeros(2)"
P = "p = np.exp(-np.logaddexp(0, -(rows @ weights)))"
GRADIENT = "gradient = rows.T @ (p - targets)"
HESSIAN = "hessian = (rows.T * (p * (1 - p))) @ rows"
STEP = "step = np.linalg.solve(hessian + 1e-12 * np.eye(2), gradient)"
HALVED = "while loss(weights - step) > loss(weights):\n    step = step / 2"
UNDONE = "a, b = weights[0] / width, weights[1] - weights[0] * center / width"
RETURNED = "return float(a), float(b)"
# The logits as they are, from a = 1 and b = 0 on: as if the model were right already.
AS_THEY_ARE = {SIZES: "center, width = 0.0, 1.0", START: "weights = np.array([1.0, 0.0])"}
WITHOUT_OFFSET = {SIZES: "center, width = 0.0, logits.std()", "np.ones_like(logits)": "np.zeros_like(logits)"}

platt.mistake(
    "hard_targets",
    "The targets are 0 and 1, as in logistic regression, not Platt's.",
    hint="Where a threshold parts all pairs, a grows without end. What does Platt aim at instead of 1?",
    change={TARGETS: "targets = labels"},
)
platt.mistake(
    "counts_swapped",
    "Platt's targets are swapped: those of pairs that match count the others.",
    hint="(n₁ + 1) / (n₁ + 2) is for the n₁ pairs that match.",
    change={"positive = int(labels.sum())": "positive = int(np.sum(~labels))"},
)
platt.mistake(
    "without_offset",
    "There is no b: only the slope is fitted.",
    hint="Where few pairs match, all probabilities have to go down. Which of the two does that?",
    change=WITHOUT_OFFSET,
)
platt.mistake(
    "without_slope",
    "There is no a: only b is fitted.",
    hint="A model that is too sure of everything needs a smaller slope.",
    change={
        START: "weights = np.array([width, 0.0])",
        STEP: "step = np.array([0.0, gradient[1] / (hessian[1, 1] + 1e-12)])",
    },
)
platt.mistake(
    "on_probabilities",
    "It is fitted to probabilities, not to logits: a sigmoid is taken first.",
    hint="σ(a · logit + b) has one sigmoid.",
    change={
        SIZES: """
            logits = np.exp(-np.logaddexp(0, -logits))
            center, width = logits.mean(), max(logits.std(), 1e-12)
        """
    },
)
platt.mistake(
    "signs_of_platt",
    "a and b have the wrong sign: they are those of 1 / (1 + exp(a · logit + b)), as Platt wrote it, or of the "
    "probability that a pair does *not* match.",
    hint="σ(x) is 1 / (1 + exp(-x)), and t is near 1 where the label is 1. For a good model, a is above 0.",
    change={RETURNED: "return -float(a), -float(b)"},
)
platt.mistake(
    "too_few_steps",
    "Gradient descent has stopped too early: another a and b have a lower loss.",
    hint="A hundred steps of a fixed size are not the minimum. Newton's method needs a handful.",
    change={**AS_THEY_ARE, STEP: "step = 0.01 * gradient / len(labels)", HALVED: ""},
)
platt.mistake(
    "one_step",
    "A single step of Newton's method was made.",
    hint="Each step goes to the bottom of a parabola, which the loss is only nearly. When do steps become small?",
    change={"range(100)": "range(1)"},
)
platt.mistake(
    "least_squares",
    "A straight line is fitted to the targets, by least squares: there is no sigmoid.",
    hint="What has the least loss is σ of the line, and the loss has logarithms.",
    change={P: "p = rows @ weights", HESSIAN: "hessian = rows.T @ rows", HALVED: ""},
)
platt.mistake(
    "regularised",
    "The weights are regularised, as scikit-learn's LogisticRegression does unless told otherwise: a is too small.",
    hint="Its C is 1. The loss has no other part than the one above.",
    change={
        LOSS: f"{LOSS} + (weights[0] / width) ** 2 / 2",
        GRADIENT: f"{GRADIENT} + np.array([weights[0] / width**2, 0.0])",
        HESSIAN: f"{HESSIAN} + np.diag([1 / width**2, 0.0])",
    },
)
platt.mistake(
    "still_standardised",
    "The logits were standardised, and a and b are still those of the standardised ones.",
    hint="Who uses a and b has the logits as they are. Undo both, the division and the subtraction.",
    change={UNDONE: "a, b = weights"},
)
platt.mistake(
    "never_falling",
    "A slope below 0 is turned round, so that higher logits always count as likelier.",
    hint="If lower logits match more often, the model has it the wrong way round, and a is how one notices.",
    change={RETURNED: "return abs(float(a)), float(b)"},
)
platt.mistake(
    "temperature",
    "It is temperature scaling: a is found with b = 0, and its inverse is returned.",
    hint="A temperature divides the logit, and a multiplies it.",
    change={**WITHOUT_OFFSET, RETURNED: "return 1 / float(a), float(b)"},
)
platt.mistake(
    "swapped",
    "a and b are returned in the wrong order.",
    hint="First what multiplies the logit, then what is added.",
    change={RETURNED: "return float(b), float(a)"},
)
platt.mistake(
    "unguarded",
    "Newton's steps are taken whole: for large logits they go too far and never come back.",
    hint="exp of some thousands is infinite. Standardise the logits first, or halve a step that makes the loss larger.",
    change={**AS_THEY_ARE, HALVED: ""},
)
