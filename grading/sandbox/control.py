"""What a grader tells a starting sandbox, and what it is told: JSON, before any student's code has run."""

from __future__ import annotations

import json
import socket
from dataclasses import asdict, dataclass
from typing import Any

from grading.sandbox.limits import Limits
from grading.sandbox.mounts import Tree


@dataclass(frozen=True)
class ZygoteSettings:
    """How one zygote is to live.

    Attributes:
        isolated: whether its children lock themselves in; if not, they are ordinary processes.
        tree: what its root holds; None leaves it the host's.
        mount_point: an empty folder of the host on which the tree is built.
        scratch: the folder in which each child gets one of its own.
        readable: what a child may read.
        listable: folders of which it may read the names alone.
        nested: whether each child gets namespaces of its own where the host lets it.
        ready_made: answers to take away.
        sources: text of the modules that define them, which the tree shows empty.
        limits: what each child may use.
        command: starts the zygote inside the tree, with these settings on its standard input.
        control: descriptor of the socket on which the grader asks for children.
        proc: descriptor of the host's /proc; None where there is none.
    """

    isolated: bool
    tree: Tree | None
    mount_point: str
    scratch: str
    readable: list[str]
    listable: list[str]
    nested: bool
    ready_made: list[str]
    sources: dict[str, str]
    limits: Limits
    command: list[str]
    control: int
    proc: int | None

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> ZygoteSettings:
        content: dict[str, Any] = json.loads(text)
        content["tree"] = content["tree"] and Tree.from_json(content["tree"])
        content["limits"] = Limits(**content["limits"])
        return cls(**content)


def send_message(listener: socket.socket, **message: object) -> None:
    """One line of JSON to the grader."""
    listener.sendall(json.dumps(message).encode() + b"\n")


def receive_message(speaker: socket.socket, timeout: float | None) -> dict[str, Any]:
    """The line that was said at the other end; empty where the other end closed without a word.

    Raises:
        TimeoutError: nothing was said in time.
    """
    speaker.settimeout(timeout)
    line = b""
    while not line.endswith(b"\n"):
        part = speaker.recv(1)  # another line may follow, which is not this one's reader's
        if not part:
            return {}
        line += part
    return json.loads(line)
