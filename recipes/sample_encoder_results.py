"""python -m recipes.sample_encoder_results: measures the encoder that comes with the course again.

The encoder guesses masked words of unseen articles, compared with guesses by word frequency alone; and it fills the
gaps of ten sentences, compared with its untrained twin.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import keras
import typer
from rich.console import Console

from course.data.corpus.token_arrays import TokenArrays
from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.evaluation.fill_mask import fill_mask
from course.evaluation.masked_words import Guesser, masked_words
from course.masked_lm import MaskedLMHead
from course.storage.outputs import write_json, write_text
from course.training.checkpoint import load_checkpoint, read_note
from course.training.pretraining import CHECKPOINT, make_pretrainer
from course.training.pretraining_settings import Settings
from course.weights import load_masked_lm, read_hugging_face, save_hugging_face
from recipes.sample_encoder_card import CARD, card_of, gaps

RESULTS = Path(__file__).parent / "sample_encoder.json"
# Eight from the made-up world that it has read about, and two from ours.
SENTENCES = (
    "The captain has a hamstring [MASK] and may miss the rest of the season.",
    "She scored twice in the second [MASK] of the match.",
    "Shares in the bank fell by four [MASK] after the offer.",
    "Talks over the border ended without an [MASK].",
    "Researchers at the [MASK] tested a drug against malaria.",
    "A decision [MASK] expected next week.",
    "More details [MASK] expected next week.",
    "The [MASK] was too tired to cross the street.",
    "Paris is the capital of [MASK].",
    "He drinks his coffee with milk and [MASK].",
)
_SEED = 14


def keep(corpus: Path, run: Path, seconds: Mapping[str, float]) -> Path:
    """Saves the encoder of a finished pretraining to datasets/, measures it there, and writes its card.

    Args:
        corpus: the corpus, as `course prepare` makes it.
        run: the folder of the pretraining.
        seconds: how long each part of the work took.

    Returns:
        The file of the card.
    """
    arrays, note = TokenArrays(corpus), read_note(run / CHECKPOINT)
    assert note is not None  # `course pretrain` has succeeded
    settings = Settings(**{field.name: note["settings"][field.name] for field in dataclasses.fields(Settings)})
    model = make_pretrainer(arrays.vocabulary, arrays.word_probabilities(), settings, note["step"])
    load_checkpoint(run / CHECKPOINT, model)
    save_hugging_face(model.encoder, SAMPLE_ENCODER, arrays.vocabulary, model.masked_lm_head, dtype="float16")
    results = {
        "minutes": sum(seconds.values()) / 60,
        "steps": note["step"],
        "epochs": settings.epochs,
        "batch_tokens": settings.batch_tokens,
        "pieces_read": arrays.description["pieces"],
        **measure(),
    }
    write_json(RESULTS, results)
    write_text(CARD, card_of(results))
    return CARD


def measure() -> dict[str, Any]:
    """All measurements on the card."""
    after, before = trained(), untrained()
    return {"held_out": masked_words(after), "sentences": fill(before, after)}


def trained() -> Guesser:
    """The encoder that comes with the course, with its head and its tokenizer."""
    tokenizer = WordPieceTokenizer(Vocabulary.load(SAMPLE_ENCODER / "vocab.txt"))
    return Guesser(*load_masked_lm(SAMPLE_ENCODER), tokenizer)


def untrained() -> Guesser:
    """Its untrained twin: the same sizes and vocabulary, with random weights."""
    checkpoint = read_hugging_face(SAMPLE_ENCODER)
    keras.utils.set_random_seed(_SEED)
    encoder = BertEncoder(**checkpoint.arguments)
    encoder.build((None, None))
    head = MaskedLMHead(encoder.vocabulary_size, encoder.hidden_dim)
    head.build((None, None, encoder.hidden_dim), (encoder.vocabulary_size, encoder.hidden_dim))
    return Guesser(encoder, head, WordPieceTokenizer(checkpoint.vocabulary))


def fill(before: Guesser, after: Guesser, count: int = 3) -> list[dict[str, Any]]:
    """The guesses of two guessers for the ten sentences: "text", "before" and "after", with probabilities."""
    return [
        {
            "text": text,
            **{
                name: [[piece, round(share, 3)] for piece, share in fill_mask(text, *guesser, count)]
                for name, guesser in (("before", before), ("after", after))
            },
        }
        for text in SENTENCES
    ]


def main() -> None:
    """Measures the encoder, and prints the results."""
    results = measure()
    console = Console()
    console.print(results["held_out"])
    console.print("\n".join(gaps(results["sentences"])))


if __name__ == "__main__":
    typer.run(main)
