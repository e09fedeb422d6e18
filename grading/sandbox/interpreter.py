"""Performs a grader's operations on a student's definitions, and nothing else.

It runs where the student's code runs: in the notebook's kernel, or in the sandboxed child. It knows neither
the right answer nor what is being checked, so there is nothing here to read, patch or forge.
"""

from __future__ import annotations

import contextlib
import importlib
import linecache
import re
import sys
import traceback
import warnings
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from grading.sandbox.allowlist import Allowlist, allowlist
from grading.sandbox.arguments import require_unchanged
from grading.sandbox.attribute_names import asking
from grading.sandbox.errors import COMPILED, BadAnswer, StudentError, SubmissionError
from grading.sandbox.facades import allowed_alone, builtins_for
from grading.sandbox.guarded_attributes import guarded
from grading.sandbox.seeding import set_seed
from grading.sandbox.values import Object, Value
from grading.sandbox.wire import require_array

_MODULE = "submission"  # in which the student's definitions stand
_LIBRARY = "course"  # in which those stand that are given beside them
_MAX_MESSAGE = 470  # people are shown 500 characters, and COMPILED follows
_MAX_DEPTH = 20
# Of these types exactly: a student's subclass could run its own code wherever it is read.
_DICTIONARIES = (dict, defaultdict, OrderedDict, Counter)
_MOST_SEARCHED = 20_000
# What arguments may be besides tensors and plain values.
_MAKERS = (
    "numpy.array",
    "numpy.random.default_rng",
    "keras.random.SeedGenerator",
    "keras.layers.Dense",
    "keras.models.model_from_json",
    "builtins.list",
    "grading.sandbox.arguments.Membership",
    "course.encoder.BertEncoder",
    "course.given.generator.Generator",
    "course.applications.retrieval.preferences.Preferences",
    "course.applications.translation.tables.Table",
    "course.given.word_vectors.ExactVectors",
)


