import numpy as np


def corrupt(token_ids, kind, rate, random, *, probabilities, mask_id, special_ids):
    ids = list(token_ids)
    is_word = [number not in special_ids for number in ids]
    words = [place for place in range(len(ids)) if is_word[place]]
    amount = round(rate * len(words))
    if kind == "reorder":
        windows, window = [], []
        for place in range(len(ids) + 1):
            if place == len(ids) or not is_word[place] or len(window) == 3:
                if window:
                    windows.append(window)
                window = []
            if place < len(ids) and is_word[place]:
                window.append(place)
        result = list(ids)
        for index in random.permutation(len(windows))[: round(rate * len(windows))]:
            for place, source in zip(windows[index], random.permutation(windows[index])):
                result[place] = ids[source]
        return result
    if kind == "infill":
        return infill(ids, is_word, amount, mask_id, random)
    if amount == 0:
        return ids
    if kind == "insert":
        before, behind = [[] for _ in ids], [[] for _ in ids]
        for place in random.integers(0, len(words), amount):
            word = int(random.choice(len(probabilities), p=probabilities))
            side = before if random.random() < 0.5 else behind
            side[words[place]].append(word)
        return [number for place in range(len(ids)) for number in before[place] + [ids[place]] + behind[place]]
    chosen = set(random.permutation(words)[:amount].tolist())
    if kind == "delete":
        return [number for place, number in enumerate(ids) if place not in chosen]
    for place in chosen:
        if kind == "mask":
            ids[place] = mask_id
        else:
            word = ids[place]
            while word == ids[place]:
                word = int(random.choice(len(probabilities), p=probabilities))
            ids[place] = word
    return ids


def infill(ids, is_word, amount, mask_id, random):
    free = list(is_word)
    first_of, gone = set(), set()
    empty = 0
    while amount > 0:
        length = min(int(random.poisson(3)), amount)
        if length == 0:
            empty += 1
            continue
        starts = [place for place in range(len(ids) - length + 1) if all(free[place : place + length])]
        if not starts:
            continue
        start = starts[random.integers(len(starts))]
        first_of.add(start)
        for place in range(start, start + length):
            free[place] = False
            gone.add(place)
        amount -= length
    parts = [[mask_id] if place in first_of else [] if place in gone else [ids[place]] for place in range(len(ids))]
    beside = [place for place in range(len(ids)) if is_word[place] and parts[place]]
    for _ in range(empty):
        part = parts[beside[random.integers(len(beside))]]
        part.insert(0 if random.random() < 0.5 else len(part), mask_id)
    return [number for part in parts for number in part]
