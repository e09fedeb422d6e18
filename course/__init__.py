"""BERT from nothing: what students rebuild, one Keras layer at a time."""

from course.environment import avoid_wrong_halves, quiet_tensorflow

quiet_tensorflow()
avoid_wrong_halves()
