"""BERT-base on a GPU: ours on JAX beside Hugging Face's on PyTorch; then a pretraining and a fine-tuning by the clock.

Masked words and next sentences, on full rows of 128 and of 512 tokens, in bfloat16; dropout 0.1, and of attention
weights 0.1 or none; AdamW with clipping. Hugging Face's is compiled, with fused attention and its masked places
gathered. The share is that of the peak which a product of large matrices reaches here, and counts only products of
matrices. Then BERT-mini is pretrained for two minutes on AG News, or without it on the course's sample, and fine-tuned.

If the first row names no card, there was none: everything ran at tiny sizes in float32 on a processor, with nothing
compiled for PyTorch. Such a table shows that the benchmark runs, and no more. `python -m benchmarks.wheels` collects
what a machine needs that has only JAX and PyTorch, and no network.

A processor already shows some of the obstacles on a card:

- Measurements used to be fetched after each step, and the next step waited. On JAX, training now waits for them only at
  the end of a row of the history; a test counts it.
- JAX's cheaper random generators, `rbg` and `unsafe_rbg`, do not work: Keras 3.15 makes keys of two words, and they
  need four. With the remaining generator, dropout of attention weights costs 59 operations per number, 495 million for
  64 rows of 128 tokens with 8 heads; `--attention-dropout 0` avoids them.
- On a processor, XLA compiles `keras.ops.dot_product_attention` to the same as chapter 3's formula: with gradients, 4
  rows of 512 tokens with 12 heads in bfloat16 need 176 and 170 MB. Only a card has a fused kernel, which keeps no
  scores.
- No function of JAX or Keras for that kernel drops weights. With BERT's dropout of 0.1, chapter 3's layer computes as
  in the lesson. With an attention dropout of 0, `course.training.fused_attention` asks for the kernel, and the
  benchmark measures both sides that way, too. JAX compiles such a step even for a card that is not there; a test sees
  that it calls cuDNN forwards and backwards. With a mask over keys, (batch, 1, 1, key), Keras 3.15 logs an error and
  does not use the kernel; a mask with a row for each query helps. For an odd number of tokens, JAX has no gradients of
  the kernel.
- For the gradients of one layer of attention, 64 rows of 512 tokens with 12 heads in bfloat16, JAX keeps 3,078 MB with
  dropout, 2,474 MB without, and 342 MB with the kernel: before XLA simplifies anything, and without a card.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.gpu_training import pretrain_and_finetune
from benchmarks.turns import Goal, Times, Work, take_turns

GOALS: list[Goal] = [
    ("ours_short", "hugging_face_short", 1.2),
    ("ours_long", "hugging_face_long", 1.2),
    ("ours_short_undropped", "hugging_face_short_undropped", 1.2),
    ("ours_long_undropped", "hugging_face_long_undropped", 1.2),
]
ATTENTION_DROPOUT = 0.1  # of those that are not called undropped
SHARE_OF_PEAK = 0.45


@dataclass(frozen=True)
class Scale:
    """The sizes of models, batches and trainings.

    Attributes:
        preset: of the models in the table.
        pieces: in their vocabulary.
        short, long: rows of a batch, and their length.
        dtype: "mixed_bfloat16" or "float32".
        steps: training steps per turn.
        turns: how many turns each contender has.
        matrix: rows and columns of the matrices whose product measures the peak.
        trained: the preset that is pretrained and fine-tuned.
        seconds: the time of the pretraining.
        articles: how many articles the fine-tuning reads; None for all.
    """

    preset: str
    pieces: int
    short: tuple[int, int]
    long: tuple[int, int]
    dtype: str
    steps: int
    turns: int
    matrix: int
    trained: str
    seconds: float
    articles: int | None


CARD = Scale("base", 30522, (256, 128), (64, 512), "mixed_bfloat16", 20, 3, 8192, "mini", 120.0, None)
REHEARSAL = Scale("tiny", 500, (6, 16), (3, 32), "float32", 4, 2, 256, "tiny", 5.0, 300)


def card() -> str:
    """The name of the GPU; "" if there is none."""
    if shutil.which("nvidia-smi") is None:
        return ""
    asked = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    # If the driver is not loaded, the output is a message instead of a name.
    return done.stdout.partition("\n")[0].strip() if done.returncode == 0 else ""


def scale() -> Scale:
    """The scale of the table, or of its rehearsal."""
    return CARD if card() else REHEARSAL


def measure() -> list[dict[str, Any]]:
    """A row for the peak, one for each contender and length, and one for each training."""
    of = scale()
    environment = {"KERAS_BACKEND": "jax", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    peak = take_turns("benchmarks.gpu", [("peak", "peak", 0.0)], of.turns, environment)["peak"].speed
    rows = [_row("product of matrices", card() or "no card: a processor", f"{peak / 1e12:,.3g} TFLOP/s")]
    for ours, theirs, goal in GOALS:
        times = take_turns("benchmarks.gpu", [(ours, theirs, goal)], of.turns, environment)
        shape = of.short if "short" in ours else of.long
        what = f"BERT-{of.preset}, {shape[0]} x {shape[1]} tokens, {of.dtype.removeprefix('mixed_')}"
        what += ", no weight of attention dropped" if ours.endswith("undropped") else ""
        rows += _contenders(
            what, flops_a_token(of.preset, of.pieces, shape[1]) / peak, times[ours], times[theirs], goal
        )
    with tempfile.TemporaryDirectory() as folder:
        trainings = pretrain_and_finetune(Path(folder), of.trained, of.seconds, of.articles, of.dtype, environment)
    return rows + [_row(what, "ours", result, speed) for what, result, speed in trainings]


def _contenders(what: str, peaks: float, ours: Times, theirs: Times, goal: float) -> list[dict[str, Any]]:
    ratio = ours.speed / theirs.speed
    goals = {"goal": f"{goal} times; {SHARE_OF_PEAK:.0%} of the peak"}
    return [
        _row(what, "ours, JAX", f"{ratio:.2f} times Hugging Face's", ours, peaks) | goals,
        _row(what, "Hugging Face, PyTorch", "", theirs, peaks),
    ]


def _row(what: str, who: str, result: str, times: Times | float | None = None, peaks: float = 0.0) -> dict[str, Any]:
    """A row of the table.

    Args:
        what, who, result: the texts of these columns.
        times: the times of a contender, or only its tokens per second.
        peaks: the share of the peak for one token per second.
    """
    speed = times.speed if isinstance(times, Times) else times
    return {
        "what": what,
        "who": who,
        "tokens/s": "" if speed is None else speed,
        "share of the peak": f"{speed * peaks:.1%}" if speed and peaks else "",
        "MB on the card": round(times.device_megabytes) if isinstance(times, Times) and times.device_megabytes else "",
        "result": result,
        "goal": "",
    }


def flops_a_token(preset: str, pieces: int, length: int) -> float:
    """The multiplications and additions in matrix products for one token of a training step.

    The backward pass needs twice as many as the forward pass. The vocabulary is scored at the masked places only.
    """
    from course.presets import sizes_of

    sizes = sizes_of(preset)
    width, inner = sizes["hidden_dim"], sizes["intermediate_dim"]
    block = 8 * width**2 + 4 * width * inner + 4 * length * width
    head = 0.15 * 2 * width * (width + pieces)
    return 3.0 * (sizes["num_layers"] * block + head)


def peak() -> Work:
    """A product of square matrices, in the dtype of the table. It counts operations."""
    import torch

    size, on_card = scale().matrix, torch.cuda.is_available()
    kind = torch.bfloat16 if scale().dtype == "mixed_bfloat16" else torch.float32
    left, right = (torch.randn(size, size, device="cuda" if on_card else "cpu", dtype=kind) for _ in range(2))

    def work() -> float:
        times = 50
        for _ in range(times):
            left @ right
        if on_card:
            torch.cuda.synchronize()
        return times * 2.0 * size**3

    return work


def device_megabytes() -> float:
    """The peak memory of this process on the GPU."""
    if "torch" in sys.modules:  # checked first, because Keras imports JAX whenever it is the backend
        import torch

        return torch.cuda.max_memory_allocated() / 1e6 if torch.cuda.is_available() else 0.0
    import jax

    return max((device.memory_stats() or {}).get("peak_bytes_in_use", 0) for device in jax.local_devices()) / 1e6


def _ours(rows: int, length: int, attention_dropout: float) -> Work:
    import numpy as np

    from benchmarks.training import random_arrays
    from course.data.text.vocabulary import Vocabulary
    from course.tokenization import SPECIAL_TOKENS
    from course.training.pretraining import make_pretrainer
    from course.training.pretraining_settings import Settings

    of = scale()
    vocabulary = Vocabulary([*SPECIAL_TOKENS, *map(str, range(of.pieces - len(SPECIAL_TOKENS)))])
    words = np.arange(of.pieces) >= len(SPECIAL_TOKENS)
    settings = Settings(of.preset, max_length=length, attention_dropout=attention_dropout, dtype=of.dtype)
    model = make_pretrainer(vocabulary, words / words.sum(), settings, 1000)
    arrays = random_arrays(rows, length, of.pieces)
    batch = ({name: arrays[name] for name in ("token_ids", "segment_ids")}, arrays["labels"])

    def work() -> float:
        model.fit((batch for _ in range(of.steps)), steps_per_epoch=of.steps, verbose=0)  # its end waits for the card
        return of.steps * rows * length

    return work


def _hugging_face(rows: int, length: int, attention_dropout: float) -> Work:
    import torch
    from transformers import BertConfig, BertForPreTraining

    from benchmarks.training import random_arrays
    from course.presets import sizes_of

    of, sizes = scale(), sizes_of(scale().preset)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    config = BertConfig(
        vocab_size=of.pieces,
        num_hidden_layers=sizes["num_layers"],
        num_attention_heads=sizes["num_heads"],
        hidden_size=sizes["hidden_dim"],
        intermediate_size=sizes["intermediate_dim"],
        max_position_embeddings=length,
        attention_probs_dropout_prob=attention_dropout,
        attn_implementation="sdpa",
    )
    model = BertForPreTraining(config).train().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.01, eps=1e-6, fused=True)
    arrays = {
        name: torch.from_numpy(array).long().to(device)
        for name, array in random_arrays(rows, length, of.pieces).items()
    }
    places = arrays["positions"].unsqueeze(-1).expand(-1, -1, config.hidden_size)

    def loss() -> Any:
        with torch.autocast(device, torch.bfloat16, enabled=of.dtype == "mixed_bfloat16"):
            outputs = model.bert(arrays["masked_ids"], token_type_ids=arrays["segment_ids"])
            words, pair = model.cls(outputs.last_hidden_state.gather(1, places), outputs.pooler_output)
        entropy = torch.nn.functional.cross_entropy
        right = arrays["words"].flatten()
        return entropy(words.float().flatten(0, 1), right) + entropy(pair.float(), arrays["labels"])

    compiled = torch.compile(loss) if device == "cuda" else loss

    def work() -> float:
        for _ in range(of.steps):
            optimizer.zero_grad()
            compiled().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        if device == "cuda":
            torch.cuda.synchronize()
        return of.steps * rows * length

    return work


def _at_both_lengths(
    contender: Callable[[int, int, float], Work], attention_dropout: float
) -> tuple[Callable[[], Work], Callable[[], Work]]:
    return (
        lambda: contender(*scale().short, attention_dropout),
        lambda: contender(*scale().long, attention_dropout),
    )


# The contenders of `GOALS`, by name.
ours_short, ours_long = _at_both_lengths(_ours, ATTENTION_DROPOUT)
ours_short_undropped, ours_long_undropped = _at_both_lengths(_ours, 0.0)
hugging_face_short, hugging_face_long = _at_both_lengths(_hugging_face, ATTENTION_DROPOUT)
hugging_face_short_undropped, hugging_face_long_undropped = _at_both_lengths(_hugging_face, 0.0)
