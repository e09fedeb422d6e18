def duo_rank(candidates, compare, batch_size=32):
    candidates = np.asarray(candidates)
    scores = np.zeros(len(candidates))
    for place, one in enumerate(candidates):
        others = np.delete(candidates, place)
        for begin in range(0, len(others), batch_size):
            some = others[begin : begin + batch_size]
            scores[place] += np.asarray(compare(np.repeat(one, len(some)), some)).sum()
    order = np.argsort(-scores, kind="stable")
    return candidates[order], scores[order]
