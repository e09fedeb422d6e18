"""Attacks on the exercises of other chapters, one in each exercise's cell: an exercise's attack costs that exercise."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.submissions.notebooks import handed_in
from grading.exercises.registry import chapter
from grading.lessons.notebook import notebook_text

NUMBERS = (1, 4, 5, 7, 8)

# What each does when it is called. `args` and `kwargs` are what the check gives; `seen` lasts as long as the process.
BODIES = {
    "answers a ragged list": "return [[1, 2], [3]]",
    "answers with layers": "return [keras.layers.Dense(2), keras.layers.Dense(3)]",
    "answers a set in a dictionary": "return {'loss': {1, 2}, 'ids': range(3)}",
    "answers itself in a list": "answer = []; answer.append(answer); return answer",
    "answers with no end": "return itertools.count()",
    "answers a sparse tensor": "return keras.ops.convert_to_tensor(tf.sparse.eye(3))",
    "says what it was given": "raise ValueError('given ' + told(args, kwargs))",
    "says what it was given as its name": "raise type('E' + told(args, kwargs), (Exception,), {})",
    "says it in the next check": "seen.append(told(args, kwargs)); raise ValueError(' '.join(seen))",
    "says it by the line that fails": (
        "text = told(args, kwargs)\n"
        "linecache.cache['forged'] = (1, None, [text], 'forged')\n"
        "linecache.cache.update({name: (1, None, [text] * 99, name) for name in list(linecache.cache)})\n"
        "exec(compile('raise ValueError', 'forged', 'exec'))"
    ),
    "says it is not written": "raise NotImplementedError(told(args, kwargs))",
    "says it beside the line": "forge({'error': ['E', told(args, kwargs), '']})",
    "answers a text with what it was given": "return told(args, kwargs)",
    "answers what it was given": "return args[0] if args else kwargs",
    "answers an array larger than any": "forge({'answer': {'array': ['bool', [0, 1 << 47, 1 << 47]]}})",
    "answers numbers of a thousand digits": "forge({'answer': [10 ** 900] * 3})",
    "answers before it is asked": "for _ in range(9): forge({'answer': None})",
    "takes the seed for the inputs": "return np.random.RandomState(np.random.get_state()[1][0]).normal(size=99)",
    "locks what others read": (
        "file = os.open(np.__file__, os.O_RDONLY)\n"
        "fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "raise ValueError('leak: it locks')"
    ),
    "locks a part of what others read": (
        "file = os.open(np.__file__, os.O_RDONLY)\n"
        "fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 5)\n"
        "raise ValueError('leak: it locks')"
    ),
    "knows the machine": (
        "if os.uname().nodename != 'sandbox': raise ValueError('leak: ' + os.uname().nodename)\n"
        "if time.clock_gettime(time.CLOCK_BOOTTIME) > 3000: raise ValueError('leak: when the machine was started')"
    ),
    "moves the cursor": "raise ValueError('\\x1b[2J\\x1b]0;title\\x07 \\u202e\\u2066 \\x9b1m \\x00 \\x7f \\u200f')",
    "speaks without end": "raise ValueError('long ' * 100_000)",
    "has an error that cannot be said": "raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})",
    "spies on who calls it": (
        "frame = sys._getframe()\n"
        "while frame:\n"
        "    if 'wanted' in frame.f_locals or 'expectations' in frame.f_locals: raise ValueError('leak: a frame')\n"
        "    frame = frame.f_back"
    ),
    "spies on all objects": (
        "if any(type(each).__name__ in ('LiveExpectations', 'Check', 'Mistake') for each in gc.get_objects()):\n"
        "    raise ValueError('leak: an object')"
    ),
    "traces whatever runs": "sys.settrace(lambda *_: os._exit(3)); sys.setprofile(lambda *_: os._exit(4))",
    "is another module": "sys.modules['submission'] = sys.modules['builtins'] = object(); return 0",
    "takes Python's own away": "builtins.__dict__.clear()",
    "changes what is computed with": (
        "keras.config.set_floatx('float16'); keras.config.set_dtype_policy('float64'); keras.backend.clear_session()\n"
        "np.seterr(all='raise'); tf.config.run_functions_eagerly(True); return 0"
    ),
    "patches what reads its answer": (
        "keras.ops.convert_to_numpy = np.asarray = lambda *_: True\n"
        "sys.modules['grading.sandbox.wire'].encode = lambda _: b''\n"
        "return 1"
    ),
    "patches the course": "import course; course.__dict__.clear(); sys.modules.pop('course'); return 0",
    "ends when it is collected": "class Last:\n    def __del__(self): os._exit(0)\nreturn [Last()]",
    "goes when Python goes": "atexit.register(os.abort); signal.alarm(1); raise SystemExit(0)",
    "opens everything": "[os.open('/dev/null', 0) for _ in range(1000)]",
    "has threads that never end": "[threading.Thread(target=time.sleep, args=(99,)).start() for _ in range(500)]",
    "calls itself": "return args[0](*args) if args and callable(args[0]) else globals()['EXERCISE'](*args, **kwargs)",
    "answers a list that is a huge array": "return ['a' * 20_000] + [''] * 200_000",
    "answers twenty million numbers": "return np.zeros(20_000_000)",
    "answers what raises when it is looked at": "return Trap()",
    "answers a named tuple of traps": "return collections.namedtuple('Named', 'a b')(Trap(), [Trap()])",
    "says what it was given as an end of the process": "raise type('died', (Exception,), {})(told(args, kwargs))",
    "says what it was given as an end of its time": "raise type('overtime', (Exception,), {})(told(args, kwargs))",
}

_TOP = """
import atexit, builtins, collections, fcntl, gc, itertools, json, linecache, os, signal, struct, sys, threading, time
import keras, numpy as np, tensorflow as tf

