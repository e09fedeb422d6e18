"""A small BERT of Hugging Face's library, whose numbers our models must reproduce."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

VOCABULARY_SIZE, HIDDEN_DIM = 23, 24


def published(folder: Path, kind: str, **options: Any) -> Any:
    """Return a model in evaluation mode with large random weights, and save its encoder in a folder.

    Args:
        folder: an empty one.
        kind: the name of its class, such as "BertModel".
        **options: of its `BertConfig`, such as `max_position_embeddings`.
    """
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    torch.manual_seed(5)
    config = transformers.BertConfig(
        vocab_size=VOCABULARY_SIZE,
        hidden_size=HIDDEN_DIM,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=28,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.5,
        **options,
    )
    model = getattr(transformers, kind)(config).eval()
    getattr(model, "bert", model).save_pretrained(folder)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqr"]
    (folder / "vocab.txt").write_text("\n".join(pieces))
    return model


def outputs_of(
    model: Any, token_ids: np.ndarray, segment_ids: np.ndarray, padding_mask: np.ndarray, **more: np.ndarray
) -> Any:
    """Return the model's outputs for the inputs of ours, and for others that it takes, such as `labels`."""
    import torch

    given = {"input_ids": token_ids, "token_type_ids": segment_ids, "attention_mask": padding_mask, **more}
    with torch.no_grad():
        return model(**{name: torch.tensor(array, dtype=torch.long) for name, array in given.items()})
