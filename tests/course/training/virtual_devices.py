"""Let TensorFlow see one processor as two, in a process in which it has computed nothing yet."""

from __future__ import annotations

import tensorflow as tf


def split_processor() -> None:
    """Split the processor. This raises once TensorFlow has computed anything."""
    processor = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)
