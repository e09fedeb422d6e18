"""Returns a list of 820 kB that would be an array of 16 GB, because all its texts would be as wide as the first."""


def padding_mask(token_ids, padding_id=0):
    return ["a" * 20_000] + [""] * 200_000
