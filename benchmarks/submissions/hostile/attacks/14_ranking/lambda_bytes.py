"""Keras's func_load makes a function of base64 text, as a Lambda layer's configuration is loaded; the text calls the course's max_sim."""
# exercise: max_sim; worth at most 0
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

_BYTES = "4wQAAAAAAAAAAAAAAAYAAAADAAAA83IAAACXAHQBAAAAAAAAAAAAAGQBpgEAAKsBAAAAAAAAAACgAQAAAAAAAAAAAAAAAAAAAAAAAAAAZAKmAQAAqwEAAAAAAAAAAKACAAAAAAAAAAAAAAAAAAAAAAAAAAB8AHwBfAJ8A6YEAACrBAAAAAAAAAAAUwApA07aCWltcG9ydGxpYnoOY291cnNlLnJhbmtpbmcpA9oKX19pbXBvcnRfX9oNaW1wb3J0X21vZHVsZdoHbWF4X3NpbSkE2gFx2gFk2gFt2gFucwQAAAAgICAg+gM8bD76CDxsYW1iZGE+cgsAAAABAAAAczUAAACAAJU6mGvREyrUEyrXEzjSEzjQOUnRE0rUE0rXE1LSE1LQU1TQVlfQWVrQXF3RE17UE16AAPMAAAAA"

def max_sim(query_vectors: Any, document_vectors: Any, query_mask: Any, document_mask: Any) -> Any:
    from keras.src.utils import python_utils

    function = python_utils.func_load(_BYTES)
    return function(query_vectors, document_vectors, query_mask, document_mask)
