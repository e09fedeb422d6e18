"""What goes wrong in pack_documents."""

from __future__ import annotations

from typing import Any

import numpy as np

import course.objectives as right
from grading.exercises.objectives.checks import packing

Pieces = list[int]


class Packer:
    """Rows that are filled in steps, one of which a mistake gets wrong."""

    def __init__(self, length: int, cls_id: int, sep_id: int, padding_id: int = 0) -> None:
        self.length, self.cls_id, self.sep_id, self.padding_id = length, cls_id, sep_id, padding_id
        self.rows: list[Pieces] = []
        self.owners: list[Pieces] = []

    def parts(self, sentence: Pieces) -> list[Pieces]:
        room = self.length - 2
        return [list(sentence[start : start + room]) for start in range(0, len(sentence), room)]

    def goes_on(self, number: int) -> bool:
        return bool(self.rows) and self.owners[-1][-1] == number

    def fits(self, part: Pieces, number: int) -> bool:
        return len(self.rows[-1]) + len(part) + (not self.goes_on(number)) <= self.length

    def open_row(self, number: int) -> None:
        self.rows.append([self.cls_id])
        self.owners.append([number])

    def add(self, part: Pieces, number: int) -> None:
        if not self.rows or not self.fits(part, number):
            self.open_row(number)
        elif self.goes_on(number):
            del self.rows[-1][-1], self.owners[-1][-1]
        self.rows[-1] += [*part, self.sep_id]
        self.owners[-1] += [number] * (len(part) + 1)

    def begin(self, number: int) -> None:
        """Before the sentences of a document."""

    def end(self) -> None:
        """After all documents."""

    def owners_of_row(self, owners: Pieces) -> Pieces:
        return owners

    @classmethod
    def pack(cls, documents: Any, *args: Any, **options: Any) -> tuple[np.ndarray, np.ndarray]:
        made = cls(*args, **options)
        for number, document in enumerate(documents, start=1):
            made.begin(number)
            for sentence in document:
                for part in made.parts(sentence):
                    made.add(part, number)
        made.end()
        return made.filled(made.rows, made.padding_id), made.filled(list(map(made.owners_of_row, made.owners)), 0)

    def filled(self, rows: list[Pieces], number: int) -> np.ndarray:
        length = max(self.length, *map(len, rows))
        return np.array([row + [number] * (length - len(row)) for row in rows], "int32")


@packing.whole_mistake(
    "Every document begins a row of its own: the rest of the row before it is padding.",
    hint="The next document begins in the row in which one ends. When do you begin a new row?",
)
def row_for_each_document(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def fits(self, part: Pieces, number: int) -> bool:
            return self.goes_on(number) and super().fits(part, number)

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "There is no [SEP] between two documents of a row, only at the row's end.",
    hint="Who reads the row must see where one document ends. What stands behind the last sentence of each?",
)
def no_separators(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def fits(self, part: Pieces, number: int) -> bool:
            return len(self.rows[-1]) + len(part) <= self.length

        def add(self, part: Pieces, number: int) -> None:
            if self.rows and self.fits(part, number):
                del self.rows[-1][-1], self.owners[-1][-1]
            else:
                self.open_row(number)
            self.rows[-1] += [*part, self.sep_id]
            self.owners[-1] += [number] * (len(part) + 1)

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "A sentence is cut at the end of the row, and goes on in the next one.",
    hint="A sentence that does not fit begins the next row. Only one that no row has room for is cut.",
)
def cut_sentences(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def add(self, part: Pieces, number: int) -> None:
            while part:
                room = self.length - len(self.rows[-1]) - (not self.goes_on(number)) if self.rows else 0
                if room <= 0:
                    self.open_row(number)
                    room = self.length - 2
                elif self.goes_on(number):
                    del self.rows[-1][-1], self.owners[-1][-1]
                here, part = part[:room], part[room:]
                self.rows[-1] += [*here, self.sep_id]
                self.owners[-1] += [number] * (len(here) + 1)

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "A sentence that does not fit is cut at the end of the row, and the rest of it is lost.",
    hint="Count the pieces in all rows: as many as in all documents?",
)
def rest_lost(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def add(self, part: Pieces, number: int) -> None:
            room = self.length - len(self.rows[-1]) - (not self.goes_on(number)) if self.rows else 0
            super().add(part[:room] if room > 0 else part, number)

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "Only the first row begins with [CLS].",
    hint="Each row is a text of its own to the encoder. What does every text begin with?",
)
def one_cls(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def open_row(self, number: int) -> None:
            first = not self.rows
            self.rows.append([self.cls_id] if first else [])
            self.owners.append([number] if first else [])

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "[CLS] is not counted: rows come out one token too long.",
    hint="How many places are left for sentences in a row of `length` that has [CLS] in it?",
)
def cls_not_counted(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def fits(self, part: Pieces, number: int) -> bool:
            return len(self.rows[-1]) + len(part) + (not self.goes_on(number)) <= self.length + 1

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "There is a [SEP] behind every sentence, not only behind the last one of a document.",
    hint="In the docstring's example, what stands between two sentences of one document?",
)
def separator_each_sentence(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def goes_on(self, number: int) -> bool:
            return False

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "The last row is lost.",
    hint="A row is kept when the next one begins. Who keeps the one that nothing follows?",
)
def last_row_lost(*args: Any, **options: Any) -> Any:
    return tuple(array[:-1] if len(array) > 1 else array[:0] for array in right.pack_documents(*args, **options))


