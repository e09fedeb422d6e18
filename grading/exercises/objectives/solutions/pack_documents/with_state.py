import numpy as np


def pack_documents(documents, length, cls_id, sep_id, padding_id=0):
    rows = []  # lists of (id, document)
    row = []
    for k, document in enumerate(documents, 1):
        for sentence in document:
            sentence = list(sentence)
            while sentence:
                part, sentence = sentence[: length - 2], sentence[length - 2 :]
                if row and row[-1][1] == k:
                    needed = len(part)  # the separator moves
                else:
                    needed = len(part) + 1
                if row and len(row) + needed > length:
                    rows.append(row)
                    row = []
                if not row:
                    row = [(cls_id, k)]
                elif row[-1][1] == k:
                    row.pop()
                row = row + [(piece, k) for piece in part] + [(sep_id, k)]
    rows.append(row)
    filled = np.array([row + [(padding_id, 0)] * (length - len(row)) for row in rows], dtype="int32")
    return filled[:, :, 0], filled[:, :, 1]
