def SCALE(width):
    return 1 / math.sqrt(width)


def stable_softmax(scores, mask):
    if mask is not None:
        scores = ops.where(mask, scores, VERY_SMALL)
    scores = ops.exp(scores - ops.max(scores, axis=-1, keepdims=True))
    return scores / ops.sum(scores, axis=-1, keepdims=True)


VERY_SMALL = -1e9
