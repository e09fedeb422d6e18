import numpy as np


def pack_documents(documents, length, cls_id, sep_id, padding_id=0):
    def chunks():
        for number, document in enumerate(documents, start=1):
            for sentence in document:
                rest = tuple(sentence)
                while rest:
                    yield number, rest[: length - 2]
                    rest = rest[length - 2 :]

    def rows():
        ids, owners = [], []
        for number, chunk in chunks():
            if ids and len(ids) + len(chunk) + 1 + (owners[-1] != number) > length:
                yield ids + [sep_id], owners + [owners[-1]]
                ids, owners = [], []
            if not ids:
                ids, owners = [cls_id], [number]
            elif owners[-1] != number:
                ids, owners = ids + [sep_id], owners + [owners[-1]]
            ids, owners = ids + list(chunk), owners + [number] * len(chunk)
        yield ids + [sep_id], owners + [owners[-1]]

    all_rows = list(rows())
    pad = lambda row, value: np.pad(row, (0, length - len(row)), constant_values=value)
    token_ids = np.stack([pad(ids, padding_id) for ids, _ in all_rows])
    document_ids = np.stack([pad(owners, 0) for _, owners in all_rows])
    return token_ids.astype("int32"), document_ids.astype("int32")
