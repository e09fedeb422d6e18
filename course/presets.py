"""The sizes in which BERT was published, as arguments of `BertEncoder`.

Reference: base and large: Devlin et al., "BERT", 2018, https://arxiv.org/abs/1810.04805, section 3.
The smaller ones: Turc et al., "Well-Read Students Learn Better", 2019, https://arxiv.org/abs/1908.08962.
"""

from __future__ import annotations

from typing import Any

PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {"num_layers": 2, "num_heads": 2, "hidden_dim": 128, "intermediate_dim": 512},
    "mini": {"num_layers": 4, "num_heads": 4, "hidden_dim": 256, "intermediate_dim": 1024},
    "small": {"num_layers": 4, "num_heads": 8, "hidden_dim": 512, "intermediate_dim": 2048},
    "medium": {"num_layers": 8, "num_heads": 8, "hidden_dim": 512, "intermediate_dim": 2048},
    "base": {"num_layers": 12, "num_heads": 12, "hidden_dim": 768, "intermediate_dim": 3072},
    "large": {"num_layers": 24, "num_heads": 16, "hidden_dim": 1024, "intermediate_dim": 4096},
}


def sizes_of(preset: str) -> dict[str, Any]:
    """Return the arguments of a preset.

    Raises:
        ValueError: no preset has this name.
    """
    if preset not in PRESETS:
        raise ValueError(f"preset must be one of {', '.join(PRESETS)}. Received: preset={preset!r}")
    return PRESETS[preset]
