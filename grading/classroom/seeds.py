"""Chooses the hidden inputs for a submission: its student and its bytes select one of a few seeds.

A changed resubmission mostly gets other inputs, and the same bytes always get the same ones. The seeds are few, so that
the reference's answers are computed only a few times for a class of any size.
"""

from __future__ import annotations

import hashlib

COUNT = 8


def pool(secret: bytes) -> list[bytes]:
    """The seeds derived from a class's secret."""
    return [hashlib.sha256(b"seed %d/" % number + secret).digest()[:16] for number in range(COUNT)]


def seed_of(secret: bytes, student: str, sha256: str) -> bytes:
    """The seed for a submission.

    Args:
        secret: the class's secret; without it, nobody can tell which seed is chosen.
        student: the student's unique name in the class.
        sha256: the hash of the whole submission.
    """
    submission = f"{student}/{sha256}".encode(errors="surrogatepass")
    digest = hashlib.sha256(b"choice/" + secret + b"/" + submission).digest()
    return pool(secret)[int.from_bytes(digest[:8], "little") % COUNT]
