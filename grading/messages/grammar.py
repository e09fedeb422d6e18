"""One or several: which form of a verb goes with what an answer is called."""

from __future__ import annotations

import re

_PLURAL = {"is": "are", "has": "have", "differs": "differ"}
# What comes behind one of these says which, and not what.
_WHICH = re.compile(
    r",|(?:^|\s)(?:of|in|with|without|for|by|at|as|on|to|under|behind|between|from|after|where|that|which)\b"
)
_SINGULAR_ENDS = ("ss", "us", "is", "bias")


def with_verb(name: str, verb: str) -> str:
    """A name and its verb.

    Args:
        name: of an answer, such as "the logits in training".
        verb: "is", "has" or "differs".

    Example:
        >>> with_verb("the logits in training", "differs"), with_verb("the loss of all words", "is")
        ('the logits in training differ', 'the loss of all words is')
    """
    return f"{name} {_PLURAL[verb] if is_plural(name) else verb}"


def is_plural(name: str) -> bool:
    """Whether a name stands for several: by its last word, or because there are two of them."""
    what = _WHICH.split(name, maxsplit=1)[0]
    return " and " in what or (what.endswith("s") and not what.endswith(_SINGULAR_ENDS))
