"""What the errors mean that students meet most often, in sentences of ours: of TensorFlow, Keras, NumPy, and our own.

An error is recognised by its text, in whatever exercise it comes up. If a framework changes the text, the test
that raises each error fails.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from grading.judging.exercise import Mistake
from grading.messages import Message
from grading.sandbox.errors import COMPILED

# What the blanks of a notebook and of a bundle's library raise. Keras and TensorFlow wrap words of their own around it.
BLANK_IN_THE_NOTEBOOK = re.compile(r"Write ([\w.]+), then run the check below\.")
BLANK_IN_THE_LIBRARY = re.compile(r"([\w.]+) is an exercise of chapter \d+: write it in the notebook\.")

NOT_DEFINED = re.compile(r"name '(\w+)' is not defined")
# As Python says it, or Keras between its own words, in bold.
_NO_KEY = re.compile(r"^'(\w+)'|\[1m'?(\w+)'?(?:\\x1b|\x1b)")
# As the sandbox says it, which looks at what it handed in.
_CHANGED = re.compile(r"changed the (\w+) that it was given as ([\w ]+); wanted it left as it was")


@dataclass(frozen=True)
class Meaning:
    """What an error means.

    Attributes:
        short: said beside each check that it fails.
        mistake: said once, on top.
    """

    short: str
    mistake: Mistake


def _meaning(short: str, sentence: str, hint: str) -> Meaning:
    return Meaning(short, Mistake(sentence, sentence, hint))


UNKNOWN_SIZE = _meaning(
    "a size is None in a compiled model",
    "A size is read from `.shape` where a compiled model does not know it: there it is None.",
    "`ops.shape(x)` has every size, also one that is known only when the model runs; in a reshape, one size may be -1. "
    "Chapter 2, 'What a compiled model knows', has the table.",
)
NO_VALUES = _meaning(
    "needs numbers, and a compiled model has none yet",
    "NumPy or Python asks a tensor for its numbers, and while a model is compiled it has none.",
    "What does the line need: a function that `keras.ops` has under the same name, a choice by `ops.where` instead of "
    "`if`, or all rows at once instead of a loop?",
)
OTHER_TYPE = _meaning(
    "two tensors have different types",
    "Two tensors of different types meet in one operation, such as whole numbers and numbers with a fraction.",
    "Print the `dtype` of both. `ops.cast` makes one into the other.",
)
OTHER_SIZES = _meaning(
    "the sizes of two tensors do not fit",
    "Two tensors meet in one operation whose sizes do not fit each other.",
    "Write the shape of each behind its line, as (batch, heads, length, ...). Which axes should be the same?",
)

NO_METHOD = _meaning(
    "a tensor has no such method",
    "A method or attribute of NumPy's arrays is asked of a tensor, which has none of that name.",
    "`keras.ops` mostly does the same with a function, perhaps under another name: `ops.cast` for `.astype`, "
    "`ops.transpose` or `ops.swapaxes` for `.T`.",
)
OTHER_COUNT = _meaning(
    "a reshape gets another number of values than it asks for",
    "A reshape asks for another number of values than there are.",
    "The product of all sizes stays the same in a reshape. Which size is a wrong one, and could one of them be -1?",
)

OTHER_WIDTH = _meaning(
    "a layer is given another width than it was built for",
    "A layer is called on a tensor of another width, or with another number of axes, than it was built for.",
    "The error names the layer. What was it built for, and is it given that, or something else of the same kind?",
)
MADE_IN_CALL = _meaning(
    "a layer or a weight is made after `build`",
    "A layer or a weight is added to a layer that is built already: it is made while the model runs, or a part is "
    "built a second time.",
    "What learns is made in `build`, and only used in `call`. What may be built already says so: `.built`.",
)
NO_PART = _meaning(
    "uses a part that was not made",
    "A part of the layer is used that has not been made, or was given another name.",
    "Compare the names behind `self.` in `build` and in `call`, letter by letter.",
)
NO_AXIS = _meaning(
    "asks for an axis that is not there",
    "An operation is told to run over an axis that its tensor does not have, or to reorder another number of axes.",
    "How many axes has the tensor in this line? They are counted from 0, and the last is -1.",
)
NO_ROW = _meaning(
    "asks for a row that a table does not have",
    "A number is looked up for which the table has no row.",
    "How many rows has the table, and from what number on are they counted?",
)
READ_ONLY = _meaning(
    "changes an array that may only be read",
    "An array is changed in place that may only be read: one that was given, or that came out of a tensor.",
    "Work on a copy, which `np.array` makes, or compute a new array. The caller still needs the old one.",
)

# In a compiled model only; where all sizes are known, the same words say something else.
_WHILE_COMPILED = (
    (
        UNKNOWN_SIZE,
        r"NoneType|None values not supported|a value \(None\)|elements of [(\[][^)\]]*\bNone\b"
        r"|(?:partially known|unknown) TensorShape|=None\b",
    ),
    (NO_VALUES, r"symbolic|SymbolicTensor' object (?:has no attribute 'numpy'|cannot be)|not 'SymbolicTensor'"),
)
_ANYWHERE = (
    (NO_METHOD, r"Tensor'? object has no attribute"),
    (MADE_IN_CALL, r"cannot add new elements of state|tried to create variables on a non-first call"),
    (
        NO_PART,
        r"^'\w+' object has no attribute '\w+_(?:dense|layer|norm|embedding|bias)'|object has no attribute 'dense'",
    ),
    (OTHER_WIDTH, r"is incompatible with the layer: expected"),
    (
        NO_AXIS,
        r"Invalid reduction dimension|axis -?\d+ is out of bounds|expected_?\w* axis in the range"
        r"|transpose expects a vector of size|axes don't match array|Dimension must be \d+ but is \d+ for .*Transpose",
    ),
    (READ_ONLY, r"(?:array|destination) is read-only"),
    (NO_ROW, r"indices\[[\d, ]*\] = -?\d+ is not in \[0, \d+\)"),
    (OTHER_TYPE, r"expected to be an? \w+ tensor but is an? \w+ tensor|has type \w+ that does not match type"),
    (OTHER_COUNT, r"Input to reshape is a tensor with \d+ values|cannot reshape array of size \d+"),
    (
        OTHER_SIZES,
        r"Incompatible shapes|Matrix size-incompatible|Dimensions must be equal|Ranks of all input tensors"
        r"|Shape must be rank \d|operands could not be broadcast|mismatch in its core dimension|shapes .* not aligned"
        r"|dimensions except for the concatenation axis must match",
    ),
)


def meaning_of(kind: str, message: str) -> Meaning | None:
    """What an error means; None where its own words have to do.

    Args:
        kind: the class name of the exception.
        message: its text, which ends in `COMPILED` where it was raised in a compiled model.
    """
    if name := unwritten(message):
        return _meaning(
            Message("needs {name}", name=name),
            Message("It needs `{name}`, which is not written yet.", name=name),
            "Write it, then run its check.",
        )
    if kind == "NameError" and (found := NOT_DEFINED.search(message)):
        return _meaning(
            Message("{name} is not defined", name=found[1]),
            Message("`{name}` is not defined.", name=found[1]),
            "The first code cell imports what a lesson needs. Run it, and every cell above in which something is "
            "defined. What you use beside that, import or define yourself.",
        )
    if kind == "KeyError" and (found := _NO_KEY.search(message)):
        return _meaning(
            Message("asks a dictionary for {key}, which it does not have", key=repr(found[1] or found[2])),
            Message("A dictionary is asked for `{key}`, which it does not have.", key=found[1] or found[2]),
            "Which entries does the docstring allow to be left out, and what should happen without them?",
        )
    if found := _CHANGED.match(message):
        return _meaning(
            Message(
                "changed the {kind} that it was given as {argument}; wanted it left as it was",
                kind=Message.of(found[1]),
                argument=found[2],
            ),
            Message(
                "The {kind} {argument} is changed in place, and the caller finds it changed.",
                kind=Message.of(found[1]),
                argument=_named(found[2]),
            ),
            "Which line writes into it, takes from it or sorts it? Work on a copy, or make a new one.",
        )
    rules = (*_WHILE_COMPILED, *_ANYWHERE) if message.endswith(COMPILED) else _ANYWHERE
    return next((meaning for meaning, pattern in rules if re.search(pattern, message, re.DOTALL)), None)


def _named(argument: str) -> str:
    return Message("that is given as {argument}", argument=argument) if " " in argument else f"`{argument}`"


def unwritten(message: str) -> str | None:
    """The exercise that a blank's error names."""
    found = BLANK_IN_THE_NOTEBOOK.search(message) or BLANK_IN_THE_LIBRARY.search(message)
    return found[1] if found else None
