"""Known mistakes in accuracy."""

from __future__ import annotations

from grading.exercises.classification.checks import share_right

IS_RIGHT = "np.argmax(logits, axis=-1) == labels"
SHARE = f"np.mean({IS_RIGHT})"

share_right.mistake(
    "percentage",
    "The result is a percentage; it must be a share from 0 to 1.",
    hint="Where does a factor of 100 belong: in the computation, or in the printing?",
    change={SHARE: f"100 * {SHARE}"},
)
share_right.mistake(
    "number_right",
    "The result is the number of right texts instead of their share.",
    hint="How many texts are there in all?",
    change={SHARE: f"np.sum({IS_RIGHT})"},
)
share_right.mistake(
    "error_rate",
    "The result is the share of the errors.",
    hint="What should the accuracy be if everything is right?",
    change={SHARE: f"1.0 - {SHARE}"},
)
share_right.mistake(
    "highest_from_zero",
    "The search for the highest logit starts at 0, so a text whose logits are all negative gets class 0.",
    hint="Logits may all be negative. Which is the highest of -3, -1 and -2?",
    change={IS_RIGHT: "np.argmax(np.maximum(logits, 0), axis=-1) == labels"},
)
share_right.mistake(
    "more_than_half",
    "A text is right only if its class has a probability above one half; the highest logit is enough.",
    hint="Of four classes, the right one has 0.4 and each other 0.2. Which class does the model choose?",
    change={
        f"return float({SHARE})": """
            powers = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
            probabilities = powers / np.sum(powers, axis=-1, keepdims=True)
            return float(np.mean(probabilities[np.arange(len(labels)), labels] > 0.5))
        """
    },
)
share_right.mistake(
    "over_the_texts",
    "The highest logit is searched over the texts instead of the classes.",
    hint="logits is (texts, num_classes). Which axis must argmax remove?",
    change={IS_RIGHT: "np.argmax(logits, axis=0) == labels[: logits.shape[1]]"},
)
share_right.mistake(
    "classes_from_one",
    "The classes are counted from 1.",
    hint="argmax returns 0 for the first class. What is the label of the first class?",
    change={IS_RIGHT: "np.argmax(logits, axis=-1) + 1 == labels"},
)
share_right.mistake(
    "broadcast",
    "Every label is compared with every prediction: the comparison is a square.",
    hint="An array of (texts, 1) against one of (texts,) broadcasts to (texts, texts).",
    change={IS_RIGHT: "np.argmax(logits, axis=-1) == labels[:, None]"},
)
share_right.mistake(
    "mean_of_batches",
    "The result is the mean of the batches' accuracies, so texts of a smaller last batch count more.",
    hint="Count the right texts of all batches. How often should you divide, and by what?",
    change={
        f"return float({SHARE})": f"""
            is_right = {IS_RIGHT}
            return float(np.mean([np.mean(is_right[start : start + 8]) for start in range(0, len(labels), 8)]))
        """
    },
)
share_right.mistake(
    "whole_numbers",
    "The division drops the fraction, so the result is always 0 or 1.",
    hint="// rounds down. Which division keeps the fraction?",
    change={SHARE: f"np.sum({IS_RIGHT}) // len(labels)"},
)
share_right.mistake(
    "lowest",
    "The class with the lowest logit is taken for the prediction.",
    hint="What does a high logit say about its class?",
    change={"np.argmax(logits, axis=-1)": "np.argmin(logits, axis=-1)"},
)
share_right.mistake(
    "in_float32",
    "The result is a float32, and not a Python float.",
    hint="float32 has seven digits, and JSON cannot store it. What does `float` make of it?",
    change={f"float({SHARE})": f"np.float32({SHARE})"},
)