class Interpreter:
    """A session whose student code runs in this process.

    Args:
        scratch: an empty folder in which a layer may be saved.
        namespace: names that are already defined, such as a notebook's; a new namespace by default.
        for_good: what an answer may not use stays out of its reach until the process ends, and not in operations
            alone: threads, and what is called when an object is shown or deleted, run between them, too.

    Attributes:
        kept: objects that later checks use again.
    """

    def __init__(self, scratch: Path, namespace: Mapping[str, Any] | None = None, *, for_good: bool = False) -> None:
        self.kept: dict[Hashable, Object] = {}
        self._scratch = scratch
        self._module = ModuleType(_MODULE)
        self._namespace = vars(self._module)
        self._namespace.update(namespace or {})
        self._objects: list[Any] = []
        self._allowed: Allowlist | None = None  # what the latest definition may use; None where it may use all
        self._origins: set[str] = set()
        self._restrictions = contextlib.ExitStack() if for_good else None

    def perform(self, operation: dict[str, Value], timeout: float | None = None) -> Value:
        """Performs one operation and returns its answer as plain values.

        Args:
            operation: `{"op": name, ...}`; each `_op_...` method below says what it takes.
            timeout: not used in this process; a sandboxed session ends the child after so many seconds of its own time.

        Raises:
            StudentError: the student's code raised.
            BadAnswer: the student's code returned what cannot be sent.
        """
        arguments = dict(operation)
        method = getattr(self, f"_op_{arguments.pop('op')}")
        with self._restricted(), _student_errors(self._origins):
            return method(**arguments)

    def _restricted(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext() if self._restrictions is not None else allowed_alone(self._allowed)

    def _op_give(self, library: str, names: Sequence[str]) -> None:
        """Takes what the next definition refers to and does not define from a module of the library's.

        It is an operation of its own, so that the text is gone when the student's code begins.
        """
        module = ModuleType(_LIBRARY)
        code = compile(library, f"<{_LIBRARY}>", "exec")
        vars(module).update(asking(lambda: code))
        exec(code, vars(module))
        self._namespace.update({name: getattr(module, name) for name in names})

    def _op_define(self, source: str, origin: str, ready_made: Sequence[str] | None = None) -> None:
        """Runs a text. An answer sees the names of the allowlist alone, less those that its exercise asks for."""
        self._origins.add(origin)
        if ready_made is not None:
            self._allowed = allowlist().without(ready_made)
            self._namespace["__builtins__"] = builtins_for(self._allowed)
            if self._restrictions is not None:
                self._restrictions.enter_context(allowed_alone(self._allowed))
        # The line cache lets a traceback quote the student's own line.
        linecache.cache[origin] = (len(source), None, source.splitlines(keepends=True), origin)
        # Data classes, enumerations, type hints and pickle look a definition's module up by its name.
        sys.modules[_MODULE] = self._module
        with self._restricted():
            exec(compile(source, origin, "exec") if ready_made is None else guarded(source, origin), self._namespace)

    def _op_seed(self, seed: int) -> None:
        set_seed(seed)

    def _op_call(
        self, target: str | Object, args: list, kwargs: dict, graph: bool = False, uncompiled: bool = False
    ) -> Value:
        function = self._resolve(target)
        args, kwargs = self._unpack(args), self._unpack(kwargs)
        require = require_unchanged(function, args, kwargs)
        with _nothing_compiled() if uncompiled else contextlib.nullcontext():
            result = _call_in_graph(function, args, kwargs) if graph else function(*args, **kwargs)
        require()
        return self._pack(result)

    def _op_known_sizes(self, target: str | Object, args: list) -> list[list[bool]]:
        import tensorflow as tf

        traced, _ = _traced(self._resolve(target), self._unpack(args), {})
        return [[size is not None for size in tensor.shape] for tensor in tf.nest.flatten(traced.structured_outputs)]

    def _op_largest(self, target: str | Object, args: list) -> int:
        traced, _ = _traced(self._resolve(target), self._unpack(args), {}, sizes_known=True)
        made = (tensor.shape for operation in traced.graph.get_operations() for tensor in operation.outputs)
        return max((shape.num_elements() for shape in made if shape.is_fully_defined()), default=0)

    def _op_two_steps(self, target: str | Object, args: list, kwargs: dict) -> list[Value]:
        traced, tensors = _traced(self._resolve(target), self._unpack(args), self._unpack(kwargs))
        with _nothing_rewritten():
            return [self._pack(traced(*tensors)) for _ in range(2)]

    def _op_make(self, maker: str, args: list, kwargs: dict) -> Object:
        """Something that is handed to the student's code as it is: a NumPy array, a random generator, a model."""
        if maker not in _MAKERS:
            raise ValueError(f"maker is {maker!r}; wanted one of {', '.join(_MAKERS)}")
        module, _, name = maker.rpartition(".")
        return self._keep(getattr(importlib.import_module(module), name)(*args, **kwargs))

    def _op_method(self, target: str | Object, name: str) -> Object:
        return self._keep(getattr(self._resolve(target), name))

    def _op_gradients(
        self, target: str | Object, args: list, kwargs: dict, cotangent: np.ndarray, of: str = ""
    ) -> list:
        """By each argument, None where there is none; how long that by all of a layer's weights is; and the output."""
        import tensorflow as tf

        function = self._resolve(target)
        fractions = [isinstance(value, np.ndarray) and value.dtype.kind == "f" for value in args]
        args, kwargs = self._unpack(args), self._unpack(kwargs)
        inputs = {place: args[place] for place, is_fraction in enumerate(fractions) if is_fraction}
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            output = function(*args, **kwargs)
            output = output[0] if isinstance(output, list | tuple) else output[of] if of else output
            total = tf.reduce_sum(tf.cast(output, cotangent.dtype) * cotangent)
        weights = [weight.value for weight in getattr(function, "trainable_weights", [])]
        by_inputs, by_weights = tape.gradient(total, (inputs, weights))
        # Of a table, the gradient is that of its rows, some of them twice; as one array it can be measured.
        learned = [tf.convert_to_tensor(gradient) for gradient in by_weights if gradient is not None]
        length = float(tf.linalg.global_norm(learned)) if learned else 0.0
        return [[self._pack(by_inputs.get(place)) for place in range(len(args))], length, self._pack(output)]

    def _op_weights(self, target: str | Object) -> list:
        return [[str.__str__(weight.path), self._pack(weight)] for weight in _weights_of(self._resolve(target))]

    def _op_assign(self, target: str | Object, arrays: list[np.ndarray]) -> None:
        for weight, array in zip(_weights_of(self._resolve(target)), arrays, strict=True):
            weight.assign(array)

    def _op_shapes(self, target: str | Object, paths: list[str], build: list) -> dict[str, list[int] | None]:
        """By path of attributes, such as "blocks.0.norm.gamma", the shape of the weight there; None where none is.

        The layer is built first, by its own `build` and no call, for inputs of these shapes.
        """
        layer = self._resolve(target)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a layer without a `build`; that it lacks weights is what is asked
            layer.build(*(shape if isinstance(shape, dict) else tuple(shape) for shape in build))
        return {path: _shape_at(layer, path) for path in paths}

    def _op_config(self, target: str | Object) -> Value:
        return self._pack(self._resolve(target).get_config())

    def _op_build(self, target: str | Object, args: list) -> None:
        from grading.sandbox.building import build

        build(self._resolve(target), self._unpack(args))

    def _op_save(self, target: str | Object, args: list) -> list:
        """The bytes of the .keras file to which the layer is saved; and its class, if that is the course's."""
        from grading.sandbox.saving import saved

        layer = self._resolve(target)
        data = np.frombuffer(saved(layer, args, self._scratch / "layer.keras"), np.uint8)
        kind = type(layer)
        return [data, f"{kind.__module__}.{kind.__name__}" if kind.__module__.startswith("course.") else ""]

    def _op_load(self, data: np.ndarray, kind: str) -> Object:
        """The layer from these bytes. Of classes of one name, the student's win."""
        from grading.sandbox.saving import loaded

        own = [value for value in self._namespace.values() if isinstance(value, type)]
        if kind.startswith("course."):
            module, _, name = kind.rpartition(".")
            own.insert(0, getattr(importlib.import_module(module), name))
        return self._keep(loaded(data.tobytes(), own, self._scratch / "layer.keras"))

    def _resolve(self, target: str | Object) -> Any:
        if isinstance(target, Object):
            return self._objects[target.id]
        if target not in self._namespace:
            raise NameError(f"name {target!r} is not defined")
        return self._namespace[target]

    def _keep(self, value: Any) -> Object:
        self._objects.append(value)
        return Object(len(self._objects) - 1)

    def _unpack(self, value: Value) -> Any:
        """Plain values -> what the student's code is given: tensors, and the objects that Objects stand for."""
        if isinstance(value, np.ndarray):
            import keras

            return keras.ops.convert_to_tensor(value)
        if isinstance(value, Object):
            return self._objects[value.id]
        if isinstance(value, list | tuple):
            return type(value)(self._unpack(item) for item in value)
        if isinstance(value, dict):
            return {key: self._unpack(item) for key, item in value.items()}
        return value

    def _pack(self, value: Any, depth: int = 0) -> Value:
        """What the student's code returned -> plain values of Python's and NumPy's own types exactly."""
        if depth > _MAX_DEPTH:
            raise BadAnswer(f"the answer is nested more than {_MAX_DEPTH} deep")
        if value is None or type(value) in (bool, int, float, str):
            return value
        if type(value) is np.str_:  # what NumPy takes from an array of texts
            return str.__str__(value)
        if isinstance(value, np.ndarray | np.generic):
            return _array(value)
        if type(value) is list or isinstance(value, tuple):
            return (list if type(value) is list else tuple)(self._pack(item, depth + 1) for item in value)
        if type(value) in _DICTIONARIES and all(isinstance(key, str) for key in value):
            return {str.__str__(key): self._pack(item, depth + 1) for key, item in value.items()}
        if hasattr(value, "dtype") and hasattr(value, "shape"):
            import keras

            return _array(keras.ops.convert_to_numpy(value))
        return self._keep(value)


def _weights_of(layer: Any) -> list[Any]:
    """A layer's weights by Keras's own account, each of Keras's own class: what they say of themselves is true."""
    import keras

    if not isinstance(layer, keras.Layer):
        raise TypeError(f"{type(layer).__name__} is not a Keras layer, so it has no weights")
    weights = keras.Layer.weights.fget(layer)
    for weight in weights:
        if type(weight) is not keras.Variable:
            raise BadAnswer(f"`weights` holds {type(weight).__name__}; wanted nothing but keras.Variable")
    return weights


def _shape_at(found: Any, path: str) -> list[int] | None:
    for step in path.split("."):
        try:
            found = found[int(step)] if step.isdigit() else getattr(found, step)
        except (AttributeError, LookupError, TypeError):
            return None
    shape = getattr(found, "shape", None)
    return None if shape is None else [int(size) for size in shape]


def _array(value: Any) -> np.ndarray:
    array = np.asarray(value)
    if array.dtype.kind == "O":
        raise BadAnswer("the answer is an array of Python objects; return numbers")
    require_array(array)
    return array


def _call_in_graph(function: Any, args: list, kwargs: dict) -> Any:
    """Calls as a compiled model does: symbolically, with sizes that are not known beforehand."""
    traced, tensors = _traced(function, args, kwargs)
    with _nothing_rewritten():
        return traced(*tensors)


def _traced(function: Any, args: list, kwargs: dict, *, sizes_known: bool = False) -> tuple[Any, list]:
    """A function of the tensors among the arguments, as a compiled model has it, and these tensors."""
    import tensorflow as tf

    def signature(tensor: Any) -> Any:
        rank = tensor.shape.rank
        # (batch, ..., length, features); ids and masks have no features, so nothing of (batch, length) is known
        unknown = () if sizes_known else {0, rank - 2} if tensor.dtype.is_floating else range(rank)
        return tf.TensorSpec([None if axis in unknown else tensor.shape[axis] for axis in range(rank)], tensor.dtype)

    flat = tf.nest.flatten(args)  # tensors may stand in a dictionary
    tensors = [value for value in flat if tf.is_tensor(value)]

    def call(*given: Any) -> Any:
        remaining = iter(given)
        values = [next(remaining) if tf.is_tensor(value) else value for value in flat]
        try:
            return function(*tf.nest.pack_sequence_as(args, values), **kwargs)
        except Exception as error:
            error.add_note(COMPILED)
            raise

    # Keras does not rewrite a layer's Python, so neither does this.
    traced = tf.function(call, autograph=False, input_signature=[signature(tensor) for tensor in tensors])
    with _nothing_rewritten():
        return traced.get_concrete_function(), tensors


def _nothing_compiled() -> contextlib.AbstractContextManager[None]:
    from grading.sandbox.small_training import small_training

    return small_training()


@contextlib.contextmanager
def _nothing_rewritten() -> Iterator[None]:
    """TensorFlow runs its functions as they were traced: to make one faster takes longer than to run it once."""
    import tensorflow as tf

    option = "disable_meta_optimizer"
    before = tf.config.optimizer.get_experimental_options().get(option, False)
    tf.config.optimizer.set_experimental_options({option: True})
    try:
        yield
    finally:
        tf.config.optimizer.set_experimental_options({option: before})


@contextlib.contextmanager
def _student_errors(origins: Collection[str]) -> Iterator[None]:
    """Turns whatever the student's code raises into a StudentError that says where."""
    try:
        yield
    except (SubmissionError, KeyboardInterrupt):
        raise
    except BaseException as error:
        said = (type(error).__name__, _message(error), _student_line(error, origins))
        raise StudentError(*(_storable(text) for text in said)) from None


def _message(error: BaseException) -> str:
    """The error's text; of Keras's and TensorFlow's long ones, the sentence that says what is wrong."""
    try:
        text, while_compiled = str.__str__(str(error)), COMPILED in getattr(error, "__notes__", ())
    except Exception:  # __str__ of a student's exception is the student's code, too
        return "(this error's message cannot be shown)"
    text = text[:_MOST_SEARCHED]
    if bold := re.search(r"\x1b\[1m(.*?)\x1b\[0m", text, re.DOTALL):
        text = bold.group(1)
    if text.startswith("in user code:"):  # a traceback through files that are not the student's, then the error
        text = re.sub(r"^\w+: ", "", text.strip().rpartition("\n\n")[2].strip())
    if text.startswith("Graph execution error:"):  # likewise, and then the node of the graph
        text = text.partition("\n\t [[")[0].rpartition("\n\n")[2]
    text = re.sub(r"\x1b\[\d*m|\{\{function_node [^}]*\}\} *| *\[Op:\w+\](?: name: *\w*)?", "", text)
    text = text[:_MAX_MESSAGE].strip()
    return f"{text} {COMPILED}".strip() if while_compiled else text


def _storable(text: str) -> str:
    """Text that a file can hold and that is the same in every run: no halves of characters, no addresses."""
    return re.sub(r"\b0x[0-9a-f]{6,}\b", "0x…", str.__str__(text)).encode(errors="backslashreplace").decode()


def _student_line(error: BaseException, origins: Collection[str]) -> str:
    """The last line of the student's own code that led to the error.

    If it stands in another definition than the one that was called, there are three lines: the last one of that
    definition, the last one of all, and where this one stands.
    """
    frames = zip(traceback.walk_tb(error.__traceback__), traceback.extract_tb(error.__traceback__), strict=True)
    own = [
        (frame.f_code.co_qualname, (summary.line or "").strip())
        for (frame, _), summary in frames
        if summary.filename in origins or "ipykernel" in summary.filename
    ]
    if not own:
        return ""
    called, (where, deepest) = own[0][0].partition(".")[0], own[-1]
    within = [line for name, line in own if name.partition(".")[0] == called]
    return deepest if where.partition(".")[0] == called else "\n".join([within[-1], deepest, where])
