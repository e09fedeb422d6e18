"""Chapter 6: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, answer, mistake, solution

PAIRS, HEAD, LOSS = "sentence_pairs", "NextSentenceHead", "next_sentence_loss"

STUDENTS = [
    Student(
        "ada",
        "Right: lists all other documents for each text, and makes the layer in __init__.",
        {PAIRS: solution("generator_function"), HEAD: solution("layer_in_init")},
    ),
    Student(
        "chiara",
        "Right; the loss uses a helper in a cell at the end of the notebook.",
        {LOSS: answer("loss_with_helper")},
        helpers="surprise",
    ),
    Student(
        "dmitri",
        "The labels are the wrong way round.",
        {PAIRS: mistake("The labels are swapped: a real pair gets 1.")},
        {PAIRS: 5.0},  # four points are for true labels: of drawn sentences, of twins, and among blanks
    ),
    Student(
        "elif",
        "The head ends in a softmax.",
        {HEAD: mistake("A softmax is applied; the loss needs the scores before it.")},
        {HEAD: 0.0},
    ),
    Student(
        "petra",
        "Half done: the pairs are written, the rest is as it was released.",
        {HEAD: None, LOSS: None},
        {HEAD: 0.0, LOSS: 0.0},
    ),
]
