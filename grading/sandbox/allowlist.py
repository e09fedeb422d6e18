"""Which names an answer may use: those of `allowed.toml`, less the ones that an exercise asks to write."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import AsyncGeneratorType, CodeType, CoroutineType, FrameType, GeneratorType, TracebackType

# A module of these may be used as far as it defines things itself, and what it has imported may not.
OURS = ("course", "my_bert")
# Attributes that lead from a value to the frames, code and memory behind it. Those with two underscores are refused
# unless they are listed. `obj` is what an AttributeError was raised about. Signatures and forward references evaluate
# texts.
_INSIDE = frozenset(
    {"cffi", "ctypes", "obj", "from_callable", "_evaluate"}.union(
        *(dir(kind) for kind in (AsyncGeneratorType, CodeType, CoroutineType, FrameType, GeneratorType, TracebackType))
    )
    - {"clear", "close", "replace", "send", "throw", "aclose", "asend", "athrow"}
)
# Attributes that lead to more of a library than the list names: a graph takes any operation by its name, TensorFlow's
# functions are rewritten as messages, a data set runs Python where a graph should be computed, and files are read and
# written.
_PAST_THE_LIST = frozenset(
    (
        *("_add_function", "_add_function_recursive", "_add_new_tf_operations", "_add_op"),
        *("_create_op_from_tf_operation", "_create_op_helper", "_create_op_internal", "create_op"),
        *("_as_graph_def", "as_graph_def", "_node_def", "node_def", "from_node_def"),
        *("_bound_context", "_inference_function", "inference_fn", "function_def", "from_func_graph"),
        *("from_generator",),
        *("dump", "list_files", "tofile"),
    )
)
# What NumPy takes for unchanged while it fills an array, or goes through it by `flat`.
LAYOUT = frozenset({"data", "dtype", "shape", "strides"})
# Modules that hand out what the list has under another.
SAME = {
    "tensorflow.keras": "keras",
    "keras.api": "keras",
    "tf_keras": "keras",
    **{f"keras.ops.{part}": "keras.ops" for part in ("linalg", "nn", "numpy")},
    **{f"tensorflow.{part}": f"keras.{part}" for part in ("initializers", "losses", "metrics", "optimizers")},
    "tensorflow.dtypes": "tensorflow",
}


@dataclass(frozen=True)
class Allowlist:
    """What may be used.

    Attributes:
        modules: the names of each module that may be used.
        whole: modules all of whose public names may be.
        builtins: of Python's own names.
        special: names with two underscores.
        ready_made: dotted names that may not be used although they are listed, with all that is below them.
    """

    modules: dict[str, frozenset[str]]
    whole: frozenset[str]
    builtins: frozenset[str]
    special: frozenset[str]
    ready_made: tuple[str, ...] = ()

    def without(self, ready_made: Collection[str]) -> Allowlist:
        """The same less the answers of an exercise."""
        return replace(self, ready_made=tuple(ready_made))

    def has_module(self, name: str) -> bool:
        """Whether a module of that name, or one inside it, may be used."""
        if name.partition(".")[0] in OURS or name in self.whole or name in self.modules:
            return True
        return any(module.startswith(f"{name}.") for module in (*self.whole, *self.modules))

    def has_name(self, module: str, name: str) -> bool:
        """Whether a name of a module may be used, where the module itself may be."""
        if self.is_ready_made(f"{module}.{name}"):
            return False
        if module in self.whole:
            return not name.startswith("_")
        if module.partition(".")[0] in OURS:
            return not name.startswith("__")
        return name in self.modules.get(module, ())

    def is_ready_made(self, dotted: str) -> bool:
        """Whether an exercise asks for this to be written."""
        return any(dotted == name or dotted.startswith(f"{name}.") for name in self.ready_made)

    def allows(self, dotted: str) -> bool:
        """Whether a dotted name, such as `numpy.add.at`, may be used: a module, or what stands in one."""
        if self.is_ready_made(dotted):
            return False
        module, dot, rest = dotted.partition(".")
        while dot and self.has_module(f"{module}.{rest.partition('.')[0]}") and not self._names(module, rest):
            step, dot, rest = rest.partition(".")
            module = f"{module}.{step}"
        return self.has_module(module) and (not rest or self._names(module, rest))

    def allows_attribute(self, name: str) -> bool:
        """Whether an attribute of that name may be asked for, whatever it is asked of."""
        if name.endswith("__"):
            return name in self.special
        return name not in _INSIDE and name not in _PAST_THE_LIST

    def leads_past(self, name: str) -> bool:
        """Whether an attribute of that name leads to more of a library than is listed, and not inside of Python."""
        return name in _PAST_THE_LIST

    def _names(self, module: str, rest: str) -> bool:
        return self.has_name(module, rest.partition(".")[0])


@cache
def allowlist() -> Allowlist:
    """The list as it is in `allowed.toml`."""
    table = tomllib.loads(Path(__file__).with_name("allowed.toml").read_text(encoding="utf-8"))
    names = {module: frozenset(text.split()) for module, text in table["modules"].items()}
    whole, builtins, special = (frozenset(table[key].split()) for key in ("whole", "builtins", "special"))
    return Allowlist(names, whole, builtins, special)


def canonical(dotted: str) -> str:
    """The name by which the list knows what Keras and TensorFlow also hand out under other names."""
    for module, listed in SAME.items():
        if dotted == module or dotted.startswith(f"{module}."):
            return canonical(listed + dotted.removeprefix(module))
    return dotted


def refusal(dotted: str, ready_made: bool) -> str:
    """Why a name may not be used, as its author is told."""
    if ready_made:
        return f"`{dotted}` is what this exercise asks you to write"
    return f"`{dotted}` may not be used in an answer"
