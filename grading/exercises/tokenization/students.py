"""Chapter 1: five students, and what each must get."""

from __future__ import annotations

from grading.exercises.students import Student, mistake, solution

BASIC, WORDPIECE, BPE, PACK = "basic_tokenize", "wordpiece_tokenize", "learn_bpe", "pack_pair"

STUDENTS = [
    Student(
        "ada",
        "Right: counts all pairs again after each merge, and looks up the rest of a word by recursion.",
        {BPE: solution("count_anew"), WORDPIECE: solution("recursion")},
    ),
    Student(
        "dmitri",
        "Forgot ## inside words, and gives the last [SEP] segment 0.",
        {
            WORDPIECE: mistake("## is never added: pieces inside a word are looked up as if they began it."),
            PACK: mistake("The closing [SEP] of the second text gets segment 0."),
        },
        # Of the pieces, only those of an empty word are right. Of the rows, those checks that look at no segment.
        {WORDPIECE: 0.5, PACK: 3.0},
    ),
    Student(
        "elif",
        "Keeps accents, and learns one merge too few.",
        {
            BASIC: mistake("Accents are not removed."),
            BPE: mistake("One merge too few is learned."),
        },
        # Only one check has accents in lower case. Only where learning ends early is a merge too few not missed.
        {BASIC: 4.5, BPE: 0.5},
    ),
    Student(
        "petra",
        "Half done: words and pieces are written, the rest is as it was released.",
        {BPE: None, PACK: None},
        {BPE: 0.0, PACK: 0.0},
    ),
    Student(
        "sven",
        "Damaged: Colab took the cells' ids and metadata. The padding mask is upside down.",
        {PACK: mistake("padding_mask is inverted: it is True at padding.")},
        {PACK: 3.0},  # two of five checks look at the mask
        quirk="ids_stripped",
    ),
]
