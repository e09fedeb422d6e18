"""What goes wrong in SplitEncoder."""

from __future__ import annotations

from grading.exercises.ranking.checks import split_encoder

EMBEDDED = "self.embed(token_ids, self.query_length, 1)"
DOCUMENT = f"self._first_blocks({EMBEDDED}, padding_mask)"
FIRST = "self.encoder.blocks[: self.split]"
REST = "self.encoder.blocks[self.split :]"
THROUGH = "    x = block(x, attention_mask=padding_mask[:, None, None, :])"
X = "x = ops.concatenate([query, document], axis=1)"
MASKS = "[query_mask, document_mask]"
POOLED = "self.encoder.pooler(x[:, 0])"

split_encoder.mistake(
    "DocumentAtZero",
    "The positions of a document start at 0, like those of the query.",
    hint="In the joint row, the document comes after the query. What is the position of its first token?",
    change={EMBEDDED: "self.embed(token_ids, 0, 1)"},
)
split_encoder.mistake(
    "OneTooFar",
    "The positions of a document start one too late.",
    hint="Positions count from 0. How many tokens stand before the document?",
    change={EMBEDDED: "self.embed(token_ids, self.query_length + 1, 1)"},
)
split_encoder.mistake(
    "SegmentZero",
    "Documents have segment 0, like queries.",
    hint="The joint row has two texts. Which one is the document?",
    change={EMBEDDED: "self.embed(token_ids, self.query_length, 0)"},
)
split_encoder.mistake(
    "QueryInSegmentOne",
    "Queries have segment 1.",
    hint="Which segment does the first text of a row have?",
    change={"self.embed(token_ids, 0, 0)": "self.embed(token_ids, 0, 1)"},
)
split_encoder.mistake(
    "EmbeddingCounts",
    "The embedding counts as a block, so one block too few runs on each text, and one too many on both.",
    hint="With split 0, all blocks see both texts. With split 1, how many blocks see only one text?",
    change={
        FIRST: "self.encoder.blocks[: max(self.split - 1, 0)]",
        REST: "self.encoder.blocks[max(self.split - 1, 0) :]",
    },
)
split_encoder.mistake(
    "OneMore",
    "One block too many runs on each text alone.",
    hint="blocks[: n] has n blocks. What is `split`?",
    change={FIRST: "self.encoder.blocks[: self.split + 1]", REST: "self.encoder.blocks[self.split + 1 :]"},
)
split_encoder.mistake(
    "OneLeftOut",
    "One block is skipped: it runs neither on one text nor on both.",
    hint="Follow the numbers of the blocks through both loops. Where does the second one begin?",
    change={REST: "self.encoder.blocks[self.split + 1 :]"},
)
split_encoder.mistake(
    "AllAgain",
    "`join` runs all blocks, so the first ones run twice.",
    hint="What has `encode_document` already done?",
    change={REST: "self.encoder.blocks"},
)
split_encoder.mistake(
    "Reversed",
    "The first blocks run in reverse order.",
    hint="Which block comes after the embedding?",
    change={FIRST: f"{FIRST}[::-1]"},
)
split_encoder.mistake(
    "LastFirst",
    "The last blocks run on one text alone: `split` counts from the end.",
    hint="Documents are stored after the *first* blocks.",
    change={
        FIRST: "self.encoder.blocks[len(self.encoder.blocks) - self.split :]",
        REST: "self.encoder.blocks[: len(self.encoder.blocks) - self.split]",
    },
)
split_encoder.mistake(
    "FirstWithoutMask",
    "The first blocks get no mask, so words attend to their own text's padding.",
    hint="The stored document would depend on the other documents of its batch.",
    change={f"{FIRST}:\n{THROUGH}": f"{FIRST}:\n    x = block(x)"},
)
split_encoder.mistake(
    "QueryMaskForgotten",
    "`join` attends to the query's padding, which is in the middle of the row.",
    hint="There are two masks, and one row. Where does it have padding?",
    change={MASKS: "[ops.ones_like(query_mask), document_mask]"},
)
split_encoder.mistake(
    "DocumentMaskForgotten",
    "`join` attends to the document's padding.",
    hint="There are two masks, and one row. Which words may it attend to?",
    change={MASKS: "[query_mask, ops.ones_like(document_mask)]"},
)
split_encoder.mistake(
    "DocumentFirst",
    "The document comes before the query in the joint row, so its first token is used as [CLS].",
    hint="Which of the two begins with [CLS]?",
    change={X: "x = ops.concatenate([document, query], axis=1)", MASKS: "[document_mask, query_mask]"},
)
split_encoder.mistake(
    "NeverTogether",
    "The texts never see each other: the joint blocks run on each of them alone.",
    hint="Where does a query word attend to a document word?",
    change={
        f"for block in {REST}:\n{THROUGH}": f"""
            for block in {REST}:
                query = block(query, attention_mask=query_mask[:, None, None, :])
                document = block(document, attention_mask=document_mask[:, None, None, :])
            {X}
        """
    },
)
split_encoder.mistake(
    "PooledTooEarly",
    "The pooled output comes from the query before the joint blocks.",
    hint="What does [CLS] know about the document at that point?",
    change={POOLED: "self.encoder.pooler(query[:, 0])"},
)
split_encoder.mistake(
    "PooledLast",
    "The pooled output comes from the last token of the row.",
    hint="Where is [CLS]?",
    change={POOLED: "self.encoder.pooler(x[:, -1])"},
)
split_encoder.mistake(
    "NoPooler",
    "The pooled output skips the pooler.",
    hint="What does `BertEncoder` do with the first token?",
    change={POOLED: "x[:, 0]"},
)
split_encoder.mistake(
    "DropsAhead",
    "Documents are encoded in training mode, so dropout changes a document's vectors each time.",
    hint="A stored vector should be the same tomorrow. Which argument turns off dropout in a block?",
    change={EMBEDDED: f"self.encoder.embedding.dropout_layer({EMBEDDED}, training=True)"},
)
split_encoder.mistake(
    "DocumentsStopped",
    "No gradient flows through the documents: training treats them as stored vectors.",
    hint="The vectors that are precomputed later must be learned in training.",
    change={DOCUMENT: f"ops.stop_gradient({DOCUMENT})"},
)
split_encoder.mistake(
    "DocumentMaskOfIds",
    "`encode_document` ignores `padding_mask`, and takes every id 0 for padding.",
    hint="Who says what is padding: the ids or the mask?",
    change={DOCUMENT: f"self._first_blocks({EMBEDDED}, ops.not_equal(token_ids, 0))"},
)
split_encoder.mistake(
    "MaskOfQueries",
    "The mask lies on the axis of queries instead of keys, so words attend to padding.",
    hint="Attention takes (batch, heads, queries, keys). Which of the two may be padding that nobody should read?",
    change={
        f"for block in {blocks}:\n{THROUGH}": f"for block in {blocks}:\n{THROUGH}".replace("None, :]", ":, None]")
        for blocks in (FIRST, REST)
    },
)
