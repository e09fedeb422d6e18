"""Public files from a local server: they are downloaded once, and a wrong one is never kept."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from course.data.datasets import ag_news, cranfield, download, quora_pairs, sst, wnut17
from course.data.datasets.download import PublicFiles

FIRST, SECOND = b"the one file\n" * 20, b"the other one"
FILES = {"first.csv": FIRST, "second.csv": SECOND}


class FileServer(ThreadingHTTPServer):
    """Serves files as a server on the internet would, and records the requests."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = files
        self.announced_too_long = 0
        self.requests: list[str] = []


class Handler(BaseHTTPRequestHandler):
    """Answers with the server's files."""

    server: FileServer

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2]
        self.server.requests.append(name)
        if name not in self.server.files:
            self.send_error(404)
            return
        content = self.server.files[name]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content) + self.server.announced_too_long))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments: object) -> None:
        """Log nothing."""


def public_files(url: str) -> PublicFiles:
    checksums = {
        "first.csv": f"sha256:{hashlib.sha256(FIRST).hexdigest()}",
        "second.csv": f"md5:{hashlib.md5(SECOND).hexdigest()}",
    }
    return PublicFiles("Two Files", "load_two_files", "TWO_FILES_DIR", "two_files", url, checksums)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("TWO_FILES_DIR", raising=False)
    monkeypatch.setattr(download.pooch, "os_cache", lambda name: tmp_path / name)
    return tmp_path


@pytest.fixture
def server(cache: Path) -> Iterator[FileServer]:
    with FileServer(dict(FILES)) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def files(server: FileServer) -> PublicFiles:
    return public_files(f"http://127.0.0.1:{server.server_port}/some_folder/")


def files_in(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


def test_downloads_once(files: PublicFiles, server: FileServer, cache: Path):
    first, second = files.paths(None), files.paths(None)
    assert server.requests == ["first.csv", "second.csv"]
    assert first == second
    assert {name: path.read_bytes() for name, path in first.items()} == FILES
    assert {path.parent for path in first.values()} == {cache / "bert-from-nothing" / "two_files"}


@pytest.mark.parametrize("content", [SECOND.replace(b"one", b"two"), SECOND[:-9], b""])
def test_refuses_a_file_that_is_not_the_published_one(files, server, cache: Path, content: bytes):
    server.files["second.csv"] = content
    with pytest.raises(ValueError, match=r"second\.csv.*checksum.*load_two_files\(folder=.*TWO_FILES_DIR"):
        files.paths(None)
    assert files_in(cache) == {"first.csv"}
    server.files["second.csv"] = SECOND
    assert files.paths(None)["second.csv"].read_bytes() == SECOND


def test_refuses_a_connection_that_breaks_off(files, server, cache: Path):
    server.announced_too_long = 100
    with pytest.raises(ConnectionError, match="TWO_FILES_DIR"):
        files.paths(None)
    assert files_in(cache) == set()


def test_a_damaged_file_in_the_cache_is_downloaded_again(files, server, cache: Path):
    damaged = files.paths(None)["second.csv"]
    damaged.write_bytes(SECOND[:10])
    assert files.paths(None)["second.csv"].read_bytes() == SECOND
    assert server.requests.count("second.csv") == 2


def test_says_what_to_do_if_a_file_is_gone(files, server):
    del server.files["first.csv"]
    with pytest.raises(ConnectionError, match=r"404.*first\.csv and second\.csv.*folder=.*TWO_FILES_DIR"):
        files.paths(None)


def test_says_what_to_do_without_a_network(cache: Path):
    with FileServer({}) as server:  # Nothing listens on its port once it is closed.
        url = f"http://127.0.0.1:{server.server_port}/"
    with pytest.raises(ConnectionError, match=r"folder=.*TWO_FILES_DIR.*load_sample"):
        public_files(url).paths(None)
    assert files_in(cache) == set()


def test_a_given_folder_overrides_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    files = public_files("http://127.0.0.1:1/")
    for folder in ("named", "given"):
        (tmp_path / folder).mkdir()
        for name in FILES:
            (tmp_path / folder / name).write_bytes(b"anything")
    monkeypatch.setenv("TWO_FILES_DIR", str(tmp_path / "named"))
    assert files.paths(None)["first.csv"] == tmp_path / "named" / "first.csv"
    assert files.paths(str(tmp_path / "given"))["first.csv"] == tmp_path / "given" / "first.csv"
    (tmp_path / "named" / "second.csv").unlink()
    with pytest.raises(FileNotFoundError, match=r"Two Files.*first\.csv and second\.csv. Not found: \S+second\.csv$"):
        files.paths(None)


@pytest.mark.parametrize(
    "published",
    [ag_news.AG_NEWS, cranfield.CRANFIELD, quora_pairs.QUORA_PAIRS, sst.SST, wnut17.WNUT17],
    ids=lambda one: one.title,
)
def test_each_loader_asks_its_own_address_for_its_own_files(published: PublicFiles, server: FileServer, monkeypatch):
    """It asks for the first file, and refuses the answer, which is not the published file."""
    monkeypatch.delenv(published.variable, raising=False)
    modules = {"load_ag_news": ag_news, "load_cranfield": cranfield, "load_quora_pairs": quora_pairs, "load_sst": sst}
    module = modules.get(published.loader, wnut17)
    (name,) = [name for name, value in vars(module).items() if value is published]
    monkeypatch.setattr(module, name, replace(published, url=f"http://127.0.0.1:{server.server_port}/"))
    first = next(iter(published.checksums))
    server.files[first] = b"not it"
    with pytest.raises(ValueError, match=f"{first}.*checksum.*{published.loader}.*{published.variable}"):
        getattr(module, published.loader)()
    assert server.requests == [first]
    assert published.url.startswith("http")
    assert published.url.endswith("/")
