"""Public data sets that may not be bundled: where their files are, and how they come to a user's machine."""

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
        title: what people call the data set.
        loader: the name of the function that reads it.
        variable: the environment variable that may name a folder with the files.
        cache: the folder that they are kept in, in the user's cache.
        url: the address of each is this one and its name.
        checksums: of each file, by its name, as "sha256:..." or "md5:...".
    """

    title: str
    loader: str
    variable: str
    cache: str
    url: str
    checksums: Mapping[str, str]

    def paths(self, folder: str | os.PathLike[str] | None) -> dict[str, Path]:
        """Where each file is: in the folder, or else in the one that the variable names, or else in the cache.

        Raises:
            FileNotFoundError: the folder does not have them all.
            ConnectionError: one cannot be downloaded.
            ValueError: what was downloaded is not what was published.
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
        """The error for a file that was read, and is not what it should be."""
        return ValueError(f"{path} is not a file of {self.title}: {reason}")

    @property
    def _names(self) -> str:
        *others, last = self.checksums
        return f"{', '.join(others)} and {last}" if others else last

    def _download(self, name: str) -> Path:
        """The path of a file in the cache, where it is put first if need be. A wrong file never gets there."""
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
