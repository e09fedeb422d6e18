import math

from keras import ops


def rotary_angles(positions, frequencies):
    positions = ops.expand_dims(ops.cast(positions, "float32"), -1)
    angles = ops.multiply(positions, ops.cast(frequencies, "float32"))
    if ops.ndim(positions) == 3:
        shape = ops.shape(angles)
        angles = ops.reshape(angles, (shape[0], 1, shape[1], shape[2]))
    return ops.sin(angles + math.pi / 2), ops.sin(angles)
