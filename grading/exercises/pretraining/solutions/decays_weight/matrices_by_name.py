"""Lists what decays instead of what does not."""

from pathlib import PurePosixPath


def decays_weight(path):
    return PurePosixPath(path).name in {"kernel", "embeddings"}
