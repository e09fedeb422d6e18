"""Chapter 7: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

SCHEDULE, DECAYS, PRETRAINER = "WarmupLinearDecay", "decays_weight", "BertPretrainer"

STUDENTS = [
    Student(
        "ada",
        "Right: the lower of two lines, and a regular expression.",
        {SCHEDULE: "schedule_lower_line", DECAYS: "decays_regular_expression"},
    ),
    Student(
        "boris",
        "Right; the notebook is full of warnings, progress bars and plots.",
        quirk="noisy_outputs",
    ),
    Student(
        "dmitri",
        "The rate becomes negative after the training, and the normalizations decay.",
        {
            SCHEDULE: {"ops.maximum(fall, 0.0)": "fall"},
            DECAYS: {'not in ("bias", "gamma", "beta")': '!= "bias"'},
        },
        {SCHEDULE: 4.5, DECAYS: 3.0},
        {
            SCHEDULE: "After total_steps the rate is negative.",
            DECAYS: "γ and β of normalizations decay.",
        },
    ),
    Student(
        "elif",
        "Takes the mean of both losses.",
        {PRETRAINER: {"return word_loss + pair_loss": "return (word_loss + pair_loss) / 2"}},
        {PRETRAINER: 8.0},
        {PRETRAINER: "The loss is the mean of both losses instead of their sum."},
    ),
    Student(
        "petra",
        "Half done: the model is as it was released.",
        {PRETRAINER: None},
        {PRETRAINER: 0.0},
    ),
]
