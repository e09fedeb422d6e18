"""Never ends, inside of a compiled function, with all signals blocked."""
import signal

import tensorflow as tf


@tf.function
def spin():
    count = tf.constant(0)
    while tf.constant(True):
        count += 1
    return count


def padding_mask(token_ids, padding_id=0):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    return spin()
