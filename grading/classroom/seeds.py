"""Which hidden inputs a submission meets: those of one of a few seeds, which its student and its bytes choose.

Who hands in a second time mostly meets other inputs, and the same bytes meet the same ones again. The seeds are few, so
that what the reference gives is computed a few times for a class of any size.
"""

from __future__ import annotations

import hashlib

COUNT = 8


def pool(secret: bytes) -> list[bytes]:
    """The seeds that come of a class's secret."""
    return [hashlib.sha256(b"seed %d/" % number + secret).digest()[:16] for number in range(COUNT)]


def seed_of(secret: bytes, student: str, sha256: str) -> bytes:
    """The seed of what a student handed in.

    Args:
        secret: of the class; without it nobody can tell which seed is chosen.
        student: by which the class tells the student from all others.
        sha256: of all that was handed in.
    """
    said = f"{student}/{sha256}".encode(errors="surrogatepass")
    drawn = hashlib.sha256(b"choice/" + secret + b"/" + said).digest()
    return pool(secret)[int.from_bytes(drawn[:8], "little") % COUNT]
