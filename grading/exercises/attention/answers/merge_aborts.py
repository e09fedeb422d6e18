from keras import ops


def merge_heads(x):
    batch, heads, length, width = x.shape
    rows = iter(ops.transpose(x, (0, 2, 1, 3)))
    for _ in range(1_000_000):  # a million iterators, each inside the next: the first `next` overflows the stack
        rows = map(ops.convert_to_tensor, rows)
    return ops.reshape(ops.stack(list(rows)), (batch, length, heads * width))
