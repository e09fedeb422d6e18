"""One helper loops over the block numbers."""

from course.ranking import SplitEncoder as Given
from keras import ops


class SplitEncoder(Given):
    def run(self, x, mask, first, last):
        for number in range(first, last):
            x = self.encoder.blocks[number](x, attention_mask=ops.reshape(mask, (ops.shape(mask)[0], 1, 1, -1)))
        return x

    def encode_query(self, token_ids, padding_mask):
        return self.run(self.embed(token_ids, 0, 0), padding_mask, 0, self.split)

    def encode_document(self, token_ids, padding_mask):
        return self.run(self.embed(token_ids, start=self.query_length, segment=1), padding_mask, 0, self.split)

    def join(self, query, query_mask, document, document_mask):
        both = ops.concatenate((query, document), 1)
        mask = ops.concatenate((query_mask, document_mask), 1)
        x = self.run(both, mask, self.split, len(self.encoder.blocks))
        return {"sequence_output": x, "pooled_output": self.encoder.pooler(x[:, 0, :])}
