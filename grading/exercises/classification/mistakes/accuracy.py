"""What goes wrong in accuracy."""

from __future__ import annotations

from grading.exercises.classification.checks import share_right

IS_RIGHT = "np.argmax(logits, axis=-1) == labels"
SHARE = f"np.mean({IS_RIGHT})"

share_right.mistake(
    "percentage",
    "It is a percentage; it must be a share, from 0 to 1.",
    hint="A factor of 100 belongs to the printing.",
    change={SHARE: f"100 * {SHARE}"},
)
share_right.mistake(
    "number_right",
    "It is the number of right texts, not their share.",
    hint="How many texts are there in all?",
    change={SHARE: f"np.sum({IS_RIGHT})"},
)
share_right.mistake(
    "error_rate",
    "It is the share of the errors.",
    hint="What should the accuracy be where everything is right?",
    change={SHARE: f"1.0 - {SHARE}"},
)
share_right.mistake(
    "over_the_texts",
    "The highest logit is looked for among the texts, not among the classes.",
    hint="logits is (texts, num_classes). Which axis must argmax take away?",
    change={IS_RIGHT: "np.argmax(logits, axis=0) == labels[: logits.shape[1]]"},
)
share_right.mistake(
    "classes_from_one",
    "The classes are counted from 1.",
    hint="argmax gives 0 for the first class, and the labels are 0 for it, too.",
    change={IS_RIGHT: "np.argmax(logits, axis=-1) + 1 == labels"},
)
share_right.mistake(
    "broadcast",
    "Every label is compared with every prediction: the comparison has become a square.",
    hint="An array of (texts, 1) against one of (texts,) broadcasts to (texts, texts).",
    change={IS_RIGHT: "np.argmax(logits, axis=-1) == labels[:, None]"},
)
share_right.mistake(
    "mean_of_batches",
    "It is the mean of the accuracies of batches: texts of a smaller last batch count for more.",
    hint="Sum up what is right, and divide once, by the number of all texts.",
    change={
        f"return float({SHARE})": f"""
            is_right = {IS_RIGHT}
            return float(np.mean([np.mean(is_right[start : start + 8]) for start in range(0, len(labels), 8)]))
        """
    },
)
share_right.mistake(
    "whole_numbers",
    "It is divided without a fraction: only 0 and 1 come out.",
    hint="// rounds down. Which division keeps the fraction?",
    change={SHARE: f"np.sum({IS_RIGHT}) // len(labels)"},
)
