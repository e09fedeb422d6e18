"""What goes wrong in pack_documents."""

from __future__ import annotations

from grading.exercises.objectives.checks import packing

SENTENCES = "for sentence in document:"
PARTS = "range(0, len(sentence), room)"
GOES_ON = "goes_on = bool(rows) and owners[-1][-1] == number"
IS_FULL = "if not rows or len(rows[-1]) + len(part) + (not goes_on) > length:"
SEPARATOR_GONE = "del rows[-1][-1], owners[-1][-1]"
SHARED = f"elif goes_on:\n    {SEPARATOR_GONE}"
TOKEN_IDS, DOCUMENT_IDS = "_filled_up(rows, length, padding_id)", "_filled_up(owners, length, 0)"
RETURNED = f"return {TOKEN_IDS}, {DOCUMENT_IDS}"
FILLED_UP = f"token_ids, document_ids = {TOKEN_IDS}, {DOCUMENT_IDS}\n"

packing.mistake(
    "row_for_each_document",
    "Every document begins a row of its own: the rest of the row before it is padding.",
    hint="The next document begins in the row in which one ends. When do you begin a new row?",
    change={"if not rows or": "if not goes_on or"},
)
packing.mistake(
    "no_separators",
    "There is no [SEP] between two documents of a row, only at the row's end.",
    hint="Who reads the row must see where one document ends. What stands behind the last sentence of each?",
    change={" + (not goes_on) > length": " > length", "elif goes_on:": "else:"},
)
# Each piece is placed as a sentence is.
packing.mistake(
    "cut_sentences",
    "A sentence is cut at the end of the row, and goes on in the next one.",
    hint="A sentence that does not fit begins the next row. Only one that no row has room for is cut.",
    change={"room = length - 2": "room = 1"},
)
packing.mistake(
    "rest_lost",
    "A sentence that does not fit is cut at the end of the row, and the rest of it is lost.",
    hint="Count the pieces in all rows: as many as in all documents?",
    change={
        IS_FULL: f"""
            left = length - len(rows[-1]) - (not goes_on) if rows else 0
            part = part[:left] if left > 0 else part
            {IS_FULL}
        """
    },
)
packing.mistake(
    "one_cls",
    "Only the first row begins with [CLS].",
    hint="Each row is a text of its own to the encoder. What does every text begin with?",
    change={
        "[cls_id]": "[] if rows else [cls_id]",
        "owners.append([number])": "owners.append([] if owners else [number])",
    },
)
packing.mistake(
    "cls_not_counted",
    "[CLS] is not counted: rows come out one token too long.",
    hint="How many places are left for sentences in a row of `length` that has [CLS] in it?",
    change={"> length:": "> length + 1:", "length - len(row)": "max(length, *map(len, rows)) - len(row)"},
)
packing.mistake(
    "separator_each_sentence",
    "There is a [SEP] behind every sentence, not only behind the last one of a document.",
    hint="In the docstring's example, what stands between two sentences of one document?",
    change={GOES_ON: "goes_on = False"},
)
packing.mistake(
    "last_row_lost",
    "The last row is lost.",
    hint="A row is kept when the next one begins. Who keeps the one that nothing follows?",
    change={TOKEN_IDS: f"{TOKEN_IDS}[:-1]", DOCUMENT_IDS: f"{DOCUMENT_IDS}[:-1]"},
)
packing.mistake(
    "last_row_repeated",
    "The last row is filled up with tokens that were there before.",
    hint="Nothing is there twice. What stands behind the last sentence of all?",
    change={
        RETURNED: FILLED_UP + "is_padding = document_ids[-1] == 0\n"
        "token_ids[-1][is_padding] = np.resize(token_ids[0][1:], is_padding.sum())\n"
        "document_ids[-1][is_padding] = document_ids[0, 0]\n"
        "return token_ids, document_ids"
    },
)
packing.mistake(
    "long_left_out",
    "A sentence that is longer than a row is left out.",
    hint="Nothing is lost, says the docstring. What becomes of a sentence that no row has room for?",
    change={SENTENCES: f"{SENTENCES}\n    if len(sentence) > room:\n        continue"},
)
packing.mistake(
    "long_cut_off",
    "Of a sentence that is longer than a row, only as much as fits into one row is kept.",
    hint="Its other pieces are text, too. Into how many parts must it be cut?",
    change={PARTS: "range(0, min(len(sentence), room), room)"},
)
packing.mistake(
    "longest_first",
    "Sentences are put where there is room for them, the longest first: their order is lost.",
    hint="A text is read in its order. Fill the rows with the sentences as they come.",
    change={SENTENCES: "for sentence in sorted(document, key=len, reverse=True):"},
)
packing.mistake(
    "never_full",
    "A row that would be exactly full is not filled: the sentence goes to the next one.",
    hint="A row has `length` places, and all of them may be used. Is it < or <= ?",
    change={"> length:": ">= length:"},
)
packing.mistake(
    "no_separator_at_the_end_of_rows",
    "There is no [SEP] where a row ends and its document goes on in the next one.",
    hint="Behind the last sentence that a document has in a row stands [SEP], even if more of it follows elsewhere.",
    change={"rows.append([cls_id])": f"if goes_on:\n    {SEPARATOR_GONE}\nrows.append([cls_id])"},
)
# There is only room for it: no [CLS] is put there.
packing.mistake(
    "cls_each_document",
    "There is a [CLS] before every document, not only at the beginning of a row.",
    hint="Look at the docstring's picture of a row with two documents. How often does [CLS] stand there?",
    change={
        " + (not goes_on) > length": " + 2 * (not goes_on) > length",
        SHARED: f"{SHARED}\nelse:\n    rows[-1].append(cls_id)\n    owners[-1].append(number)",
    },
)
packing.mistake(
    "empty_leaves_separator",
    "An empty document leaves a [SEP].",
    hint="Sentences without a piece, and documents without a sentence, leave no trace.",
    change={
        SENTENCES: f"""
            if rows and owners[-1][-1] < number - 1 and len(rows[-1]) < length:
                rows[-1].append(sep_id)
                owners[-1].append(number - 1)
            {SENTENCES}
        """
    },
)
packing.mistake(
    "padding_is_zero",
    "Padding is always 0, whatever padding_id says.",
    hint="np.zeros is right for document_ids. What fills up token_ids?",
    change={TOKEN_IDS: "_filled_up(rows, length, 0)"},
)
packing.mistake(
    "counted_in_each_row",
    "Documents are counted anew in each row.",
    hint="k stands for the k-th of all documents, also in the tenth row.",
    change={"_filled_up(owners, ": "_filled_up([[number - row[0] + 1 for number in row] for row in owners], "},
)
packing.mistake(
    "counted_from_zero",
    "Documents are counted from 0, so that the first one is taken for padding.",
    hint="0 stands at padding. What number is left for the first document?",
    change={"enumerate(documents, start=1)": "enumerate(documents)"},
)
packing.mistake(
    "number_of_the_row",
    "All documents of a row have one number, so that each sees the others.",
    hint="Which tokens may attend to each other, if all of a row are called the same?",
    change={"_filled_up(owners, ": "_filled_up([[row[0]] * len(row) for row in owners], "},
)
packing.mistake(
    "special_tokens_are_padding",
    "[CLS] and [SEP] belong to no document.",
    hint="With 0 they would see padding and nothing else. To which documents do they belong?",
    change={
        RETURNED: FILLED_UP + "document_ids[np.isin(token_ids, [cls_id, sep_id])] = 0\nreturn token_ids, document_ids"
    },
)
packing.mistake(
    "separator_of_the_next",
    "[SEP] belongs to the document behind it.",
    hint="It ends a document. Which one?",
    change={
        GOES_ON: "goes_on = bool(rows) and owners[-1][-2] == number",
        SHARED: f"{SHARED}\nelse:\n    owners[-1][-1] = number",
    },
)
