def dequantize(levels, scale, zero_point):
    steps = ops.subtract(ops.cast(levels, "int32"), ops.cast(zero_point, "int32"))
    return ops.multiply(ops.cast(steps, "float32"), scale)
