"""What a submission finds in its root, and where: the interpreter, a few packages, the course, a place to write."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grading.sandbox.limits import Limits
from grading.sandbox.mounts import Mount, Tree
from grading.sandbox.packages import top_level_entries

SCRATCH = "/scratch"
_LIBRARY = "/sandbox/library"
_MODULES = "/sandbox/modules"
_PACKAGES = "/sandbox/packages"
IMPORT_PATH = [_MODULES, _LIBRARY, _PACKAGES]

_SYSTEM_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache")
_NOT_COPIED = shutil.ignore_patterns("__pycache__")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


def interpreter() -> str:
    """The program of this interpreter itself, not a virtual environment's link to it."""
    return os.path.realpath(sys.executable)


def make_tree(folder: Path, library: Path, hidden: Iterable[Path], limits: Limits) -> Tree:
    """The sandbox's root.

    Args:
        folder: an empty folder of the host, for copies of what must be readable to nobody in particular.
        library: folder that holds the `course` which submissions may import.
        hidden: files of the installed packages that are to look empty.
        limits: what the scratch folder may hold.
    """
    empty_file, empty_folder = folder / "empty", folder / "nothing"
    empty_file.touch()
    empty_folder.mkdir()
    modules = _copies(folder, library)
    _make_readable(folder)

    mounts, links = _system()
    # What else is installed beside the standard library is nothing that a submission was promised.
    mounts += [Mount(str(empty_folder), path) for path in _other_packages(mounts)]
    entries = top_level_entries()
    mounts += [Mount(str(path), f"{_PACKAGES}/{name}") for name, path in entries.items()]
    for file in hidden:
        mounts += [Mount(str(empty_file), target) for target in _targets(file, entries)]
    mounts += [Mount(str(folder / "library"), _LIBRARY), Mount(str(modules), _MODULES)]
    mounts += [Mount(device, device, device=True) for device in _DEVICES]
    return Tree(mounts, links, SCRATCH, limits.scratch_bytes, limits.scratch_files)


@dataclass(frozen=True)
class Places:
    """Where a child finds things on the host itself, without a root of its own.

    Attributes:
        import_path: where Python looks for modules.
        readable: what may be read.
        listable: folders around what is hidden, of which only the names may be read.
    """

    import_path: list[str]
    readable: list[str]
    listable: list[str]


def host_places(folder: Path, library: Path, hidden: Iterable[Path]) -> Places:
    """What the tree would hold, left where it is. The arguments are those of `make_tree`."""
    modules = _copies(folder, library)
    packages = folder / "packages"
    packages.mkdir()
    entries = top_level_entries()
    for name, path in entries.items():
        (packages / name).symlink_to(path)
    mounts, _ = _system()
    places = Places([str(modules), str(folder / "library"), str(packages)], [], [])
    hidden_files = {file for module in hidden for file in (module, *_compiled(module))}
    for paths, covered in (
        ([folder / "library", modules, packages], set()),
        ([Path(item.source) for item in mounts], set(map(Path, _other_packages(mounts)))),
        (entries.values(), hidden_files),
    ):
        for path in paths:
            _show(path, covered, places)
    return places


def _show(path: Path, hidden: Collection[Path], places: Places) -> None:
    """Makes a path readable, except for what is hidden in it."""
    if path in hidden:
        return
    if not any(one.is_relative_to(path) for one in hidden):
        places.readable.append(str(path))
        return
    places.listable.append(str(path))
    for inside in path.iterdir():
        if not inside.is_symlink():  # a rule would hold for what it leads to
            _show(inside, hidden, places)


def _copies(folder: Path, library: Path) -> Path:
    """Copies the library, and of this project the sandbox alone; returns the folder of the latter."""
    modules = folder / "modules"
    shutil.copytree(Path(__file__).parent, modules / "grading" / "sandbox", ignore=_NOT_COPIED)
    (modules / "grading" / "__init__.py").touch()
    shutil.copytree(library, folder / "library", ignore=_NOT_COPIED)
    return modules


def _make_readable(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _system() -> tuple[list[Mount], list[tuple[str, str]]]:
    """The interpreter, and the libraries that every program needs."""
    # TensorFlow asks which program it is in, ends where nobody knows, and asks on where the name has "python" in it.
    # Nothing else of /proc is needed.
    paths, links = [], [("/proc/self/exe", "/sandbox/program")]
    for path in map(Path, _SYSTEM_LIBRARIES):
        if path.is_symlink():
            links.append((str(path), str(path.readlink())))
        elif path.exists():
            paths.append(path)
    base = Path(sys.base_prefix).resolve()
    for path in (base / "lib", base / "lib64", Path(interpreter())):
        if path.exists() and not path.is_symlink() and path not in paths:
            paths.append(path)
    return [Mount(str(path), str(path)) for path in paths], links


def _other_packages(mounts: Iterable[Mount]) -> list[str]:
    """Folders of installed packages that lie in what is mounted."""
    names = ("python3*/site-packages", "python3*/dist-packages")
    return [str(path) for item in mounts for name in names for path in Path(item.source).glob(name)]


def _targets(file: Path, entries: dict[str, Path]) -> Iterator[str]:
    """Where the sandbox shows a module's file and what was compiled from it."""
    for path in (file, *_compiled(file)):
        for name, entry in entries.items():
            if path.is_relative_to(entry):
                yield f"{_PACKAGES}/{name}/{path.relative_to(entry)}"


def _compiled(file: Path) -> Iterator[Path]:
    return file.parent.joinpath("__pycache__").glob(f"{file.stem}.cpython-*.pyc")
