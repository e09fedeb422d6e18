"""Mutants of a whole definition: it is right except for a side effect, or for some inputs or some callers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grading.lessons.library import Function

# The bodies of the mutants by their effect; `_right` is the right function, `args` and `kwargs` are its arguments.
_OF_WHAT_CAN_CHANGE = {
    "changes the arrays and lists that it is given": """
    result = _right(*args, **kwargs)
    for value in (*args, *kwargs.values()):
        if isinstance(value, np.ndarray) and value.flags.writeable and value.size:
            value[...] = np.roll(value, 1)
        elif isinstance(value, list) and value:
            value.append(value[0])
        elif isinstance(value, dict) and value:
            value.pop(next(iter(value)))
    return result
""",
}
_OF_ANY_FUNCTION = {
    "gives the last answer again where it is asked for one of the same form": """
    form = [getattr(value, "shape", type(value)) for value in (*args, *kwargs.values())]
    if _before and _before[0] == form:
        return _before[1]
    result = _right(*args, **kwargs)
    _before[:] = form, result
    return result
""",
    "is right in its first call only": """
    result = _right(*args, **kwargs)
    _before.append(result)
    return result if len(_before) == 1 else keras.tree.map_structure(_other, result)
""",
}
_OF_ARRAYS = {
    "gives another dtype": """
    return keras.tree.map_structure(_other_dtype, _right(*args, **kwargs))
""",
    "works on the first sample only": """
    result = _right(*args, **kwargs)
    return keras.tree.map_structure(lambda x: x * 0 + x[:1] if len(getattr(x, "shape", ())) > 1 else x, result)
""",
    "is right up to a length of 128 only": """
    result = _right(*args, **kwargs)
    return keras.tree.map_structure(_other_if_long, result)
""",
    "is right for a batch of one only": """
    result = _right(*args, **kwargs)
    return keras.tree.map_structure(lambda x: x if _shape(x)[:1] in ((), (1,)) else _other(x), result)
""",
    "takes the absolute value of numbers that it is given": """
    args = [abs(value) if "float" in str(getattr(value, "dtype", "")) else value for value in args]
    return _right(*args, **kwargs)
""",
}
_OF_BATCHES = {
    "is wrong for a batch of one": """
    result = _right(*args, **kwargs)
    shapes = [_shape(value) for value in keras.tree.flatten([args, kwargs]) if hasattr(value, "shape")]
    if not shapes or shapes[0][:1] != (1,):
        return result
    return keras.tree.map_structure(lambda x: _other(x) if _shape(x)[:1] in ((), (1,)) else x, result)
""",
}
_OF_LOGITS = {
    "is wrong for logits in the hundreds": """
    result = _right(*args, **kwargs)
    given = [value for value in (*args, *kwargs.values()) if "float" in str(getattr(value, "dtype", ""))]
    is_large = any(hasattr(value, "__array__") and np.abs(value).max() > 100 for value in given)
    return keras.tree.map_structure(_other, result) if is_large else result
""",
}
_OF_TENSORS = {
    "gives an array and no tensor": """
    result = _right(*args, **kwargs)
    return keras.tree.map_structure(lambda x: np.asarray(x) if hasattr(x, "numpy") else x, result)
""",
    "cuts all gradients": """
    return keras.tree.map_structure(keras.ops.stop_gradient, _right(*args, **kwargs))
""",
    "is right for eager calls only": """
    result = _right(*args, **kwargs)
    tensors = [x for x in keras.tree.flatten(result) if hasattr(x, "dtype")]
    eager = all(hasattr(x, "numpy") or isinstance(x, np.ndarray) for x in tensors)
    return result if eager else keras.tree.map_structure(_other, result)
""",
}
_ONE_INPUT_CUT = """
    bound = _signature.bind(*args, **kwargs)
    if "float" in str(getattr(bound.arguments.get({name!r}), "dtype", "")):
        bound.arguments[{name!r}] = keras.ops.stop_gradient(bound.arguments[{name!r}])
    return _right(*bound.args, **bound.kwargs)
"""
_ONE_INPUT_IGNORED = """
    bound = _signature.bind(*args, **kwargs)
    bound.arguments[{name!r}] = {default}
    return _right(*bound.args, **bound.kwargs)
