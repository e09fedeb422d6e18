"""Parts that later cells look for under the names that a docstring gives, such as to put published weights there."""

from __future__ import annotations

from collections.abc import Mapping

from grading.messages import Message


def missing_parts(found: Mapping[str, bool]) -> str | None:
    """What is wrong with a layer that has not all of its parts where its docstring says; None where it has them.

    It says the same whichever of them are missing, since that is one mistake. It is a check's judge, too.

    Args:
        found: by path of attributes, whether the weight that belongs there is there.
    """
    if all(found.values()):
        return None
    *others, last = [f"`{name}`" for name in dict.fromkeys(path.partition(".")[0] for path in found)]
    wanted = Message("{others} and {last}", others=", ".join(others), last=last) if others else last
    return Message("has not all of {parts}, with the weights that belong there, when `build` is done", parts=wanted)
