"""What goes wrong in SplitEncoder."""

from __future__ import annotations

from typing import Any

from keras import ops

import course.ranking as right
from grading.exercises.ranking.checks import split_encoder


class Variant(right.SplitEncoder):
    """The reader in steps, one of which a mistake gets wrong."""

    def first(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[: self.split], x, padding_mask)

    def last(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[self.split :], x, padding_mask)

    def through(self, blocks: Any, x: Any, padding_mask: Any) -> Any:
        for block in blocks:
            x = block(x, attention_mask=padding_mask[:, None, None, :])
        return x

    def place(self) -> int:
        return self.query_length

    def segment(self) -> int:
        return 1

    def encode_query(self, token_ids: Any, padding_mask: Any) -> Any:
        return self.first(self.embed(token_ids, 0, 0), padding_mask)

    def encode_document(self, token_ids: Any, padding_mask: Any) -> Any:
        return self.first(self.embed(token_ids, self.place(), self.segment()), padding_mask)

    def beside(self, query: Any, document: Any) -> Any:
        return ops.concatenate([query, document], axis=1)

    def pooled(self, x: Any) -> Any:
        return self.encoder.pooler(x[:, 0])

    def join(self, query: Any, query_mask: Any, document: Any, document_mask: Any) -> dict[str, Any]:
        x = self.last(self.beside(query, document), self.beside(query_mask, document_mask))
        return {"sequence_output": x, "pooled_output": self.pooled(x)}


@split_encoder.whole_mistake(
    "The positions of a document start at 0, where the query stands.",
    hint="In the joint row the document stands behind the query. At which position is its first token?",
)
class DocumentAtZero(Variant):
    def place(self) -> int:
        return 0


@split_encoder.whole_mistake(
    "The positions of a document start one too late.",
    hint="Positions count from 0. How many tokens stand before the document?",
)
class OneTooFar(Variant):
    def place(self) -> int:
        return self.query_length + 1


@split_encoder.whole_mistake(
    "Documents are in segment 0, like queries.",
    hint="In the joint row there are two texts. Which one is the document?",
)
class SegmentZero(Variant):
    def segment(self) -> int:
        return 0


@split_encoder.whole_mistake(
    "Queries are in segment 1.",
    hint="The first text of a row is in segment 0.",
)
class QueryInSegmentOne(Variant):
    def encode_query(self, token_ids: Any, padding_mask: Any) -> Any:
        return self.first(self.embed(token_ids, 0, 1), padding_mask)


@split_encoder.whole_mistake(
    "The embedding is counted as a block: each text alone goes through one block less, and both through one more.",
    hint="With split 0, all blocks see both texts. How many does each text see alone with split 1?",
)
class EmbeddingCounts(Variant):
    def first(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[: max(self.split - 1, 0)], x, padding_mask)

    def last(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[max(self.split - 1, 0) :], x, padding_mask)


@split_encoder.whole_mistake(
    "One block too many is run on each text alone.",
    hint="blocks[: n] holds n blocks. How many is `split`?",
)
class OneMore(Variant):
    def first(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[: self.split + 1], x, padding_mask)

    def last(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[self.split + 1 :], x, padding_mask)


@split_encoder.whole_mistake(
    "A block is left out: it is run neither on one text nor on both.",
    hint="Follow the numbers of the blocks through both loops. Where does the second one begin?",
)
class OneLeftOut(Variant):
    def last(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[self.split + 1 :], x, padding_mask)


@split_encoder.whole_mistake(
    "`join` runs all blocks, the first ones a second time.",
    hint="What has `encode_document` done already?",
)
class AllAgain(Variant):
    def last(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks, x, padding_mask)


@split_encoder.whole_mistake(
    "The first blocks are run in reverse order.",
    hint="What comes after the embedding?",
)
class Reversed(Variant):
    def first(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[: self.split][::-1], x, padding_mask)


