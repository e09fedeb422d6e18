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
OWNED = "owners[-1] += [number] * (len(part) + 1)"
RETURNED = f"return {TOKEN_IDS}, {DOCUMENT_IDS}"
FILLED_UP = f"token_ids, document_ids = {TOKEN_IDS}, {DOCUMENT_IDS}\n"

packing.mistake(
    "row_for_each_document",
    "Every document begins a new row, and padding fills the rest of the row before.",
    hint="The next document continues the row in which the last one ended. When do you begin a new row?",
    change={"if not rows or": "if not goes_on or"},
)
packing.mistake(
    "no_separators",
    "Two documents of a row have no [SEP] between them; only the row's end has one.",
    hint="The row must show where a document ends. What comes after its last sentence?",
    change={" + (not goes_on) > length": " > length", "elif goes_on:": "else:"},
)
# Places each piece as if it were a sentence.
packing.mistake(
    "cut_sentences",
    "A sentence is cut at the end of the row and continues in the next one.",
    hint="A sentence that does not fit begins the next row. Only a sentence longer than a row is cut.",
    change={"room = length - 2": "room = 1"},
)
packing.mistake(
    "rest_lost",
    "A sentence that does not fit is cut at the end of the row, and its rest is lost.",
    hint="Count the pieces of all rows. Are there as many as in all documents?",
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
    hint="To the encoder, each row is a text of its own. What does every text begin with?",
    change={
        "[cls_id]": "[] if rows else [cls_id]",
        "owners.append([number])": "owners.append([] if owners else [number])",
    },
)
packing.mistake(
    "cls_not_counted",
    "[CLS] is not counted, so rows are one token too long.",
    hint="With [CLS], how many of the `length` places are left for sentences?",
    change={"> length:": "> length + 1:", "length - len(row)": "max(length, *map(len, rows)) - len(row)"},
)
packing.mistake(
    "separator_each_sentence",
    "Every sentence ends with a [SEP] instead of only the last one of a document.",
    hint="In the docstring's example, what comes between two sentences of one document?",
    change={GOES_ON: "goes_on = False"},
)
packing.mistake(
    "last_row_lost",
    "The last row is lost.",
    hint="A row is stored when the next one begins. Which line stores the last row?",
    change={TOKEN_IDS: f"{TOKEN_IDS}[:-1]", DOCUMENT_IDS: f"{DOCUMENT_IDS}[:-1]"},
)
packing.mistake(
    "last_row_repeated",
    "Earlier tokens fill up the last row.",
    hint="No token appears twice. What comes after the very last sentence?",
    change={
        RETURNED: FILLED_UP + "is_padding = document_ids[-1] == 0\n"
        "token_ids[-1][is_padding] = np.resize(token_ids[0][1:], is_padding.sum())\n"
        "document_ids[-1][is_padding] = document_ids[0, 0]\n"
        "return token_ids, document_ids"
    },
)
packing.mistake(
    "long_left_out",
    "A sentence that is longer than a row is dropped.",
    hint="The docstring says that nothing is lost. What happens to a sentence longer than a row?",
    change={SENTENCES: f"{SENTENCES}\n    if len(sentence) > room:\n        continue"},
)
packing.mistake(
    "long_cut_off",
    "Only the first part of a sentence that is longer than a row is kept.",
    hint="Its other pieces are text, too. How many parts does it need?",
    change={PARTS: "range(0, min(len(sentence), room), room)"},
)
packing.mistake(
    "long_begins_anywhere",
    "A sentence that is longer than a row begins in what is left of the row before.",
    hint="Its first part has `length - 2` pieces, too. Where does a sentence of that length go?",
    change={
        f"for start in {PARTS}:": """
            left = max(0, length - len(rows[-1]) - (owners[-1][-1] != number)) if rows and len(sentence) > room else 0
            for start in [*([0] if left else []), *range(left, len(sentence), room)]:
        """,
        "start : start + room": "start : start + (left if left and not start else room)",
    },
)
packing.mistake(
    "longest_first",
    "Sentences are placed wherever they fit, longest first, so their order is lost.",
    hint="A text has an order. Fill the rows with the sentences as they come.",
    change={SENTENCES: "for sentence in sorted(document, key=len, reverse=True):"},
)
packing.mistake(
    "never_full",
    "A sentence that would fill its row exactly goes into the next row.",
    hint="A row has `length` places, and all of them may be used. Do you need < or <=?",
    change={"> length:": ">= length:"},
)
packing.mistake(
    "no_separator_at_the_end_of_rows",
    "A row has no [SEP] at its end if its document continues in the next row.",
    hint="In every row, a document's last sentence is followed by [SEP], even if the document continues.",
    change={"rows.append([cls_id])": f"if goes_on:\n    {SEPARATOR_GONE}\nrows.append([cls_id])"},
)
packing.mistake(
    "cls_each_document",
    "[CLS] comes before every document instead of only at the beginning of a row.",
    hint="Look at the docstring's picture of a row with two documents. How many [CLS] does it have?",
    change={
        " + (not goes_on) > length": " + 2 * (not goes_on) > length",
        SHARED: f"{SHARED}\nelse:\n    rows[-1].append(cls_id)\n    owners[-1].append(number)",
    },
)
packing.mistake(
    "empty_leaves_separator",
    "An empty document leaves a [SEP].",
    hint="Sentences without pieces and documents without sentences add nothing.",
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
    "Padding is always 0, whatever padding_id is.",
    hint="np.zeros is right for document_ids. What fills up token_ids?",
    change={TOKEN_IDS: "_filled_up(rows, length, 0)"},
)
packing.mistake(
    "counted_in_each_row",
    "The documents are counted from 1 in each row.",
    hint="k is the number among all documents, even in the tenth row.",
    change={"_filled_up(owners, ": "_filled_up([[number - row[0] + 1 for number in row] for row in owners], "},
)
packing.mistake(
    "counted_from_zero",
    "Documents are counted from 0, so the first one looks like padding.",
    hint="0 marks padding. Which number should the first document have?",
    change={"enumerate(documents, start=1)": "enumerate(documents)"},
)
packing.mistake(
    "number_of_the_row",
    "All documents of a row have the same number, so they see each other.",
    hint="Tokens with the same number attend to each other. Which tokens should?",
    change={"_filled_up(owners, ": "_filled_up([[row[0]] * len(row) for row in owners], "},
)
packing.mistake(
    "special_tokens_are_padding",
    "[CLS] and [SEP] belong to no document.",
    hint="With number 0 they would only see padding. Which documents do they belong to?",
    change={
        RETURNED: FILLED_UP + "document_ids[np.isin(token_ids, [cls_id, sep_id])] = 0\nreturn token_ids, document_ids"
    },
)
packing.mistake(
    "separator_of_the_next",
    "[SEP] belongs to the document after it.",
    hint="[SEP] ends a document. Which one?",
    change={
        GOES_ON: "goes_on = bool(rows) and owners[-1][-2] == number",
        SHARED: f"{SHARED}\nelse:\n    owners[-1][-1] = number",
    },
)
packing.mistake(
    "last_by_contents",
    "A sentence that equals the last one of its document gets a [SEP], too.",
    hint="Two sentences can be equal. How do you know which one is the last: by its pieces, or by its place?",
    change={
        GOES_ON: f"{GOES_ON} and before != document[-1]",
        OWNED: f"{OWNED}\nbefore = sentence",
    },
)
packing.mistake(
    "number_of_an_equal_one",
    "A document gets the number of the first one that reads the same.",
    hint="`index` finds the first of equal documents. How do you count documents as you go through them?",
    change={
        SENTENCES: f"own, last = documents.index(document) + 1, 0\n{SENTENCES}",
        GOES_ON: "goes_on = 0 < last == len(rows)",
        "owners.append([number])": "owners.append([own])",
        OWNED: f"{OWNED.replace('number', 'own')}\nlast = len(rows)",
    },
)
