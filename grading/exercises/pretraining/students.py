"""Chapter 7: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

SCHEDULE, DECAYS, PRETRAINER = "WarmupLinearDecay", "decays_weight", "BertPretrainer"

STUDENTS = [
    Student(
        "ada",
        "Right: the lower of two lines, and a regular expression.",
        {SCHEDULE: solution("minimum_of_lines"), DECAYS: solution("regular_expression")},
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
            SCHEDULE: mistake("After total_steps the rate is negative."),
            DECAYS: mistake("γ and β of normalizations decay."),
        },
        {SCHEDULE: 4.5, DECAYS: 3.0},
    ),
    Student(
        "elif",
        "Takes the mean of both losses.",
        {PRETRAINER: mistake("The loss is the mean of both losses instead of their sum.")},
        {PRETRAINER: 8.0},
    ),
    Student(
        "petra",
        "Half done: the model is as it was released.",
        {PRETRAINER: None},
        {PRETRAINER: 0.0},
    ),
]