@split_encoder.whole_mistake(
    "The last blocks run on one text alone: `split` is counted from the end.",
    hint="Documents are kept as the *first* blocks leave them.",
)
class LastFirst(Variant):
    def first(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[len(self.encoder.blocks) - self.split :], x, padding_mask)

    def last(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[: len(self.encoder.blocks) - self.split], x, padding_mask)


@split_encoder.whole_mistake(
    "The first blocks get no mask: words attend to their own text's padding.",
    hint="What is kept of a document would depend on the batch in which it was read.",
)
class FirstWithoutMask(Variant):
    def first(self, x: Any, padding_mask: Any) -> Any:
        return self.through(self.encoder.blocks[: self.split], x, ops.ones_like(padding_mask))


@split_encoder.whole_mistake(
    "`join` attends to the padding of the query, which stands in the middle of the row.",
    hint="There are two masks, and one row. Where is its padding?",
)
class QueryMaskForgotten(Variant):
    def join(self, query: Any, query_mask: Any, document: Any, document_mask: Any) -> dict[str, Any]:
        return super().join(query, ops.ones_like(query_mask), document, document_mask)


@split_encoder.whole_mistake(
    "`join` attends to the padding of the document.",
    hint="There are two masks, and one row. Which words may be looked at?",
)
class DocumentMaskForgotten(Variant):
    def join(self, query: Any, query_mask: Any, document: Any, document_mask: Any) -> dict[str, Any]:
        return super().join(query, query_mask, document, ops.ones_like(document_mask))


@split_encoder.whole_mistake(
    "The document stands before the query in the joint row: its first token is taken for [CLS].",
    hint="Which of both begins with [CLS]?",
)
class DocumentFirst(Variant):
    def beside(self, query: Any, document: Any) -> Any:
        return ops.concatenate([document, query], axis=1)


@split_encoder.whole_mistake(
    "After the split, the texts still do not see each other: the joint blocks run on each of them alone.",
    hint="Where does a word of the query meet one of the document?",
)
class NeverTogether(Variant):
    def join(self, query: Any, query_mask: Any, document: Any, document_mask: Any) -> dict[str, Any]:
        x = self.beside(self.last(query, query_mask), self.last(document, document_mask))
        return {"sequence_output": x, "pooled_output": self.pooled(x)}


@split_encoder.whole_mistake(
    "The pooled output is that of the query before the joint blocks.",
    hint="What does [CLS] know of the document there?",
)
class PooledTooEarly(Variant):
    def join(self, query: Any, query_mask: Any, document: Any, document_mask: Any) -> dict[str, Any]:
        found = super().join(query, query_mask, document, document_mask)
        return {**found, "pooled_output": self.pooled(query)}


@split_encoder.whole_mistake(
    "The pooled output is that of the row's last token.",
    hint="[CLS] stands at the beginning.",
)
class PooledLast(Variant):
    def pooled(self, x: Any) -> Any:
        return self.encoder.pooler(x[:, -1])


@split_encoder.whole_mistake(
    "The pooled output has not gone through the pooler.",
    hint="What does `BertEncoder` do with the first token?",
)
class NoPooler(Variant):
    def pooled(self, x: Any) -> Any:
        return x[:, 0]


@split_encoder.whole_mistake(
    "Documents are read as in training: dropout makes another vector of a document each time.",
    hint="What is kept should be the same tomorrow. Which argument tells a block that it is not in training?",
)
class DropsAhead(Variant):
    def encode_document(self, token_ids: Any, padding_mask: Any) -> Any:
        x = self.embed(token_ids, self.place(), self.segment())
        x = self.encoder.embedding.dropout_layer(x, training=True)
        return self.first(x, padding_mask)


@split_encoder.whole_mistake(
    "No gradient goes through the documents: they are kept as in use while they are trained, too.",
    hint="What is computed ahead in use must be learned in training.",
)
class DocumentsStopped(Variant):
    def encode_document(self, token_ids: Any, padding_mask: Any) -> Any:
        return ops.stop_gradient(super().encode_document(token_ids, padding_mask))
