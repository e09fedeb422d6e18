"""Pictures of the hard ideas, which the lessons show in their texts: `python -m course.pictures` draws them all again.

The drawn files stand beside the lessons, so building the notebooks needs neither TensorFlow nor the same fonts.
"""

from __future__ import annotations

from collections.abc import Callable

from course.pictures.beam import beam
from course.pictures.flows import classifier, masked_word, pretraining_step, split_encoder
from course.pictures.grids import bpe_merges, max_similarity, pair_packing, split_heads
from course.plots import Picture

# By the name of the file, without its ending.
DRAWINGS: dict[str, Callable[[], Picture]] = {
    "beam": beam,
    "bpe_merges": bpe_merges,
    "classifier": classifier,
    "masked_word": masked_word,
    "max_similarity": max_similarity,
    "pair_packing": pair_packing,
    "pretraining_step": pretraining_step,
    "split_encoder": split_encoder,
    "split_heads": split_heads,
}