@packing.whole_mistake(
    "The last row is filled up with tokens that were there before.",
    hint="Nothing is there twice. What stands behind the last sentence of all?",
)
def last_row_repeated(*args: Any, **options: Any) -> Any:
    token_ids, document_ids = right.pack_documents(*args, **options)
    is_padding = document_ids[-1] == 0
    token_ids[-1][is_padding] = np.resize(token_ids[0][1:], is_padding.sum())
    document_ids[-1][is_padding] = document_ids[0, 0]
    return token_ids, document_ids


@packing.whole_mistake(
    "A sentence that is longer than a row is left out.",
    hint="Nothing is lost, says the docstring. What becomes of a sentence that no row has room for?",
)
def long_left_out(documents: Any, length: int, *args: Any, **options: Any) -> Any:
    short = [[sentence for sentence in document if len(sentence) <= length - 2] for document in documents]
    return right.pack_documents(short, length, *args, **options)


@packing.whole_mistake(
    "Of a sentence that is longer than a row, only as much as fits into one row is kept.",
    hint="Its other pieces are text, too. Into how many parts must it be cut?",
)
def long_cut_off(documents: Any, length: int, *args: Any, **options: Any) -> Any:
    short = [[sentence[: length - 2] for sentence in document] for document in documents]
    return right.pack_documents(short, length, *args, **options)


@packing.whole_mistake(
    "Sentences are put where there is room for them, the longest first: their order is lost.",
    hint="A text is read in its order. Fill the rows with the sentences as they come.",
)
def longest_first(documents: Any, *args: Any, **options: Any) -> Any:
    return right.pack_documents([sorted(document, key=len, reverse=True) for document in documents], *args, **options)


@packing.whole_mistake(
    "A row that would be exactly full is not filled: the sentence goes to the next one.",
    hint="A row has `length` places, and all of them may be used. Is it < or <= ?",
)
def never_full(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def fits(self, part: Pieces, number: int) -> bool:
            return len(self.rows[-1]) + len(part) + (not self.goes_on(number)) < self.length

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "There is no [SEP] where a row ends and its document goes on in the next one.",
    hint="Behind the last sentence that a document has in a row stands [SEP], even if more of it follows elsewhere.",
)
def no_separator_at_the_end_of_rows(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def open_row(self, number: int) -> None:
            if self.goes_on(number):
                del self.rows[-1][-1], self.owners[-1][-1]
            super().open_row(number)

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "There is a [CLS] before every document, not only at the beginning of a row.",
    hint="Look at the docstring's picture of a row with two documents. How often does [CLS] stand there?",
)
def cls_each_document(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def fits(self, part: Pieces, number: int) -> bool:
            return len(self.rows[-1]) + len(part) + 2 * (not self.goes_on(number)) <= self.length

        def add(self, part: Pieces, number: int) -> None:
            if self.rows and self.fits(part, number) and not self.goes_on(number):
                self.rows[-1].append(self.cls_id)
                self.owners[-1].append(number)
            super().add(part, number)

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "An empty document leaves a [SEP].",
    hint="Sentences without a piece, and documents without a sentence, leave no trace.",
)
def empty_leaves_separator(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        begun, sentences = 0, 0

        def begin(self, number: int) -> None:
            if self.rows and self.owners[-1][-1] != self.begun and len(self.rows[-1]) < self.length:
                self.rows[-1].append(self.sep_id)
                self.owners[-1].append(self.begun)
            self.begun = number

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "Padding is always 0, whatever padding_id says.",
    hint="np.zeros is right for document_ids. What fills up token_ids?",
)
def padding_is_zero(documents: Any, length: int, cls_id: int, sep_id: int, padding_id: int = 0) -> Any:
    return right.pack_documents(documents, length, cls_id, sep_id)


@packing.whole_mistake(
    "Documents are counted anew in each row.",
    hint="k stands for the k-th of all documents, also in the tenth row.",
)
def counted_in_each_row(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def owners_of_row(self, owners: Pieces) -> Pieces:
            return [number - owners[0] + 1 for number in owners]

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "Documents are counted from 0, so that the first one is taken for padding.",
    hint="0 stands at padding. What number is left for the first document?",
)
def counted_from_zero(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def owners_of_row(self, owners: Pieces) -> Pieces:
            return [number - 1 for number in owners]

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "All documents of a row have one number, so that each sees the others.",
    hint="Which tokens may attend to each other, if all of a row are called the same?",
)
def number_of_the_row(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def owners_of_row(self, owners: Pieces) -> Pieces:
            return [owners[0]] * len(owners)

    return Wrong.pack(*args, **options)


@packing.whole_mistake(
    "[CLS] and [SEP] belong to no document.",
    hint="With 0 they would see padding and nothing else. To which documents do they belong?",
)
def special_tokens_are_padding(*args: Any, **options: Any) -> Any:
    token_ids, document_ids = right.pack_documents(*args, **options)
    cls_id, sep_id = options.get("cls_id", args[2] if len(args) > 2 else None), options.get("sep_id", args[-1])
    document_ids[np.isin(token_ids, [cls_id, sep_id])] = 0
    return token_ids, document_ids


@packing.whole_mistake(
    "[SEP] belongs to the document behind it.",
    hint="It ends a document. Which one?",
)
def separator_of_the_next(*args: Any, **options: Any) -> Any:
    class Wrong(Packer):
        def add(self, part: Pieces, number: int) -> None:
            if self.rows and not self.goes_on(number) and self.fits(part, number):
                self.owners[-1][-1] = number
            super().add(part, number)

        def goes_on(self, number: int) -> bool:
            return bool(self.rows) and self.owners[-1][-2] == number

    return Wrong.pack(*args, **options)
