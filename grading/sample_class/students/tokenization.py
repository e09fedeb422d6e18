"""Chapter 1: five students, and what each must get."""

from __future__ import annotations

from grading.sample_class.student import Student

BASIC, WORDPIECE, BPE, PACK = "basic_tokenize", "wordpiece_tokenize", "learn_bpe", "pack_pair"

STUDENTS = [
    Student(
        "ada",
        "Right: counts all pairs again after each merge, and glues symbols by recursion.",
        {BPE: "bpe_recounted", WORDPIECE: "wordpiece_rest"},
    ),
    Student(
        "dmitri",
        "Forgot ## inside words, and gives the last [SEP] segment 0.",
        {
            WORDPIECE: {"prefix = CONTINUATION if start else": "prefix ="},
            PACK: {"segment_ids += [1] * (len(kept_second) + 1)": "segment_ids += [1] * len(kept_second) + [0]"},
        },
        # Of the pieces, only those of an empty word are right. Of the rows, those checks that look at no segment.
        {WORDPIECE: 0.5, PACK: 3.0},
        {
            WORDPIECE: "## is never added: pieces inside a word are looked up as if they began it.",
            PACK: "The closing [SEP] of the second text gets segment 0.",
        },
    ),
    Student(
        "elif",
        "Keeps accents, and learns one merge too few.",
        {
            BASIC: {
                'unicodedata.normalize("NFD", visible.lower()) if': "visible.lower() if",
                "elif not (lowercase and is_accent(character)):": "else:",
            },
            BPE: {"len(merges) < num_merges:": "len(merges) < num_merges - 1:"},
        },
        # Only one check has accents in lower case. Only where learning ends early is a merge too few not missed.
        {BASIC: 4.5, BPE: 0.5},
        {BASIC: "Accents are not removed.", BPE: "One merge too few is learned."},
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
        {PACK: {"[True] * len(token_ids) + [False] * padding": "[False] * len(token_ids) + [True] * padding"}},
        {PACK: 3.0},  # two of five checks look at the mask
        {PACK: "padding_mask is inverted: it is True at padding."},
        quirk="ids_stripped",
    ),
]
