"""Find or download the files of public data sets that may not be bundled."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pooch
import requests


@dataclass(frozen=True)
class PublicFiles:
    """The files of a public data set, as they were published.

    Attributes:
        title: the name of the data set.
        loader: the name of the function that reads it.
        variable: the environment variable that may name a folder with the files.
        cache: the folder in the user's cache that holds them.
        url: the address of the files: `url` and a file's name make its address.
        checksums: of each file, by its name, as "sha256:..." or "md5:...".
    """

    title: str
    loader: str
    variable: str
    cache: str
    url: str
    checksums: Mapping[str, str]

    def paths(self, folder: str | os.PathLike[str] | None) -> dict[str, Path]:
        """Return the path of each file: in `folder`, else in the folder that the variable names, else in the cache.

        Raises:
            FileNotFoundError: a file is missing from the folder.
            ConnectionError: a file cannot be downloaded.
            ValueError: a downloaded file is not the published one.
        """
        folder = folder or os.environ.get(self.variable)
        if not folder:
            return {name: self._download(name) for name in self.checksums}
        paths = {name: Path(folder) / name for name in self.checksums}
        missing = [str(path) for path in paths.values() if not path.is_file()]
        if missing:
            raise FileNotFoundError(
                f"{self.title} is read from a folder with {self._names}. Not found: {', '.join(missing)}"
            )
        return paths

    def not_one(self, path: Path, reason: object) -> ValueError:
        """The error for a file whose content is not that of the data set."""
        return ValueError(f"{path} is not a file of {self.title}: {reason}")

    @property
    def _names(self) -> str:
        *others, last = self.checksums
        return f"{', '.join(others)} and {last}" if others else last

    def _download(self, name: str) -> Path:
        """Return the path of a file in the cache, downloaded first if needed. A wrong file is never kept."""
        elsewhere = f"{self.loader}(folder=...), or the environment variable {self.variable}"
        try:
            return Path(
                pooch.retrieve(
                    self.url + name,
                    known_hash=self.checksums[name],
                    fname=name,
                    path=pooch.os_cache("bert-from-nothing") / self.cache,
                )
            )
        except (requests.RequestException, OSError) as error:
            raise ConnectionError(
                f"{self.url}{name} could not be downloaded ({error}). Try again, or get {self._names} in another way "
                f"and name the folder: {elsewhere}. load_sample() needs no download."
            ) from error
        except ValueError as error:
            raise ValueError(
                f"{self.url}{name} is not the file that was published (its checksum differs): it was cut short or "
                f"changed on the way. Nothing was kept. Try again, or name a folder that has it: {elsewhere}."
            ) from error
