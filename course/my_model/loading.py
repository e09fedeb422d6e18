"""Loads the learner's model where there is one, else the encoder that comes with the course."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from course.errors import CourseError
from course.my_model.folder import digest_of, my_model, read_progress

if TYPE_CHECKING:  # these take seconds to import, and the process that trains begins without them
    from course.data.text.wordpiece import WordPieceTokenizer
    from course.encoder import BertEncoder
    from course.masked_lm import MaskedLMHead

_SHORTEST = 128  # tokens that the lessons let it read


class Loaded(NamedTuple):
    """A pretrained encoder, and all that is needed to read with it.

    Attributes:
        name: "yours", or "the course's".
        folder: where it is, in the format of published weights. A training that goes on replaces its files.
        encoder: built.
        head: its head for masked words.
        tokenizer: has its vocabulary.
    """

    name: str
    folder: Path
    encoder: BertEncoder
    head: MaskedLMHead
    tokenizer: WordPieceTokenizer

    @property
    def is_yours(self) -> bool:
        """Whether it is the learner's own."""
        return self.name == "yours"


def load(encoder_class: type[BertEncoder] | None = None, head_class: type[MaskedLMHead] | None = None) -> Loaded:
    """Load your model from `my_model/`; without one that can be read, the encoder that comes with the course.

    It prints one line that says which of the two it is, and why.

    Args:
        encoder_class, head_class: the classes to load it into, such as your own. None: the course's.
    """
    from course.data.datasets.sample_encoder import SAMPLE_ENCODER
    from course.encoder import BertEncoder
    from course.weights import load_masked_lm
    from course.weights.files import CONFIG

    encoder_class = encoder_class or BertEncoder
    folder = my_model()
    try:
        if folder is None or not (folder / CONFIG).is_file():
            raise CourseError(f"there is no model in {folder or 'my_model'}/ (chapter 7 trains one)")
        name, said = "yours", _about(folder)
        encoder, head = load_masked_lm(folder, encoder_class, head_class)
        tokenizer = _tokenizer(folder)
        _require_fit(folder, encoder, tokenizer)
        if sizes := _other_sizes(encoder):
            said += f". It has {sizes}, so it is no twin of the course's"
    except (CourseError, OSError, ValueError) as error:  # a WeightsError is a ValueError
        name, folder, said = "the course's", SAMPLE_ENCODER, f"{error}"
        encoder, head = load_masked_lm(folder, encoder_class, head_class)
        tokenizer = _tokenizer(folder)
    print(f"{name}: {said.rstrip('.')}.")
    return Loaded(name, folder, encoder, head, tokenizer)


def _tokenizer(folder: Path) -> WordPieceTokenizer:
    from course.data.text.wordpiece import WordPieceTokenizer
    from course.weights.files import read_lowercase, read_vocabulary

    vocabulary = read_vocabulary(folder)
    return WordPieceTokenizer(vocabulary, vocabulary.drops_case(read_lowercase(folder)))


def _about(folder: Path) -> str:
    progress = read_progress(folder)
    if progress is None:
        return f"{folder}"
    return f"{folder}, {progress.step:,} of {progress.total:,} steps, {progress.duration}"


def _require_fit(folder: Path, encoder: BertEncoder, tokenizer: WordPieceTokenizer) -> None:
    pieces, progress = tokenizer.vocabulary, read_progress(folder)
    if len(pieces) != encoder.vocabulary_size:
        raise CourseError(
            f"{folder}/vocab.txt has {len(pieces):,} pieces, and the model knows {encoder.vocabulary_size:,}; "
            "copy the whole folder again"
        )
    if progress is not None and progress.vocabulary and progress.vocabulary != digest_of(pieces):
        raise CourseError(
            f"{folder}/vocab.txt is not the vocabulary that the model was trained with; copy the whole folder again"
        )
    if encoder.max_length < _SHORTEST:
        raise CourseError(
            f"{folder} reads {encoder.max_length} tokens, and the lessons let it read {_SHORTEST}; "
            "train one with my_model.start(), in another folder"
        )


def _other_sizes(encoder: BertEncoder) -> str:
    """Return the sizes of an encoder if they are not the course's."""
    sizes = (encoder.num_layers, encoder.hidden_dim)
    return "" if sizes == (4, 128) else f"{sizes[0]} layers of {sizes[1]} features, not 4 of 128"
