from keras import ops


def rotary_angles(positions, frequencies):
    positions = ops.cast(ops.convert_to_tensor(positions), "float32")
    angles = ops.einsum("...l,f->...lf", positions, ops.cast(frequencies, "float32"))
    if len(positions.shape) > 1:
        angles = ops.expand_dims(angles, 1)
    return ops.cos(angles), ops.sin(angles)
