"""Loops over all blocks, and skips those of the other part."""

from course.ranking import SplitEncoder as Given
from keras import ops


class SplitEncoder(Given):
    def encode_query(self, token_ids, padding_mask):
        x = self.embed(token_ids, 0, 0)
        for number, block in enumerate(self.encoder.blocks):
            if number < self.split:
                x = block(x, attention_mask=padding_mask[:, None, None])
        return x

    def encode_document(self, token_ids, padding_mask):
        x = self.embed(token_ids, self.query_length, 1)
        for number, block in enumerate(self.encoder.blocks):
            if number < self.split:
                x = block(x, attention_mask=padding_mask[:, None, None])
        return x

    def join(self, query, query_mask, document, document_mask):
        x = ops.concatenate([query, document], axis=-2)
        allowed = ops.concatenate([query_mask, document_mask], axis=-1)[:, None, None]
        for number, block in enumerate(self.encoder.blocks):
            if number >= self.split:
                x = block(x, attention_mask=allowed)
        return {"pooled_output": self.encoder.pooler(x[:, 0]), "sequence_output": x}
