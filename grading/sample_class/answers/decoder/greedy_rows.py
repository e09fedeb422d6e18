def greedy(step, start_ids, end_id, max_length, padding_id=0):
    texts = []
    for start in np.asarray(start_ids):
        text = [int(start)]
        while len(text) <= max_length and (len(text) == 1 or text[-1] != end_id):
            text.append(int(np.asarray(step(np.array([text])))[0].argmax()))
        texts.append(text[1:])
    width = max(map(len, texts))
    return np.array([text + [padding_id] * (width - len(text)) for text in texts])
