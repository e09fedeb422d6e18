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
# Starts from the logits as they are, a = 1 and b = 0, as if the model were calibrated.
AS_THEY_ARE = {SIZES: "center, width = 0.0, 1.0", START: "weights = np.array([1.0, 0.0])"}
WITHOUT_OFFSET = {SIZES: "center, width = 0.0, logits.std()", "np.ones_like(logits)": "np.zeros_like(logits)"}

platt.mistake(
    "hard_targets",
    "The targets are 0 and 1, as in logistic regression, instead of Platt's.",
    hint="If a threshold separates all pairs, a grows without end. Which target does Platt use instead of 1?",
    change={TARGETS: "targets = labels"},
)
platt.mistake(
    "counts_swapped",
    "Platt's targets are swapped: each class uses the count of the other.",
    hint="(n₁ + 1) / (n₁ + 2) is for the n₁ pairs that match.",
    change={"positive = int(labels.sum())": "positive = int(np.sum(~labels))"},
)
platt.mistake(
    "without_offset",
    "b is missing: only the slope is fitted.",
    hint="If few pairs match, all probabilities must go down. Which of the two does that?",
    change=WITHOUT_OFFSET,
)
platt.mistake(
    "without_slope",
    "a is missing: only b is fitted.",
    hint="A model that is overconfident everywhere needs a smaller slope.",
    change={
        START: "weights = np.array([width, 0.0])",
        STEP: "step = np.array([0.0, gradient[1] / (hessian[1, 1] + 1e-12)])",
    },
)
platt.mistake(
    "on_probabilities",
    "The fit uses probabilities instead of logits: a sigmoid is applied first.",
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
    "a and b have the wrong sign: they fit 1 / (1 + exp(a · logit + b)), as Platt wrote it, or the "
    "probability that a pair does *not* match.",
    hint="σ(x) is 1 / (1 + exp(-x)), and t is near 1 if the label is 1. For a good model, a is above 0.",
    change={RETURNED: "return -float(a), -float(b)"},
)
platt.mistake(
    "too_few_steps",
    "Gradient descent stops too early: another a and b have a lower loss.",
    hint="A hundred steps of a fixed size do not reach the minimum. Newton's method needs a handful.",
    change={**AS_THEY_ARE, STEP: "step = 0.01 * gradient / len(labels)", HALVED: ""},
)
platt.mistake(
    "one_step",
    "Newton's method stops after a single step.",
    hint="Each step goes to the minimum of a parabola, which only approximates the loss. When are steps small?",
    change={"range(100)": "range(1)"},
)
platt.mistake(
    "least_squares",
    "A straight line is fitted to the targets by least squares, without a sigmoid.",
    hint="The loss takes logarithms of σ(a · logit + b), not differences from the line.",
    change={P: "p = rows @ weights", HESSIAN: "hessian = rows.T @ rows", HALVED: ""},
)
platt.mistake(
    "regularised",
    "The fit is regularised, as in scikit-learn's LogisticRegression by default, so a is too small.",
    hint="Its C is 1 by default. This loss has no penalty term.",
    change={
        LOSS: f"{LOSS} + (weights[0] / width) ** 2 / 2",
        GRADIENT: f"{GRADIENT} + np.array([weights[0] / width**2, 0.0])",
        HESSIAN: f"{HESSIAN} + np.diag([1 / width**2, 0.0])",
    },
)
platt.mistake(
    "still_standardised",
    "The logits were standardised, and a and b still apply to the standardised ones.",
    hint="a and b are applied to the original logits. Undo both the division and the subtraction.",
    change={UNDONE: "a, b = weights"},
)
platt.mistake(
    "never_falling",
    "A slope below 0 is reversed, so that higher logits always count as likelier.",
    hint="If lower logits match more often, the model is wrong, and a negative a shows it.",
    change={RETURNED: "return abs(float(a)), float(b)"},
)
platt.mistake(
    "temperature",
    "This is temperature scaling: a is fitted with b = 0, and its inverse is returned.",
    hint="A temperature divides the logit. What does a do to it?",
    change={**WITHOUT_OFFSET, RETURNED: "return 1 / float(a), float(b)"},
)
platt.mistake(
    "swapped",
    "a and b are returned in the wrong order.",
    hint="First the factor of the logit, then the offset.",
    change={RETURNED: "return float(b), float(a)"},
)
platt.mistake(
    "unguarded",
    "Newton's steps are always full steps: for large logits, they overshoot and never come back.",
    hint="exp of some thousands is infinite. Standardise the logits first, or halve a step that increases the loss.",
    change={**AS_THEY_ARE, HALVED: ""},
)
platt.mistake(
    "in_half_precision",
    "Logits in float16 are not converted, and NumPy solves no equations in float16.",
    hint="A model in mixed precision returns float16. In which dtype do you fit?",
    change={'require_same_pairs(logits, labels, "logits")': "np.asarray(logits), np.asarray(labels).astype(bool)"},
)
