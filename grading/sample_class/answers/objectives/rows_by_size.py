def pack_documents(documents, length, cls_id, sep_id, padding_id=0):
    rows = []  # of lists of (document, pieces)
    for number, document in enumerate(documents, start=1):
        for sentence in document:
            for start in range(0, len(sentence), length - 2):
                part = (number, list(sentence[start : start + length - 2]))
                size = 1 + sum(len(pieces) for _, pieces in rows[-1] + [part]) if rows else length
                separators = len({owner for owner, _ in rows[-1] + [part]}) if rows else 1
                if size + separators > length:
                    rows.append([])
                rows[-1].append(part)
    token_ids, document_ids = [], []
    for row in rows:
        ids, owners = [cls_id], [row[0][0]]
        for index, (owner, pieces) in enumerate(row):
            is_last = index + 1 == len(row) or row[index + 1][0] != owner
            ids += pieces + [sep_id] * is_last
            owners += [owner] * (len(pieces) + is_last)
        token_ids.append(ids + [padding_id] * (length - len(ids)))
        document_ids.append(owners + [0] * (length - len(owners)))
    return np.array(token_ids, "int32"), np.array(document_ids, "int32")
