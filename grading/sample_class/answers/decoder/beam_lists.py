def beam_search(step, start_id, end_id, beams, max_length, length_penalty=0.0):
    going_on, finished = [([], 0.0)], []
    for _ in range(max_length):
        if not going_on:
            break
        logs = np.asarray(step(np.array([[start_id, *words] for words, _ in going_on])))
        extended = [
            ([*words, word], total + logs[row, word])
            for row, (words, total) in enumerate(going_on)
            for word in range(logs.shape[1])
        ]
        extended.sort(key=lambda each: -each[1])
        finished += [each for each in extended[:beams] if each[0][-1] == end_id]
        going_on = [each for each in extended if each[0][-1] != end_id][:beams]
    scored = [(total / len(words) ** length_penalty, words) for words, total in finished + going_on]
    score, words = max(scored)
    return words, score
