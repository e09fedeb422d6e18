"""`train-ranker`, `index --vectors` and `search --ranker` on the command line, and their errors."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import Result

from course.applications.search import indexing
from course.applications.search.vectors import open_vectors
from course.errors import CourseError, Stopped
from tests.course.commands.running import run as run_command

ROWS = [
    ("Wings lift", "A wing in a stream of air lifts the plane."),
    ("Heat flows", "Heat flows through walls of stone."),
    ("", "Nobody asks for this."),
    ("Ships sail", "A ship sails against the wind."),
    ("Bees sleep", "At night bees sleep in the hive."),
]
SMALL = ("--epochs", 1, "--batch-size", 2, "--query-length", 8, "--text-length", 16, "--negatives", 1, "--width", 8)


run = partial(run_command, columns=90)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, rankers of two kinds, and an index with the vectors of one."""
    folder = tmp_path_factory.mktemp("search")
    (folder / "texts.jsonl").write_text("\n".join(json.dumps({"asked": query, "said": text}) for query, text in ROWS))
    for kind in ("maxsim", "cross"):
        done = train(folder, kind, kind)
        assert done.exit_code == 0, done.exception
        assert "left out: 1." in done.stdout
        assert f"{folder / kind}: a ranker of the kind {kind}, " in done.stdout.replace("\n", "")
    done = index(folder, "--vectors", folder / "maxsim")
    assert done.exit_code == 0, done.exception
    assert f"Vectors of {folder / 'maxsim'}: 0.0 MB" in done.stdout.replace("\n", "")
    return folder


def train(folder: Path, kind: str, to: str, *more: object) -> Result:
    arguments = ("train-ranker", folder / "texts.jsonl", "--query", "asked", "--text", "said", "--kind", kind)
    return run(*arguments, "--to", folder / to, *SMALL, *more)


def index(folder: Path, *more: object, to: str = "index") -> Result:
    return run("index", folder / "texts.jsonl", "--text", "said", "--to", folder / to, *more)


def answers(done: Result) -> list[list[int]]:
    assert done.exit_code == 0, done.exception
    return [[result["document"] for result in json.loads(line)["results"]] for line in done.stdout.splitlines()]


def test_vectors_rank_all_documents_and_other_rankers_rerank(folder: Path) -> None:
    queries = ("heat", "wing of the ship", "☃")
    by_vectors = answers(run("search", folder / "index", *queries, "--json", "--ranker", folder / "maxsim"))
    assert [sorted(documents) for documents in by_vectors] == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], []]
    by_bm25 = answers(run("search", folder / "index", *queries, "--json"))
    reranked = answers(run("search", folder / "index", *queries, "--json", "--ranker", folder / "cross"))
    assert list(map(sorted, reranked)) == list(map(sorted, by_bm25)) == [[1], [0, 3], []]  # "of" and "the" do not count
    first = answers(
        run("search", folder / "index", "of", "--json", "--ranker", folder / "cross", "--rerank", 1, "--top", 1)
    )
    assert first == answers(run("search", folder / "index", "of", "--json", "--top", 1))
    shown = run("search", folder / "index", "heat", "--ranker", folder / "maxsim", "--exact")
    assert "Heat flows through walls" in shown.stdout


def test_fusion_combines_the_places_in_both_rankings(folder: Path) -> None:
    arguments = ("search", folder / "index", "wing of the ship", "--json")
    by_bm25, by_vectors = (answers(run(*arguments, *more))[0] for more in ((), ("--ranker", folder / "maxsim")))
    done = run(*arguments, "--ranker", folder / "maxsim", "--fuse")
    scores = {result["document"]: result["score"] for result in json.loads(done.stdout)["results"]}
    shares = {
        document: sum(1 / (61 + ranking.index(document)) for ranking in (by_bm25, by_vectors) if document in ranking)
        for document in by_vectors
    }
    assert scores == pytest.approx(shares, abs=1e-6)
    assert [*scores] == sorted(scores, key=lambda document: (-shares[document], document))


def test_errors_name_the_cause(folder: Path) -> None:
    maxsim, cross, there = folder / "maxsim", folder / "cross", folder / "index"
    assert index(folder, to="plain").exit_code == 0
    for done, message in (
        (run("search", folder / "plain", "heat", "--ranker", maxsim), "has no vectors of"),
        (run("search", there, "heat", "--ranker", folder / "nothing"), "has no ranker"),
        (run("search", there, "heat", "--ranker", maxsim, "--ranker", cross), "only one ranker can answer"),
        (run("search", there, "heat", "--ranker", cross, "--fuse"), "--fuse is for a ranker of the kind dssm or"),
        (run("search", there, "heat", "--ranker", cross, "--exact"), "--exact is for a ranker of the kind dssm or max"),
        (run("search", there, "heat", "--ranker", maxsim, "--rerank", 2), "is for a ranker of the kind cross or cedr"),
        (index(folder, "--vectors", cross, to="other"), "reads a query and a document together"),
        (index(folder), "which would be lost"),
        (train(folder, "maxsim", "maxsim"), "exists already"),
        (train(folder, "maxsim", "new", "--batch-size", 9), "at least one batch of pairs"),
        (train(folder, "maxsim", "new", "--learning-rate", -1), "learning_rate must be a finite number"),
        (train(folder, "cross", "new", "--text-length", 500), "rows of"),
        (train(folder, "cross", "new", "--from", folder), "has no encoder"),
        (train(folder, "cross", "new", "--query", "title"), "title"),
    ):
        assert isinstance(done.exception, CourseError), (message, done.output)
        assert message in str(done.exception)
    assert not (folder / "new").exists()


def test_a_ranker_with_a_nan_loss_is_not_saved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "course.applications.retrieval.teaching.train_towers", lambda *arguments, **settings: [0.7, float("nan")]
    )
    done = train(folder, "maxsim", "new")
    assert isinstance(done.exception, CourseError)
    assert "the loss is no longer finite" in str(done.exception)
    assert not (folder / "new").exists()


def test_an_interrupted_encoding_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("course.applications.retrieval.searching.VectorsOf.documents", interrupted)
    done = index(folder, "--vectors", folder / "maxsim", to="new")
    assert isinstance(done.exception, Stopped)


def test_two_dask_workers_search_the_vectors(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(indexing, "PART_DOCUMENTS", 2)
    open_vectors.cache_clear()
    assert index(folder, "--vectors", folder / "maxsim", to="parts").exit_code == 0
    arguments = ("search", folder / "parts", "heat of the night", "ship", "--json", "--ranker", folder / "maxsim")
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as workers:
        there = run(*arguments, "--scheduler", workers.scheduler_address)
    assert there.exit_code == 0, there.exception
    assert there.stdout == run(*arguments).stdout
    assert answers(there)[0] == answers(run(*arguments[:1], folder / "index", *arguments[2:]))[0]
