def pseudo_labels(teacher, inputs, batch_size=64, threshold=0.0, soft=True, exclude=None):
    def text(source, row):
        return tuple(source["token_ids"][row][np.asarray(source["padding_mask"][row], bool)].tolist())

    forbidden = {text(exclude, row) for row in range(len(exclude["token_ids"]))} if exclude is not None else set()
    scores = ops.convert_to_numpy(ops.softmax(predict(teacher, inputs, batch_size), axis=-1))
    kept = [row for row, p in enumerate(scores) if p.max() >= threshold and text(inputs, row) not in forbidden]
    kept = np.array(kept, dtype="int64")
    return kept, scores[kept] if soft else scores[kept].argmax(axis=-1)
