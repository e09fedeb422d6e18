"""Returns a gigabyte, as one array, as many, and as an array that only claims to be so large."""
import numpy

calls = []


def padding_mask(token_ids, padding_id=0):
    calls.append(1)
    if len(calls) == 1:
        return numpy.broadcast_to(numpy.float64(1), (1 << 20, 1 << 20))
    return [numpy.ones((1 << 22,)) for _ in range(30)]
