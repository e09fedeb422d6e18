"""BERT from nothing: what students rebuild, one Keras layer at a time."""

from course.environment import quiet_tensorflow

quiet_tensorflow()
