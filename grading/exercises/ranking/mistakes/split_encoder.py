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
    "The positions of a document start at 0, where the query stands.",
    hint="In the joint row the document stands behind the query. At which position is its first token?",
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
    "Documents are in segment 0, like queries.",
    hint="In the joint row there are two texts. Which one is the document?",
    change={EMBEDDED: "self.embed(token_ids, self.query_length, 0)"},
)
split_encoder.mistake(
    "QueryInSegmentOne",
    "Queries are in segment 1.",
    hint="The first text of a row is in segment 0.",
    change={"self.embed(token_ids, 0, 0)": "self.embed(token_ids, 0, 1)"},
)
split_encoder.mistake(
    "EmbeddingCounts",
    "The embedding is counted as a block: each text alone goes through one block less, and both through one more.",
    hint="With split 0, all blocks see both texts. How many does each text see alone with split 1?",
    change={
        FIRST: "self.encoder.blocks[: max(self.split - 1, 0)]",
        REST: "self.encoder.blocks[max(self.split - 1, 0) :]",
    },
)
split_encoder.mistake(
    "OneMore",
    "One block too many is run on each text alone.",
    hint="blocks[: n] holds n blocks. How many is `split`?",
    change={FIRST: "self.encoder.blocks[: self.split + 1]", REST: "self.encoder.blocks[self.split + 1 :]"},
)
split_encoder.mistake(
    "OneLeftOut",
    "A block is left out: it is run neither on one text nor on both.",
    hint="Follow the numbers of the blocks through both loops. Where does the second one begin?",
    change={REST: "self.encoder.blocks[self.split + 1 :]"},
)
split_encoder.mistake(
    "AllAgain",
    "`join` runs all blocks, the first ones a second time.",
    hint="What has `encode_document` done already?",
    change={REST: "self.encoder.blocks"},
)
split_encoder.mistake(
    "Reversed",
    "The first blocks are run in reverse order.",
    hint="What comes after the embedding?",
    change={FIRST: f"{FIRST}[::-1]"},
)
split_encoder.mistake(
    "LastFirst",
    "The last blocks run on one text alone: `split` is counted from the end.",
    hint="Documents are kept as the *first* blocks leave them.",
    change={
        FIRST: "self.encoder.blocks[len(self.encoder.blocks) - self.split :]",
        REST: "self.encoder.blocks[: len(self.encoder.blocks) - self.split]",
    },
)
split_encoder.mistake(
    "FirstWithoutMask",
    "The first blocks get no mask: words attend to their own text's padding.",
    hint="What is kept of a document would depend on the batch in which it was read.",
    change={f"{FIRST}:\n{THROUGH}": f"{FIRST}:\n    x = block(x)"},
)
split_encoder.mistake(
    "QueryMaskForgotten",
    "`join` attends to the padding of the query, which stands in the middle of the row.",
    hint="There are two masks, and one row. Where is its padding?",
    change={MASKS: "[ops.ones_like(query_mask), document_mask]"},
)
split_encoder.mistake(
    "DocumentMaskForgotten",
    "`join` attends to the padding of the document.",
    hint="There are two masks, and one row. Which words may be looked at?",
    change={MASKS: "[query_mask, ops.ones_like(document_mask)]"},
)
split_encoder.mistake(
    "DocumentFirst",
    "The document stands before the query in the joint row: its first token is taken for [CLS].",
    hint="Which of both begins with [CLS]?",
    change={X: "x = ops.concatenate([document, query], axis=1)", MASKS: "[document_mask, query_mask]"},
)
split_encoder.mistake(
    "NeverTogether",
    "After the split, the texts still do not see each other: the joint blocks run on each of them alone.",
    hint="Where does a word of the query meet one of the document?",
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
    "The pooled output is that of the query before the joint blocks.",
    hint="What does [CLS] know of the document there?",
    change={POOLED: "self.encoder.pooler(query[:, 0])"},
)
split_encoder.mistake(
    "PooledLast",
    "The pooled output is that of the row's last token.",
    hint="[CLS] stands at the beginning.",
    change={POOLED: "self.encoder.pooler(x[:, -1])"},
)
split_encoder.mistake(
    "NoPooler",
    "The pooled output has not gone through the pooler.",
    hint="What does `BertEncoder` do with the first token?",
    change={POOLED: "x[:, 0]"},
)
split_encoder.mistake(
    "DropsAhead",
    "Documents are read as in training: dropout makes another vector of a document each time.",
    hint="What is kept should be the same tomorrow. Which argument tells a block that it is not in training?",
    change={EMBEDDED: f"self.encoder.embedding.dropout_layer({EMBEDDED}, training=True)"},
)
split_encoder.mistake(
    "DocumentsStopped",
    "No gradient goes through the documents: they are kept as in use while they are trained, too.",
    hint="What is computed ahead in use must be learned in training.",
    change={DOCUMENT: f"ops.stop_gradient({DOCUMENT})"},
)
