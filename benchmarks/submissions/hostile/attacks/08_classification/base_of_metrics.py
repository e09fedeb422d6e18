"""Has Keras deserialize the private base of its IoU metrics, which counts a confusion matrix."""
# exercise: confusion_matrix; worth at most 0
import keras
import numpy as np


def confusion_matrix(labels, predictions, num_classes):
    base = {"module": "keras.src.metrics.iou_metrics", "class_name": "_IoUBase"}
    metric = keras.activations.get({**base, "config": {"num_classes": int(num_classes)}})
    metric.update_state(labels, predictions)
    return np.asarray(metric.total_cm).astype("int64")
