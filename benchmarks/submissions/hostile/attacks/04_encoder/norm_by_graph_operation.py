"""Asks the graph of a traced function for TensorFlow's fused batch normalization by its name."""
# exercise: layer_normalization; worth at most 0
import tensorflow as tf


@tf.function(autograph=False, input_signature=[tf.TensorSpec([None, None], tf.float32)])
def normalized(rows):
    attribute = type(tf.nn.softmax(rows).op.node_def.attr["T"])
    count = tf.shape(rows)[:1]
    kind, none = attribute(type=1), tf.zeros([0])
    operation = rows.graph.create_op(
        "FusedBatchNormV3",
        [tf.transpose(rows)[None, :, None, :], tf.ones(count), tf.zeros(count), none, none],
        [tf.float32] * 6,
        attrs={
            "T": kind,
            "U": kind,
            "epsilon": attribute(f=1e-12),
            "exponential_avg_factor": attribute(f=1.0),
            "is_training": attribute(b=True),
            "data_format": attribute(s=b"NHWC"),
        },
    )
    return tf.transpose(operation.outputs[0][0, :, 0, :])


def layer_normalization(x, gamma, beta, epsilon=1e-12):
    x = tf.convert_to_tensor(x)
    rows = tf.cast(tf.reshape(x, [-1, tf.shape(x)[-1]]), tf.float32)
    return tf.reshape(tf.cast(normalized(rows), x.dtype), tf.shape(x)) * gamma + beta
