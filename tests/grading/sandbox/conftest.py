"""One sandbox of each kind for all tests here, because a zygote takes seconds to start."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grading.sandbox import client, landlock
from grading.sandbox.client import Child, Sandbox
from grading.sandbox.limits import Limits

READY_MADE = ("keras.layers.MultiHeadAttention",)
SECRET = "the expected values"
LIMITS = Limits(memory_bytes=1 << 30, threads=64, scratch_bytes=8 << 20, scratch_files=200, answer_bytes=4 << 20)
WITH_NAMESPACES = ["namespaces", *(["bubblewrap"] if shutil.which("bwrap") else [])]
BACKENDS = [*WITH_NAMESPACES, *(["landlock"] if landlock.version() >= 3 else [])]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    (folder / "course").mkdir()
    (folder / "course" / "__init__.py").write_text("WHO = 'the released course'\n")
    (folder / "course" / "asking.py").write_text("def ask(value, name): return getattr(value, name)\n")
    (folder / "course" / "later.py").write_text(
        "def ask(value, name):\n    from course.asking import ask\n    return ask(value, name)\n"
    )
    return folder


@pytest.fixture(scope="session")
def sandboxes(library: Path) -> Iterator[Callable[[str], Sandbox]]:
    """Starts the sandbox of a kind ("namespaces", "bubblewrap" or "none") when it is first asked for."""
    started: dict[str, Sandbox] = {}

    def get(kind: str) -> Sandbox:
        if kind not in started:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(client, "choose_backend", lambda *_: kind)
                patch.setenv("GRADEBOOK_TOKEN", SECRET)
                sandbox = Sandbox(
                    library=library,
                    ready_made=READY_MADE,
                    limits=LIMITS,
                    without_isolation=kind == "none",
                )
                started[kind] = sandbox.__enter__()
        return started[kind]

    yield get
    for sandbox in started.values():
        sandbox.__exit__(None, None, None)


@pytest.fixture(scope="session")
def sandbox(sandboxes: Callable[[str], Sandbox]) -> Sandbox:
    return sandboxes("namespaces")


@pytest.fixture
def child(sandbox: Sandbox) -> Iterator[Child]:
    with sandbox.child() as fresh:
        yield fresh


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder of the host that everybody may look into."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def secret_file(open_folder: Path) -> Path:
    """A file of the grader's that everybody on the host may read."""
    path = open_folder / "expected.txt"
    path.write_text(SECRET)
    return path
