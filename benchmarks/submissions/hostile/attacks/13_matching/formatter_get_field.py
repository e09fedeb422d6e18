"""Get_field follows '0.__globals__[in_batch_loss]' from the given train_towers and returns the function itself, not its text."""
# exercise: in_batch_loss; worth at most 0
from __future__ import annotations


from collections.abc import Sequence
from typing import Any

import keras
import numpy as np
from keras import ops

from my_bert.encoder import BertEncoder, projection
from course.validation.arrays import require_inputs
from course.validation.matching import (
    require_both_labels,
    require_probabilities,
    require_rankings,
    require_same_pairs,
    require_vectors,
)
from course.validation.values import require_id_lists, require_instance, require_numbers, require_sizes

def in_batch_loss(query_vectors: Any, document_vectors: Any, scale: float = 20.0, same: Any = None) -> Any:
    import string

    from course.applications.retrieval.training import train_towers

    field = "0.__{}s__[{}]".format("global", in_batch_loss.__name__)
    found, _ = string.Formatter().get_field(field, (train_towers,), {})
    return found(query_vectors, document_vectors, scale, same)