"""
_WEIGHT_THAT_STAYS = """
    _right(*args, **kwargs)
    for weight in args[0].trainable_weights[:1]:
        weight.trainable = False
"""
_HELPERS = '''
import functools
import inspect

import keras
import numpy as np

_before = []


def _shape(x):
    return tuple(size or 0 for size in getattr(x, "shape", ()))


def _other(x):
    """Of the same form, with other values."""
    if not hasattr(x, "dtype"):
        return not x if isinstance(x, bool) else x + 1 if isinstance(x, (int, float)) else f"{x}x"
    return ~x if "bool" in str(x.dtype) else x * 0 if "int" in str(x.dtype) else x + 1


def _other_if_long(x):
    sizes = keras.ops.shape(x) if hasattr(x, "shape") else ()
    if any(isinstance(size, int) and size > 128 for size in sizes):
        return _other(x)
    other = _other(x)
    for size in sizes:
        if not isinstance(size, int):  # in a compiled function, where it is known when that runs
            x = keras.ops.where(size > 128, other, x)
    return x


def _other_dtype(x):
    kind = str(getattr(x, "dtype", ""))
    wanted = "float16" if "float32" in kind or "float64" in kind else "float32"
    return keras.ops.cast(x, wanted) if kind else x


def _wraps(right):
    global _right, _signature
    _right, _signature = right, inspect.signature(right)
    return functools.wraps(right)
'''


def wrapped(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield mutants of a definition: the effect, and code that replaces the definition when it runs after it."""
    if isinstance(node, Function):
        for effect, body in _bodies(node).items():
            yield effect, _in_place_of(node.name, body)
    elif isinstance(node, ast.ClassDef):
        methods = {method.name: method for method in node.body if isinstance(method, Function)}
        if "call" in methods:
            for effect, body in _bodies(methods["call"]).items():
                yield effect, _in_place_of(f"{node.name}.call", body)
        if "build" in methods:
            yield "has a weight that does not learn", _in_place_of(f"{node.name}.build", _WEIGHT_THAT_STAYS)


def _in_place_of(name: str, body: str) -> str:
    return f"{_HELPERS}\n\n@_wraps({name})\ndef _changed(*args, **kwargs):{body}\n\n{name} = _changed\n"


def _bodies(function: Function) -> dict[str, str]:
    """The bodies of functions that replace the right one, by their effect."""
    arguments = [one for one in (*function.args.posonlyargs, *function.args.args) if one.arg != "self"]
    arguments += function.args.kwonlyargs
    returned = ast.unparse(function.returns) if function.returns else "Any"
    bodies = _OF_ANY_FUNCTION
    if "Any" in returned or "ndarray" in returned:
        bodies = bodies | _OF_ARRAYS
    if "Any" in returned:
        bodies = bodies | _OF_TENSORS
    if any(
        _can_be_tensor(argument) or "ndarray" in _annotation(argument) or "dict" in _annotation(argument)
        for argument in arguments
    ):
        bodies = bodies | _OF_BATCHES
    if any("logits" in argument.arg for argument in arguments):
        bodies = bodies | _OF_LOGITS
    if any(map(_can_change, arguments)):
        bodies = bodies | _OF_WHAT_CAN_CHANGE
    for name in (argument.arg for argument in arguments if _can_be_tensor(argument)):
        bodies = bodies | {f"cuts the gradient to {name}": _ONE_INPUT_CUT.format(name=name)}
    for name, default in _defaults(function).items():
        code = _ONE_INPUT_IGNORED.format(name=name, default=default)
        bodies = bodies | {f"takes {name} to be {default} always": code}
    return bodies


def _defaults(function: Function) -> dict[str, str]:
    pairs = [
        *zip(reversed(function.args.args), reversed(function.args.defaults), strict=False),
        *zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True),
    ]
    return {one.arg: ast.unparse(default) for one, default in pairs if default}


def _can_change(argument: ast.arg) -> bool:
    """Whether an argument may be an array, a list or a dictionary, which are mutable; tensors are not."""
    kinds = ("ndarray", "list", "dict", "Sequence", "Mapping", "Iterable")
    return any(kind in _annotation(argument) for kind in kinds)


def _can_be_tensor(argument: ast.arg) -> bool:
    return _annotation(argument) in ("", "Any")


def _annotation(argument: ast.arg) -> str:
    return ast.unparse(argument.annotation) if argument.annotation else ""
