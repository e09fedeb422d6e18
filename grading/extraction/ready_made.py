"""Lists the ready-made solutions to which a text refers: a hint for the instructor, not a verdict.

It reads the syntax tree and follows names through imports and assignments. A student can hide a name from it, but still
not use anything that the sandbox removes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from grading.extraction.cells import parse

# Flagged in every exercise: these run other code, reach out of the process, give a library another name, are the
# insides of one, where everything has a second name, or are libraries of whole solutions.
_ALWAYS = frozenset(
    {
        *("__import__", "compile", "eval", "exec", "importlib", "pkgutil", "runpy", "sys.modules"),
        *("builtins", "ctypes", "gc", "grading", "marshal", "pickle"),
        *(f"inspect.{name}" for name in ("currentframe", "getmembers", "getmodule", "getsource", "stack", "trace")),
        *("keras_hub", "keras_nlp", "tokenizers", "transformers"),
        *("open", "os.environ", "shutil"),
        *("http", "requests", "socket", "urllib"),
        *("keras.src", "tensorflow.python"),
        *(
            "multiprocessing",
            "os._exit",
            "os.abort",
            "os.fork",
            "os.kill",
            "os.popen",
            "os.system",
            "signal",
            "subprocess",
        ),
    }
)
_STARTS_PROGRAM = re.compile(r"os\.(exec|spawn|posix_spawn)\w+")
_LOOKUPS = frozenset({"getattr", "globals", "operator.attrgetter", "setattr", "vars"})
_LOOKUPS_OF_LIBRARIES = (
    "keras.layers.deserialize",
    "keras.saving.deserialize",
    "keras.saving.get_",
    "keras.saving.load",
    "keras.utils.get_registered_object",
)
# These return an activation by its name.
_ACTIVATIONS = ("keras.activations.deserialize", "keras.activations.get", "keras.layers.Activation")
_LOOKED_UP = "keras.activations.*"
_INSIDES = frozenset({"__builtins__", "__closure__", "__code__", "__dict__", "__globals__", "__subclasses__"})
# Other names of Keras.
_KERAS = re.compile(r"^(tensorflow\.keras|tf_keras|keras\.api|tensorflow\.python\.keras)(?=\.|$)")
_MOST_MEANINGS = 20  # of one name
_MOST_FINDINGS = 100
_MOST_ROUNDS = 10  # of following assignments


def ready_made_names(source: str, forbidden: tuple[str, ...]) -> list[str]:
    """List the ready-made solutions to which a text refers, and code that could bring one in.

    Args:
        source: Python code.
        forbidden: dotted names, each of which includes all names below it: "keras_hub",
            "keras.layers.MultiHeadAttention".

    Returns:
        Sorted dotted names, and sentences such as "patches numpy.allclose" or "getattr(keras.layers) looks up a
        name at run time".
    """
    tree = parse(source)
    if not isinstance(tree, ast.Module):
        return [f"the text cannot be scanned: {tree.msg}"]
    nodes = list(ast.walk(tree))
    names = _Names(nodes)
    found: set[str] = set()
    for dotted in names.referred_to(nodes):
        found.update(_findings(dotted, forbidden))
    for node in nodes:
        found.update(names.changes_and_lookups(node))
        for activation in names.activations(node):
            found.update(_findings(activation, forbidden))
    # `import keras_hub` adds nothing if `keras_hub.layers.X` is in the list.
    above = {name[: dot.start()] for name in found if " " not in name for dot in re.finditer(r"\.", name)}
    return sorted(found - above)[:_MOST_FINDINGS]


def _findings(dotted: str, forbidden: Iterable[str]) -> Iterator[str]:
    for name in forbidden:
        is_below = dotted == name or dotted.startswith(f"{name}.")
        # keras.src has a file for each layer, so the path below it does not matter.
        is_inside = (
            dotted.startswith(("keras.src.", "keras.layers.")) and dotted.rpartition(".")[2] == name.rpartition(".")[2]
        )
        if is_below or is_inside:
            yield dotted
    if dotted in _ALWAYS or any(dotted.startswith(f"{name}.") for name in _ALWAYS) or _STARTS_PROGRAM.match(dotted):
        yield dotted
    if dotted == _LOOKED_UP:
        yield "keras.activations looks up a name at run time"
    if dotted.startswith(_LOOKUPS_OF_LIBRARIES):
        yield f"{dotted} looks up a name at run time"


class _Names:
    """The possible meanings of each name in a text, all scopes together."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self._meanings: dict[str, set[str]] = {}
        self._star_imports: set[str] = set()
        self._bound: set[str] = set()
        assignments: list[tuple[str, ast.expr]] = []
        for node in nodes:
            match node:
                case ast.Import():
                    for alias in node.names:
                        name = alias.asname or alias.name.partition(".")[0]
                        self._add(name, {alias.name if alias.asname else name})
                case ast.ImportFrom(module=str(module), level=0):
                    for alias in node.names:
                        if alias.name == "*":
                            self._star_imports.add(module)
                        else:
                            self._add(alias.asname or alias.name, {f"{module}.{alias.name}"})
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.NamedExpr(target=ast.Name(id=name), value=value)
                ):
                    assignments.append((name, value))
                    self._bound.add(name)
                case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                    self._bound.add(name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    self._bound.add(name)
        self._modules = {meaning.partition(".")[0] for each in self._meanings.values() for meaning in each}
        for _ in range(_MOST_ROUNDS):
            news = [self._add(name, self._library_names(value)) for name, value in assignments]
            if not any(news):
                break

    def referred_to(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        """Yield the dotted names in a text, each in full length."""
        inner: set[ast.AST] = set()
        for node in nodes:
            if isinstance(node, ast.Attribute):
                inner.add(node.value)
            if isinstance(node, ast.Import):
                yield from (_canonical(alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield from (_canonical(f"{node.module}.{alias.name}") for alias in node.names if alias.name != "*")
                yield _canonical(node.module)
            elif node not in inner and isinstance(node, ast.Attribute | ast.Name | ast.Call):
                yield from self.meanings(node)

    def meanings(self, node: ast.AST) -> set[str]:
        """The dotted names that an expression may stand for."""
        attributes: list[str] = []
        while True:
            if isinstance(node, ast.Attribute):
                attributes.append(node.attr)
                node = node.value
            elif isinstance(node, ast.Call) and _name(node.func) == "getattr" and len(node.args) > 1:
                if (looked_up := _text(node.args[1])) is None:
                    return set()
                attributes.append(looked_up)
                node = node.args[0]
            else:
                break
        roots: set[str] = set()
        if isinstance(node, ast.Name):
            roots = set(self._meanings.get(node.id, ()))
            if not roots and node.id not in self._bound:
                roots = {node.id, *(f"{module}.{node.id}" for module in self._star_imports)}
        elif isinstance(node, ast.Call) and _name(node.func) in {"__import__", "import_module"} and node.args:
            module = _text(node.args[0])
            roots = {module} if module else set()
        return {_canonical(".".join([root, *reversed(attributes)])) for root in roots}

    def changes_and_lookups(self, node: ast.AST) -> Iterator[str]:
        """Yield sentences on a node that patches a library, or looks a name up in one at run time."""
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield from (f"patches {name}" for name in sorted(self._library_names(node)))
            case ast.Attribute(attr=attribute) if attribute in _INSIDES:
                owners = self._library_names(node.value)
                if owners or attribute != "__dict__":
                    yield f"{min(owners, default='')}.{attribute} looks up a name at run time".lstrip(".")
            case ast.Call(func=function, args=arguments):
                for called in self.meanings(function) & _LOOKUPS:
                    of = sorted(self._library_names(arguments[0])) if arguments else []
                    if called == "setattr":
                        yield from (f"patches {name}" for name in of)
                    elif of or called in {"globals", "operator.attrgetter"}:
                        yield f"{called}({', '.join(of)}) looks up a name at run time"

    def activations(self, node: ast.AST) -> Iterator[str]:
        """Yield the dotted names of activations that a node makes Keras look up."""
        if isinstance(node, ast.keyword) and node.arg == "activation" and (name := _text(node.value)) is not None:
            yield f"keras.activations.{name}"
        if isinstance(node, ast.Call) and node.args and self.meanings(node.func).intersection(_ACTIVATIONS):
            name = _text(node.args[0])
            yield f"keras.activations.{name}" if name is not None else _LOOKED_UP

    def _library_names(self, node: ast.AST) -> set[str]:
        roots = self._modules | {"keras", "builtins", "__builtins__"}
        return {name for name in self.meanings(node) if name.partition(".")[0] in roots}

    def _add(self, name: str, meanings: set[str]) -> bool:
        """Add meanings of a name, and return whether any is new."""
        known = self._meanings.setdefault(name, set())
        new = sorted(meanings - known)[: _MOST_MEANINGS - len(known)]
        known.update(new)
        return bool(new)


def _canonical(dotted: str) -> str:
    return _KERAS.sub("keras", dotted)


def _name(node: ast.AST) -> str | None:
    """`c` of `c` and of `a.b.c`."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def _text(node: ast.AST) -> str | None:
    """The value of a string literal, or of the sum of two; else None."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = node.left, node.right
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            return f"{left.value!s}{right.value!s}"
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
