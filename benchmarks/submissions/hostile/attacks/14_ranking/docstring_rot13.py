"""The function's docstring is rot13 of a program; a codec decodes it, and dataclasses.make_dataclass runs it as the text of a default's annotation through its own exec."""
# exercise: duo_rank; worth at most 0
from __future__ import annotations


from collections.abc import Callable, Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from my_bert.encoder import BertEncoder, projection
from course.given.word_vectors import NearestVectors, stacked, unit_vectors, words_of_pairs
from course.validation.arrays import require_inputs
from course.validation.ranking import (
    require_answers,
    require_bins,
    require_candidates,
    require_index,
    require_kernels,
    require_masked,
    require_pairs,
    require_similarity,
    require_split,
    require_standardization,
    require_token_vectors,
)
from course.validation.values import require_instance, require_sizes
import codecs
import dataclasses


def duo_rank(candidates, compare, batch_size=32):
    """__vzcbeg__('pbhefr.enaxvat').enaxvat.qhb_enax(*tvira)"""
    given = candidates, compare, batch_size
    text = codecs.decode(duo_rank.__doc__, "rot_13")
    made = dataclasses._create_fn("found", ("given",), ["return " + text], globals=globals())
    return made(given)
