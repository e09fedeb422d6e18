"""Student and bytes choose one of a few seeds, which nobody can tell without the secret."""

from __future__ import annotations

from collections import Counter

from grading.classroom.seeds import COUNT, pool, seed_of


def test_the_same_bytes_meet_the_same_inputs_again() -> None:
    assert seed_of(b"secret", "alice", "1f") == seed_of(b"secret", "alice", "1f")
    assert seed_of(b"secret", "alice", "1f") in pool(b"secret")


def test_other_bytes_and_other_students_mostly_meet_other_inputs() -> None:
    by_bytes = Counter(seed_of(b"secret", "alice", str(number)) for number in range(800))
    by_student = Counter(seed_of(b"secret", str(number), "1f") for number in range(800))
    for counts in (by_bytes, by_student):
        assert len(counts) == COUNT
        assert min(counts.values()) > 50


def test_another_secret_gives_other_seeds() -> None:
    assert not set(pool(b"secret")) & set(pool(b"another"))
