"""The folder from which Sphinx builds. A file that would stay as it is is not touched, so that Sphinx skips it."""

from __future__ import annotations

from pathlib import Path

from grading.storage.files import write_file


class Staging:
    """A folder that holds, after `finish`, what was put into it this time and nothing else.

    Args:
        folder: where it is. It belongs to the builder: what lies there otherwise is deleted.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._put: set[Path] = set()

    def put(self, name: str, content: str | bytes) -> None:
        """Writes a file, if its content is new."""
        path = self._folder / name
        data = content.encode() if isinstance(content, str) else content
        self._put.add(path)
        if not path.is_file() or path.read_bytes() != data:
            write_file(path, data)

    def finish(self) -> None:
        """Deletes what earlier builds have put there and this one has not."""
        for path in self._folder.rglob("*"):
            if path.is_file() and path not in self._put:
                path.unlink()
