"""The card of the encoder that comes with the course: what it read, for how long, what it can do and what it cannot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from course.data.datasets.sample_encoder import SAMPLE_ENCODER

CARD = SAMPLE_ENCODER / "README.md"


def card_of(results: Mapping[str, Any]) -> str:
    """The card of the encoder, from what was measured."""
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
        "| how to make it anew | `python -m recipes.sample_encoder`; it goes on where it was killed |",
        "",
        f"SHA-256 of `model.safetensors`: `{hashlib.sha256(file.read_bytes()).hexdigest()}`",
        "",
        "## What it can do",
        "",
        "Of the last 1,000 articles of the sample, which it has not read, 15% of the words are masked as in chapter 5:",
        f"{held_out['words']:,} words. `python -m recipes.sample_encoder_results` measures it anew.",
        "",
        "| | right | loss |",
        "|---|---:|---:|",
        f"| the encoder | {held_out['accuracy']:.1%} | {held_out['loss']:.2f} |",
        f"| who only knows how often each word occurs | {held_out['unigram_accuracy']:.1%} | "
        f"{held_out['unigram_loss']:.2f} |",
        "",
        *gaps(results["sentences"]),
        "",
        "## What it cannot do",
        "",
        "It knows the made-up world of the sample, its few hundred turns of phrase, and no other text. A word that",
        "does not occur there, such as *street* or *coffee*, it reads in pieces and does not understand; of the real",
        "world it knows nothing. The last three sentences show it: it answers them, too, and its probabilities do not",
        "say that it has no idea. What it takes for true stands in made-up articles. It is of no use outside this",
        "course.",
        "",
        "Its text was written for this course, and so it has the course's licence, Apache-2.0.",
    ]
    return "\n".join(lines) + "\n"


def gaps(sentences: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of a table of what was put into gaps, as `fill` gives it."""
    yield "What it puts into ten gaps, before it has read anything and after; each guess with its probability."
    yield from ("", "| | before | after |", "|---|---|---|")
    for sentence in sentences:
        said = (", ".join(f"{piece} {share:.2f}" for piece, share in sentence[name]) for name in ("before", "after"))
        yield f"| {sentence['text'].replace('[MASK]', '**____**')} | {' | '.join(said)} |"