seen = []


def told(args, kwargs):
    parts = keras.tree.flatten((args, kwargs))
    words = [each for each in parts if isinstance(each, str)]
    arrays = [np.asarray(each) for each in parts if hasattr(each, "dtype")]
    numbers = [f"{number:.6g}" for array in arrays if array.dtype.kind == "f" for number in array.flat[:20]]
    return " ".join(words + numbers)


def forge(reply):
    text = json.dumps({"dict": reply}).encode()
    os.write(3, struct.pack("<Q", len(text)) + text)


class Trap:
    def _trap(self, *args, **kwargs):
        raise RuntimeError("no")

    __len__ = __iter__ = __array__ = __eq__ = __bool__ = __float__ = __getattr__ = _trap


"""


@dataclass(frozen=True)
class Case:
    """One attack in one exercise's cell of one notebook."""

    student: str
    number: int
    exercise: str
    body: str

    def source(self) -> str:
        body = textwrap.indent(BODIES[self.body].replace("EXERCISE", self.exercise), "        ")
        if isinstance(chapter(self.number).exercises[self.exercise].reference, type):
            return (
                f"{_TOP}class {self.exercise}:\n    def __init__(*args, **kwargs):\n        args = args[1:]\n{body}\n"
            )
        return f"{_TOP}def {self.exercise}(*args, **kwargs):\n    if True:\n{body}\n"


def cases() -> Iterator[Case]:
    """Each attack once, in the exercises of all these chapters in turn."""
    cells = [(number, name) for number in NUMBERS for name in chapter(number).exercises]
    for place, body in enumerate(BODIES):
        attempt, cell = divmod(place, len(cells))
        yield Case(f"attacker {attempt}", *cells[cell], body)


def notebooks(number: int) -> dict[str, str]:
    """For each student who hands in this chapter, the notebook."""
    made = {"neighbour": notebook_text(handed_in(number, {}))}
    of_chapter = sorted((case for case in cases() if case.number == number), key=lambda case: case.student)
    for student, theirs in itertools.groupby(of_chapter, key=lambda case: case.student):
        sources = {case.exercise: case.source() for case in theirs}
        made[student] = notebook_text(handed_in(number, sources, others=False))
    return made
