"""The folder from which Sphinx builds. Unchanged files are not written again, so that Sphinx skips them."""

from __future__ import annotations

from pathlib import Path

from grading.storage.files import write_file


class Staging:
    """A folder that, after `finish`, holds only the files that were put into it in this build.

    Args:
        folder: the path of the folder. All other files in it are deleted.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._put: set[Path] = set()

    def put(self, name: str, content: str | bytes) -> None:
        """Writes a file if its content has changed."""
        path = self._folder / name
        data = content.encode() if isinstance(content, str) else content
        self._put.add(path)
        if not path.is_file() or path.read_bytes() != data:
            write_file(path, data)

    def finish(self) -> None:
        """Deletes the files that this build has not put there."""
        for path in self._folder.rglob("*"):
            if path.is_file() and path not in self._put:
                path.unlink()
