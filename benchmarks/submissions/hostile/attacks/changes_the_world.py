"""Changes seed, precision, backend, warnings and working folder for what comes after; its answer is right."""
import os
import random as dice
import warnings

import keras
import numpy
import tensorflow as tf


def padding_mask(token_ids, padding_id=0):
    keras.utils.set_random_seed(1)
    keras.config.set_dtype_policy("float16")
    keras.config.set_floatx("float64")
    keras.config.set_epsilon(1.0)
    tf.config.run_functions_eagerly(True)
    dice.seed(1)
    numpy.random.seed(1)
    numpy.seterr(all="raise")
    warnings.simplefilter("error")
    os.environ["KERAS_BACKEND"] = "torch"
    os.chdir("/")
    os.umask(0o777)
    return (token_ids != padding_id)[:, None, None, :]
