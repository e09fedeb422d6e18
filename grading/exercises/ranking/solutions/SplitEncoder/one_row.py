"""Encodes a document after an empty query in the joint row, and cuts it out again."""

from course.ranking import SplitEncoder as Given
from keras import ops


class SplitEncoder(Given):
    def _blocks(self, blocks, x, mask):
        for block in blocks:
            x = block(x, attention_mask=mask[:, None, None, :])
        return x

    def encode_query(self, token_ids, padding_mask):
        x = self.encoder.embedding(token_ids, ops.zeros_like(token_ids))
        return self._blocks(self.encoder.blocks[: self.split], x, padding_mask)

    def encode_document(self, token_ids, padding_mask):
        width = ((0, 0), (self.query_length, 0))
        ids = ops.pad(token_ids, width)
        mask = ops.cast(ops.pad(ops.cast(padding_mask, "int32"), width), "bool")
        x = self.encoder.embedding(ids, ops.ones_like(ids))
        return self._blocks(self.encoder.blocks[: self.split], x, mask)[:, self.query_length :]

    def join(self, query, query_mask, document, document_mask):
        x = ops.concatenate([query, document], axis=1)
        x = self._blocks(self.encoder.blocks[self.split :], x, ops.concatenate([query_mask, document_mask], axis=1))
        return {"sequence_output": x, "pooled_output": self.encoder.pooler(x[:, 0])}
