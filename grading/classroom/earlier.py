"""Finds solutions that are built like those of an earlier class, and students who are alike in several chapters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grading.classroom.records import outline
from grading.classroom.results import Results, graded_chapters
from grading.classroom.similarity import Pair, Solutions, similar_pairs, starter_fingerprints
from grading.classroom.submission_record import SubmissionRecord
from grading.errors import GradingError
from grading.exercises import registry
from grading.judging.exercise import Chapter
from grading.submission.names import squeezed

_EARLIER = "\0"  # marks names of the earlier class; no name holds it


def pairs_of_class(
    of: Chapter, records: Sequence[SubmissionRecord], results: Path, compare: Sequence[Path] = ()
) -> list[Pair]:
    """The similar solutions in a class and, if earlier results are given, between it and those.

    Args:
        records: the outlines of the class's records.
        results: the class's own results, whose other chapters say who is alike there, too.
        compare: folders of other results: of earlier years, or of other chapters.

    Raises:
        GradingError: there are no results in a folder, or a record cannot be read.
    """
    starter = starter_fingerprints(of)
    pairs = similar_pairs(_solutions(records), starter)
    if not compare:
        return pairs
    elsewhere = _alike_elsewhere(of, [results, *compare])
    pairs = [pair._replace(also=elsewhere.get(frozenset((pair.first, pair.second)), ())) for pair in pairs]
    for folder in compare:
        if of.number in graded_chapters(folder) and folder.resolve() != results.resolve():
            earlier = [outline(record) for record in Results(folder, of.number).all()]
            pairs += _across(records, earlier, starter, folder)
    return sorted(pairs, key=lambda pair: (-pair.share, pair))


def _solutions(records: Iterable[SubmissionRecord], mark: str = "") -> Mapping[str, Solutions]:
    return {record["student"] + mark: record["fingerprints"] for record in records}


def _across(
    records: Sequence[SubmissionRecord], earlier: Sequence[SubmissionRecord], starter: set[int], folder: Path
) -> list[Pair]:
    """The pairs of a student and one of the earlier class, without those who repeat the course."""
    both = {**_solutions(records), **_solutions(earlier, _EARLIER)}
    known = {record["student"]: _identity(record) for record in records}
    before = {record["student"]: _identity(record) for record in earlier}
    pairs = []
    for pair in similar_pairs(both, starter):
        mine, other = sorted((pair.first, pair.second), key=lambda student: student.endswith(_EARLIER))
        other = other.removesuffix(_EARLIER)
        is_across = mine in known and pair.first.endswith(_EARLIER) != pair.second.endswith(_EARLIER)
        if is_across and not known[mine] & before[other]:
            pairs.append(Pair(pair.exercise, mine, other, pair.share, str(folder)))
    return pairs


def _identity(record: SubmissionRecord) -> set[str]:
    """What the same person has in two classes."""
    person = record["person"]
    return {person["id"], person["email"].casefold(), squeezed(person["name"] or record["student"])} - {""}


def _alike_elsewhere(of: Chapter, folders: Iterable[Path]) -> dict[frozenset[str], tuple[int, ...]]:
    """The other chapters in which two students are alike."""
    found: dict[frozenset[str], set[int]] = {}
    for folder in dict.fromkeys(path.resolve() for path in folders):
        for number in graded_chapters(folder):
            if number == of.number:
                continue
            outlines = [outline(record) for record in Results(folder, number).all()]
            for pair in similar_pairs(_solutions(outlines), starter_fingerprints(registry.chapter(number))):
                found.setdefault(frozenset((pair.first, pair.second)), set()).add(number)
    return {pair: tuple(sorted(numbers)) for pair, numbers in found.items()}


def require_results(folders: Iterable[Path]) -> None:
    """Refuse folders to compare with that hold no results.

    Raises:
        GradingError: there is one.
    """
    for folder in folders:
        if not graded_chapters(folder):
            raise GradingError(f"there are no results in {folder}; give a folder that `grade` wrote with --compare")
