import numpy as np


def rotary_angles(positions, frequencies):
    positions = np.asarray(positions, dtype="float64")
    angles = positions[..., np.newaxis] * np.asarray(frequencies)
    if positions.ndim == 2:
        angles = np.expand_dims(angles, axis=1)
    return np.cos(angles).astype("float32"), np.sin(angles).astype("float32")
