"""The card of the encoder that comes with the course: its training data and time, its abilities and its limits."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from course.data.datasets.sample_encoder import SAMPLE_ENCODER

CARD = SAMPLE_ENCODER / "README.md"


def card_of(results: Mapping[str, Any]) -> str:
    """The card of the encoder, from its results."""
    file = SAMPLE_ENCODER / "model.safetensors"
    config = json.loads((SAMPLE_ENCODER / "config.json").read_text(encoding="utf-8"))
    held_out = results["held_out"]
    lines = [
        "# The small encoder that comes with the course",
        "",
        f"A BERT of {config['num_hidden_layers']} layers of {config['hidden_size']} features and "
        f"{config['num_attention_heads']} heads, with a vocabulary of {config['vocab_size']:,} pieces and its head for",
        "masked words. Chapters 5, 7 and 8 fill gaps with it, look at its heads, and fine-tune it.",
        "",
        "    from course.data.datasets.sample_encoder import SAMPLE_ENCODER",
        "    from course.weights import load_masked_lm",
        "    encoder, head = load_masked_lm(SAMPLE_ENCODER)",
        "",
        "It is a folder as Hugging Face's library writes them; its `AutoModelForMaskedLM` loads it, too.",
        "",
        "| | |",
        "|---|---|",
        f"| what it read | the first 4,000 articles of the sample, {results['pieces_read']:,} pieces, "
        f"{results['epochs']:g} times, and nothing else |",
        f"| for how long | {results['steps']:,} steps of at most {results['batch_tokens']:,} tokens, "
        f"{results['minutes']:.0f} minutes on one core |",
        f"| size | {file.stat().st_size / 1e6:.1f} MB, in half precision |",
        "| how to rebuild it | `python -m recipes.sample_encoder`, which resumes after a kill |",
        "",
        f"SHA-256 of `model.safetensors`: `{hashlib.sha256(file.read_bytes()).hexdigest()}`",
        "",
        "## What it can do",
        "",
        "Of the last 1,000 articles of the sample, which it has not read, 15% of the words are masked as in chapter 5:",
        f"{held_out['words']:,} words. `python -m recipes.sample_encoder_results` repeats the measurement.",
        "",
        "| | right | loss |",
        "|---|---:|---:|",
        f"| the encoder | {held_out['accuracy']:.1%} | {held_out['loss']:.2f} |",
        f"| word frequencies alone | {held_out['unigram_accuracy']:.1%} | {held_out['unigram_loss']:.2f} |",
        "",
        *gaps(results["sentences"]),
        "",
        "## What it cannot do",
        "",
        "It has read only the made-up world of the sample, with its few hundred turns of phrase. It reads a word that",
        "does not occur there, such as *Paris* or *coffee*, in pieces, and does not understand it. It knows nothing",
        "of the real world. The last two sentences show this: it answers them, too, and its probabilities do not",
        "show that it has no idea. What it takes for true comes from made-up articles. It is of no use outside this",
        "course.",
        "",
        "It does not resolve pronouns. Every second article that it read has a sentence such as *At the river, a cow",
        "turned back because it appeared too deep*, and yet no head looks from *it* at the noun that the adjective",
        "fits, as chapter 7 measures.",
        "",
        "Its text was written for this course, so it has the course's licence, Apache-2.0.",
    ]
    return "\n".join(lines) + "\n"


def gaps(sentences: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of a table of guesses for gaps, as `fill` returns them."""
    yield "Its guesses for ten gaps, before and after pretraining, each with its probability."
    yield from ("", "| | before | after |", "|---|---|---|")
    for sentence in sentences:
        guesses = (", ".join(f"{piece} {share:.2f}" for piece, share in sentence[name]) for name in ("before", "after"))
        yield f"| {sentence['text'].replace('[MASK]', '**____**')} | {' | '.join(guesses)} |"
