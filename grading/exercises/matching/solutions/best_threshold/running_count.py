"""Loops over the scores in descending order, with two counters."""


def best_threshold(scores, labels, beta=1.0):
    pairs = sorted(zip(scores.tolist(), labels.tolist()), key=lambda pair: -pair[0])
    positives = sum(label for _, label in pairs)
    hits, best = 0, (None, -1.0)
    for number, (score, label) in enumerate(pairs, start=1):
        hits += label
        following = pairs[number][0] if number < len(pairs) else score
        if following == score and number < len(pairs):
            continue
        f = (1 + beta * beta) * hits / (beta * beta * positives + number)
        if f > best[1]:
            best = ((score + following) / 2, f)
    return best
