def causal_mask(length):
    row, rows = 0, []
    while row < length:
        rows.append([column <= row for column in range(length)])
    return ops.array(rows)
