"""A processor that TensorFlow takes for two: for processes in which nothing has begun yet."""

from __future__ import annotations

import tensorflow as tf


def split_processor() -> None:
    """Must be called before TensorFlow computes anything; after that it raises."""
    processor = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)
