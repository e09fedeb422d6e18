from itertools import groupby

import numpy as np


def pack_documents(documents, length, cls_id, sep_id, padding_id=0):
    """Assigns parts to rows first, then writes the rows."""
    parts = []
    for number, document in enumerate(documents):
        for sentence in document:
            for start in range(0, len(sentence), length - 2):
                parts.append((number + 1, sentence[start : start + length - 2]))

    def size(row):
        return 1 + sum(len(part) for _, part in row) + len({number for number, _ in row})

    rows = [[]]
    for part in parts:
        if size(rows[-1] + [part]) > length:
            rows.append([])
        rows[-1].append(part)

    token_ids = np.full((len(rows), length), padding_id, dtype=np.int32)
    document_ids = np.zeros((len(rows), length), dtype=np.int32)
    for index, row in enumerate(rows):
        ids, owners = [cls_id], [row[0][0]]
        for number, of_document in groupby(row, key=lambda part: part[0]):
            pieces = [piece for _, part in of_document for piece in part] + [sep_id]
            ids.extend(pieces)
            owners.extend([number] * len(pieces))
        token_ids[index, : len(ids)] = ids
        document_ids[index, : len(owners)] = owners
    return token_ids, document_ids
