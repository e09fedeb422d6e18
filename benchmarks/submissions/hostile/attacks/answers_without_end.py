"""Returns containers that never end or that hold themselves, and numbers of a million digits."""
calls = []


class Endless(tuple):
    def __iter__(self):
        while True:
            yield 1


def padding_mask(token_ids, padding_id=0):
    calls.append(1)
    if len(calls) == 1:
        itself = []
        itself.append(itself)
        return [itself, 10**1_000_000, Endless()]
    return Endless()
