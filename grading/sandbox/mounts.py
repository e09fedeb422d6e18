"""The sandbox's root: a small read-only tree of what is mounted in it, and nothing else of the host."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grading.sandbox import kernel

_MOST_OF_IT = "size=1m,mode=755"  # the tree itself holds only folders and links


@dataclass(frozen=True)
class Mount:
    """A file or folder of the host, and where the sandbox finds it.

    Attributes:
        source: on the host.
        target: in the sandbox; what is already mounted there is covered.
        device: whether it is a device, which must work as one.
    """

    source: str
    target: str
    device: bool = False


@dataclass(frozen=True)
class Tree:
    """All that the sandbox's root holds.

    Attributes:
        mounts: in the order in which they are mounted.
        links: symbolic links, as (path, what it says).
        scratch: the only folder that can be written to.
        scratch_bytes: its size.
        scratch_files: how many files it holds.
    """

    mounts: list[Mount]
    links: list[tuple[str, str]]
    scratch: str
    scratch_bytes: int
    scratch_files: int

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Tree:
        mounts = [Mount(**item) for item in content["mounts"]]
        links = [(path, target) for path, target in content["links"]]
        return cls(**{**content, "mounts": mounts, "links": links})


def enter(tree: Tree, at: Path) -> None:
    """Builds the tree on an empty folder, and makes it this mount namespace's root.

    Args:
        tree: what the root holds.
        at: an empty folder of the host; it is not changed.
    """
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("sandbox", at, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, _MOST_OF_IT)
    for path, target in tree.links:
        _inside(at, path).parent.mkdir(parents=True, exist_ok=True)
        _inside(at, path).symlink_to(target)
    for item in tree.mounts:
        _bind(item, at)
    scratch = _inside(at, tree.scratch)
    scratch.mkdir()
    kernel.set_mount_attributes(at, kernel.MOUNT_ATTR_RDONLY, recursive=False)
    mount_scratch(scratch, tree.scratch_bytes, tree.scratch_files, mode=0o777)
    kernel.change_root(at)


def mount_scratch(at: Path, size: int, files: int, mode: int = 0o700) -> None:
    """Mounts an empty folder in memory that holds so many bytes and so many files."""
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("scratch", at, "tmpfs", flags, f"size={size},nr_inodes={files},mode={mode:o}")


def bubblewrap_arguments(tree: Tree) -> list[str]:
    """The same tree, as bubblewrap's options."""
    arguments: list[str] = []
    for path, target in tree.links:
        arguments += ["--symlink", target, path]
    for item in tree.mounts:
        arguments += ["--dev-bind" if item.device else "--ro-bind", item.source, item.target]
    size = ["--size", str(tree.scratch_bytes)]
    return [*arguments, *size, "--perms", "0777", "--tmpfs", tree.scratch, "--remount-ro", "/"]


def _bind(item: Mount, at: Path) -> None:
    target = _inside(at, item.target)
    if not target.exists():
        if Path(item.source).is_dir():
            target.mkdir(parents=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
    kernel.mount(item.source, target, None, kernel.MS_BIND | kernel.MS_REC)
    attributes = kernel.MOUNT_ATTR_RDONLY | kernel.MOUNT_ATTR_NOSUID
    if not item.device:
        attributes |= kernel.MOUNT_ATTR_NODEV
    kernel.set_mount_attributes(target, attributes, recursive=True)


def _inside(root: Path, path: str) -> Path:
    return root / path.lstrip("/")
