"""Definitions are cut out of notebooks with what they refer to and nothing else, whatever happened to the cells."""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading.extraction import ExerciseSource, Extraction, extract
from grading.submission import Cell, Notebook

EXERCISES = {"half": "exercise-half", "quarter": "exercise-quarter", "Scale": "exercise-scale"}
STUB = 'def half(x):\n    """Half of x."""\n    raise NotImplementedError("Write half, then run the check below.")\n'
HALF = 'def half(x):\n    """Half of x."""\n    return x / 2\n'
USES_K = "#id exercise-half\ndef half(x): return k\n"
SCALE = """class Scale:
    def __init__(self, factor):
        self.factor = factor

    def call(self, x):
        {call}

    def get_config(self):
        return {{"factor": self.factor}}
"""


def notebook(*cells: str | Cell) -> Notebook:
    """A notebook of code cells; "#id ..." on a cell's first line is its id."""
    made = []
    for index, cell in enumerate(cells, 1):
        if isinstance(cell, Cell):
            made.append(Cell(cell.id, cell.kind, cell.source, index))
            continue
        first, _, rest = cell.partition("\n")
        is_id = first.startswith("#id ")
        made.append(Cell(first[4:] if is_id else "", "code", rest if is_id else cell, index))
    return Notebook("a.ipynb", tuple(made), 3, (), "")


def cut(*cells: str | Cell, name: str = "half") -> ExerciseSource:
    return extract(notebook(*cells), EXERCISES).exercises[name]


def run(found: ExerciseSource, source: str = "", **given: Any) -> Any:
    """Runs a cut-out source by itself, as the sandbox does, and gives what it defines."""
    module = sys.modules["submission"] = ModuleType("submission")
    vars(module).update(given)
    exec(compile(source or found.source, "submission", "exec"), vars(module))
    return getattr(module, found.name)


def steps(work: Callable[[], object]) -> int:
    """How many instructions of Python some work takes."""
    count = 0

    def each_instruction(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return each_instruction

    before = sys.gettrace()
    sys.settrace(each_instruction)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


# --- What belongs to a definition ---


def test_only_statements_that_a_definition_needs_are_cut_out() -> None:
    found = cut(
        "import math, sys\nimport os\nfrom grading.student_kernel.check import check",
        "factor = _halves()\nunused = open('/etc/passwd')",
        "def _halves():\n    # the comment stays\n    return math.floor(2.5)\ndef other(): return sys",
        f"#id exercise-half\n{HALF.replace('x / 2', 'x / factor')}print('trained')\ncheck(half)",
        "half(3)\nfor step in range(10**12): factor_of_training = step",
    )
    assert found.status == "found"
    assert found.source == (
        "import math, sys\n\n"
        "def _halves():\n    # the comment stays\n    return math.floor(2.5)\n\n"
        "factor = _halves()\n\n"
        'def half(x):\n    """Half of x."""\n    return x / factor\n'
    )
    assert run(found)(7) == 3.5


def test_names_follow_pythons_scopes() -> None:
    found = cut(
        "x = local = each = inner = caught = key = parameter = launch_missiles()",
        "free = 5\ndefault = 1\nmarked = 0\nclass Base: pass\nannotated = int",
        "#id exercise-half\n"
        "def half(x, *parameter, key=default) -> annotated:\n"
        "    local = [each for each in x if each != marked]\n"
        "    class inner(Base):\n        def method(self): return free, __class__\n"
        "    try:\n        return lambda local: (local, inner, key)\n"
        "    except ValueError as caught:\n        raise caught\n",
    )
    assert "launch_missiles" not in found.source
    assert [line.split()[0] for line in found.source.splitlines() if line and not line[0].isspace()] == [
        "free", "default", "marked", "class", "annotated", "def",
    ]  # fmt: skip
    assert found.unknown == ()


def test_a_global_that_hides_behind_a_class_attribute_is_found() -> None:
    found = cut(
        "size = 4",
        "#id exercise-half\n"
        "def half(x):\n    class A:\n        size = 9\n        def f(self): return size\n    return A().f()",
    )
    assert run(found)(0) == 4


def test_only_needed_statements_of_top_level_blocks_are_taken() -> None:
    found = cut(
        "try:\n    import no_such_library as library\n    print('there')\nexcept ImportError:\n"
        "    library = None\n    !pip install no_such_library",
        "if True:\n    a, b = 1, 2\n    launch_missiles()\nelse:\n    launch_missiles()",
        "import contextlib\nwith contextlib.suppress(Exception) as nothing:\n    c = 3; launch_missiles()",
        "if __name__ == '__main__':\n    def half(x):\n        return library, a, c, x\n    check(half)",
    )
    assert "launch_missiles" not in found.source
    assert "pip" not in found.source
    assert run(found)(8) == (None, 1, 3, 8)


@pytest.mark.parametrize("helper", [0, 1], ids=["before its use", "after its use"])
def test_a_helper_keeps_what_it_imported_where_a_later_cell_uses_that_name_again(helper: int) -> None:
    parts = (
        "from dataclasses import dataclass, field\n"
        "@dataclass\nclass Parts:\n    of: list = field(default_factory=list)\n"
    )
    cells = ["#id exercise-half\ndef half(x):\n    return Parts([x / 2]).of"]
    cells.insert(helper, parts)
    found = cut(*cells, "field = launch_missiles()")
    assert "launch_missiles" not in found.source
    assert run(found)(7) == [3.5]


_OFTEN = {
    "a name that changes itself": ("x = 0\n", "x = x + 1\n", "def half(y): return x"),
    "an exercise that changes itself": ("def half(y): return y\n", "half = jit(half)\n", ""),
    "names for one name": ("x = 1\n", "half = x\nx = x\n", ""),
    "what is set on an object": ("x = object()\n", "x.y = 1\n", "def half(y): return x"),
    "one line that is not ASCII": ("é = 1", "; é = é", "\ndef half(y): return é"),
    "imports": ("x = 0\n", "import x\nx = x\n", "def half(y): return x"),
}


@pytest.mark.parametrize("kind", _OFTEN)
def test_four_times_the_lines_cost_four_times_the_work(kind: str) -> None:
    first, line, last = _OFTEN[kind]
    work = [steps(lambda count=count: cut(f"#id exercise-half\n{first}{line * count}{last}")) for count in (50, 200)]
    assert work[1] < 5 * work[0]


def test_an_import_stays_what_it_was_where_a_later_cell_uses_its_name_again() -> None:
    found = cut(
        "from math import sqrt as layers, pow as steps",
        "steps = lambda x, y: y / x",
        "#id exercise-half\ndef half(x):\n    return steps(layers(4), x)",
        "import nowhere\nlayers = [nowhere.layer for _ in range(3)]",
    )
    assert "nowhere" not in found.source
    assert run(found)(3) == 1.5


def test_loops_are_taken_only_if_nothing_else_binds_the_name() -> None:
    trained = "step = 1\nfor step in range(10**12): pass"
    table = "table = {}\nfor place in range(3):\n    table[place] = place * place"
    assert run(cut(trained, "#id exercise-half\ndef half(x): return step"))(0) == 1
    assert run(cut(table, "#id exercise-half\ndef half(x): return table[x]"))(2) == 4
    assert run(cut("for last in 'abc': pass", "#id exercise-half\ndef half(x): return last"))(0) == "c"


@pytest.mark.parametrize(
    "made",
    [
        "k = []\nfor word in ['to', 'be', 'not']:\n    k.append(len(word))",
        "k = {}\nk.update(two=2)",
        "k = {}\nfor word in ['to', 'be', 'to']: k.setdefault(word, len(k))",
        "k = {'one': 1, 'two': 2}\ndel k['one']",
        "k = 0\nfor word in ['to', 'be', 'not']:\n    k = max(k, len(word))",
        "k = 0\nfor number in range(5):\n    k += number",
        "k = 1\nwhile k < 100: k = 3 * k",
        "k = 7\nfor word in ['to', 'be']:\n    if len(word) > 5: k = word",
        "k = 7\nwhile k < 5: k = 8",
        "any((k := number) > 3 for number in range(9))",
        "import functools\n@functools.singledispatch\ndef k(x): return x\n@k.register(int)\ndef _(x): return -x",
    ],
)
def test_a_value_is_what_the_statements_that_change_it_have_made_of_it(made: str) -> None:
    there: dict[str, Any] = {}
    exec(made, there)
    found = run(cut(made, USES_K))(0)
    assert (found(3) if callable(found) else found) == (there["k"](3) if callable(there["k"]) else there["k"])


def test_statements_needed_at_once_come_first_even_if_cells_were_moved() -> None:
    found = cut(
        "#id exercise-half\n@decorate\ndef half(x, y=limit): return x, y",
        "limit = compute(3)",
        "def compute(n): return math.factorial(n)",
        "def decorate(f): return functools.wraps(f)(lambda x: f(x))",
        "import math",
        "import functools",
    )
    assert run(found)(1) == (1, 6)


def test_an_exercise_that_uses_another_includes_it() -> None:
    cells = (
        "#id exercise-half\n" + HALF,
        "half = launch_missiles",
        "#id exercise-quarter\ndef quarter(x): return half(half(x))",
    )
    found = cut(*cells, name="quarter")
    assert found.builds_on == ("half",)
    assert run(found)(9) == 2.25
    assert cut(*cells).builds_on == ()
    assert cut("#id exercise-half\n" + STUB, cells[2], name="quarter").builds_on == ("half",)


def test_an_exercise_can_be_cut_out_without_those_before_it() -> None:
    helper = "def by(x, n): return x / n"
    half = "#id exercise-half\ndef half(x): return by(x, 3)"
    quarter = "#id exercise-quarter\ndef quarter(x): return half(half(x)) + zero()\ndef zero(): return 0"
    found = cut(helper, half, quarter, name="quarter")
    assert run(found)(9) == 1
    assert found.alone.count("def ") == 2  # neither the exercise before nor what only that one uses
    assert run(found, found.alone, half=lambda x: x / 2)(9) == 2.25
    # What comes after it is the student's own, wherever it stands.
    assert cut(half, "#id exercise-quarter\ndef quarter(x): return x / 4").builds_on == ()
    assert cut("#id exercise-half\ndef half(x): return 2 * quarter(x)", quarter).builds_on == ()
    missing = cut(quarter, name="quarter")
    assert missing.builds_on == ("half",)
    assert run(missing, missing.alone, half=lambda x: x / 2)(9) == 2.25


@pytest.mark.parametrize(
    "definition",
    [
        "def my_half(x): return x / 2\nhalf = my_half",
        "import functools\nhalf = functools.partial(lambda d, x: x / d, 2)",
        "half = lambda x: x / 2",
        "import functools as f\nhalf: object = f.lru_cache(2)(lambda x: x / 2)",
        "def half(x): return x\ndef halved(f): return lambda x: f(x) / 2\nhalf = halved(half)",
        "def half(x): return 0\nif half:\n    def half(x): return x / 2\nelse:\n    def half(x): return 1",
        "class Solution:\n    @staticmethod\n    def half(x): return x / 2",
        "class Solution:\n    def half(self, x): return x / 2",
        f"{STUB}class Solution:\n    def half(self, x): return x / 2",
    ],
)
def test_other_ways_to_define(definition: str) -> None:
    found = cut("#id exercise-half\n" + definition)
    assert (found.status, run(found)(5)) == ("found", 2.5)


def test_a_method_of_an_exercise_is_no_exercise() -> None:
    layer = SCALE.format(call="return self.half(x)") + "    def half(self, x): return x / 2\n"
    assert cut("#id exercise-half\n" + STUB, "#id exercise-scale\n" + layer).status == "not attempted"


def test_a_class_may_be_written_in_several_cells() -> None:
    start = "#id exercise-scale\n" + SCALE.format(call="raise NotImplementedError")
    by_assignment = ("def my_call(self, x): return x * self.factor", "Scale.call = my_call")
    by_setattr = ("setattr(Scale, 'call', lambda self, x: x * self.factor)",)
    by_subclass = ("class Scale(Scale):\n    def call(self, x): return x * self.factor",)
    by_decorator = (
        "def add_to(owner): return lambda method: setattr(owner, method.__name__, method)",
        "@add_to(Scale)\ndef call(self, x): return x * self.factor",
    )
    for rest in (by_assignment, by_setattr, by_subclass, by_decorator):
        found = cut("Scale = None", start, *rest, "np.allclose = print", name="Scale")
        assert run(found)(3).call(5) == 15
        assert run(found)(3).get_config() == {"factor": 3}
        assert "np" not in found.source


def test_a_class_without_a_stub_may_be_continued_before_its_check() -> None:
    start = "#id exercise-scale\nclass Scale:\n    def __init__(self, factor): self.factor = factor"
    call = "class Scale(Scale):\n    def call(self, x): return x * self.factor"
    check, other = "check(Scale)", "class Scale(Scale):\n    def call(self, x): return 0"
    assert run(cut(start, call, check, other, name="Scale"))(3).call(5) == 15


def test_an_empty_class_is_written_if_its_base_is() -> None:
    mine = "class Mine:\n    def call(self, x): return 2 * x"
    found = cut(mine, "#id exercise-scale\nclass Scale(Mine):\n    pass", name="Scale")
    assert (found.status, run(found)().call(3)) == ("found", 6)


def test_a_class_may_take_a_global_of_the_same_name() -> None:
    layer = "class Scale:\n    half = staticmethod(half)\n    width = width\n    def call(self, x): return self.half(x)"
    found = cut("width = 3", "#id exercise-half\n" + HALF, "#id exercise-scale\n" + layer, name="Scale")
    assert (run(found)().call(3), run(found).width, found.builds_on) == (1.5, 3, ("half",))


def test_changes_to_libraries_are_left_out() -> None:
    found = cut("import math\nmath.sqrt = lambda x: 0", "#id exercise-half\ndef half(x): return math.sqrt(x)")
    assert run(found)(9) == math.sqrt(9)
    found = cut("import math\nk = math", "k.sort(missing)", "#id exercise-half\ndef half(x): return k.sqrt(x)")
    assert run(found)(9) == math.sqrt(9)
    assert "lambda" not in found.source


def test_the_grader_the_future_and_the_course() -> None:
    found = cut(
        "from grading.student_kernel.check import check\nimport grading.student_kernel.check, functools\n"
        "from __future__ import annotations",
        "from course.attention import MultiHeadAttention  # given",
        "#id exercise-half\ndef half(x: Missing): return functools, MultiHeadAttention, check",
    )
    first, *rest = found.source.splitlines()
    assert first == "from __future__ import annotations"
    assert "from course.attention import MultiHeadAttention" in rest
    assert "import functools" in rest
    assert "grading" not in found.source
    assert sorted(found.unknown) == ["Missing", "check"]


def test_star_imports_are_kept_where_a_name_may_come_from_them() -> None:
    for hidden, module in ((True, "keras.ops"), (False, "google.colab")):
        found = cut(f"from {module} import *", "#id exercise-half\ndef half(x): return max(x)")
        assert ("import *" in found.source) == hidden
    used, unused = (cut("from math import *", f"#id exercise-half\ndef half(x): return {e}") for e in ("sqrt(x)", "x"))
    assert run(used)(16) == 4
    assert "import" not in unused.source


# --- At which moment a name is looked up ---


@pytest.mark.parametrize(
    ("cells", "result"),
    {
        "the latest above the check": (("k = 1", "k = 2", USES_K, "check(half)", "k = launch_missiles()"), 2),
        "one that stands between the cell and its check": (("k = 1", USES_K, "k = 3", "check(half)", "k = 4"), 3),
        "no check: up to the end of the cell": (("k = 1", f"{USES_K}k = 5", "k = launch_missiles()"), 5),
        "a value that has the name of a demo's function": (("def k(): return 0", f"{USES_K}k = 6"), 6),
        "a function that has the name of a demo's value": (
            ("k = 1", "#id exercise-half\ndef k(): return 7\ndef half(x): return k()", "k = launch_missiles()"), 7,
        ),
        "what is called at once finds what is there by then": (
            ("k = 8", "def made(): return k", "#id exercise-half\ny = made()\ndef half(x): return y, k", "k = 0"),
            (8, 8),
        ),
        "a value that is used before it changes": (
            ("k = 1", "y = k", "k = 2", "#id exercise-half\ndef half(x): return y, k"), (1, 2),
        ),
        "the same value once more": (
            ("k = 1", "y = k", "k = 2", "#id exercise-half\nk = 1\ndef half(x): return k, y"), (1, 1),
        ),
        "under a condition, with what holds otherwise": (("k = 1", "if False:\n    k = 2", USES_K), 1),
        "under `with`": (("k = launch_missiles()", "import io\nwith io.StringIO('9') as f: k = f.read()", USES_K), "9"),
        "only below: the first": ((USES_K, "k = 1\nk += 1", "k = launch_missiles()"), 2),
    }.values(),
)  # fmt: skip
def test_a_name_is_what_a_kernel_has_at_the_check(cells: tuple[str, ...], result: object) -> None:
    found = cut(*cells)
    assert "launch_missiles" not in found.source
    assert run(found)(0) == result


# --- Which definition counts ---


@pytest.mark.parametrize(
    ("cells", "result"),
    {
        "its own cell, not a later one": (("#id exercise-half\n" + HALF, "def half(x): return 0"), 2.5),
        "its own cell, not an earlier one": (("def half(x): return 0", "#id exercise-half\n" + HALF), 2.5),
        "ids gone: the last": (("def half(x): return 0", HALF), 2.5),
        "ids gone: not the stub": ((HALF, STUB), 2.5),
        "the cell doubled: the last": (("#id exercise-half\ndef half(x): return 0", "#id exercise-half\n" + HALF), 2.5),
        "the cell doubled: not the stub": (("#id exercise-half\n" + HALF, "#id exercise-half\n" + STUB), 2.5),
        "written elsewhere": (("#id exercise-half\n" + STUB, HALF), 2.5),
        "own cell emptied": (("#id exercise-half\n# see below", HALF), 2.5),
        "not a result of that name": ((HALF, "half = half(5)", "half += 1"), 2.5),
        "not what the course has": ((HALF, "from course.numbers import half"), 2.5),
        "all cells merged": ((f"import math\n{HALF}\ndef quarter(x): return math.nan\nprint(half(3))\n",), 2.5),
        "indented as a whole": (("    " + HALF.replace("\n", "\n    ").rstrip(" "),), 2.5),
        "split in the body": (("#id exercise-half\ndef half(x):\n    y = x", "    return y / 2\n"), 2.5),
        "split in a bracket": (("#id exercise-half\ndef half(x,", "         y=2):\n    return x / y\n"), 2.5),
        "split in a class": (("class A:\n    k = 2", "    d = 3", "def half(x): return x * A.d / 2 / 3"), 2.5),
        "in a text cell": ((Cell("exercise-half", "markdown", HALF, 0),), 2.5),
        "in a raw cell without id": ((Cell("", "raw", HALF, 0),), 2.5),
        "not from prose": ((HALF, Cell("", "markdown", "def half(x):\n    return 1\n", 0)), 2.5),
        "from a helper file that a cell writes": (
            ("%%writefile helper.py\ndef my_half(x): return x / 2", "from helper import my_half as half"),
            2.5,
        ),
        "a helper's name used again": (("def h(x): return x / 2", "def half(x): return h(x)", "h = h(3)"), 2.5),
    }.values(),
)  # fmt: skip
def test_the_right_definition_counts(cells: tuple[str | Cell, ...], result: float) -> None:
    found = cut(*cells)
    assert found.status == "found"
    assert run(found)(5) == result


@pytest.mark.parametrize(
    ("cells", "name", "status"),
    [
        (("#id exercise-half\n" + STUB,), "half", "not attempted"),
        (("def half(x): ...",), "half", "not attempted"),
        (("half = None",), "half", "not attempted"),
        (("from course.numbers import half",), "half", "not attempted"),
        ((SCALE.format(call="raise NotImplementedError()"),), "Scale", "not attempted"),
        ((SCALE.format(call="pass"),), "Scale", "not attempted"),
        ((SCALE.format(call="pass") + "    @staticmethod\n    def given(): return 1\n",), "Scale", "not attempted"),
        ((SCALE.format(call="pass") + "    def build(self, shape): self.built = True\n",), "Scale", "found"),
        ((SCALE.format(call="return x"),), "Scale", "found"),
        (
            (SCALE.format(call="return x") + "    def build(self, shape): raise NotImplementedError\n",),
            "Scale",
            "found",
        ),
        (("print(1)", Cell("", "markdown", "About half.", 0)), "half", "missing"),
        ((), "half", "missing"),
        (("#id exercise-half\n%%bash\nhalf = 3",), "half", "missing"),
        (("#id exercise-half\ndef half(x)\n    return x",), "half", "syntax error"),
        (("def half(x):\n    return (x",), "half", "syntax error"),
        (("#id exercise-half\nfed half(x):\n    return x",), "half", "syntax error"),
        ((STUB, "def half(x):\nreturn x"), "half", "syntax error"),
    ],
)
def test_statuses(cells: tuple[str | Cell, ...], name: str, status: str) -> None:
    found = cut(*cells, name=name)
    assert found.status == status
    assert bool(found.problem) == (status != "found")


def test_a_syntax_error_is_reported_with_its_place_and_costs_only_itself() -> None:
    cells = (
        "import math\nwidth = (3\ndef helper(x): return math.floor(x)\n",
        "#id exercise-half\n# first line\nroot = math.sqrt\ndef half(x):\n    return x /\n\n"
        "def after(x): return root(x)\n",
        "#id exercise-quarter\ndef quarter(x): return helper(x) + after(x)",
    )
    found = extract(notebook(*cells), EXERCISES)
    half, quarter = found.exercises["half"], found.exercises["quarter"]
    assert (half.status, half.problem) == ("syntax error", "invalid syntax (cell 2, line 4)")
    assert run(quarter)(4.0) == 6
    assert found.notes == ("cell 1, line 2: '(' was never closed", "cell 2, line 4: invalid syntax")


# --- Notebook syntax ---


def test_magics_and_shell_lines_are_taken_out() -> None:
    found = cut(
        "%matplotlib inline\n!rm -rf 'it\\\n   is\nimport math\n"
        "?math\nmath.sqrt??\nfiles = !ls (\n%time root = math.sqrt",
        "%%time\n%%capture out\n" + 'text = """\n!kept\n%kept\n"""\nsize = (7\n    % 4)',
        "%%bash\nroot=broken",
        "#id exercise-half\n\n%%time\ndef half(x):\n    %timeit x\n    !echo\n    return root(x), text, size",
    )
    assert run(found)(9) == (3, "\n!kept\n%kept\n", 3)
    for gone in ("rm -rf", "ls", "timeit", "echo", "broken", "inline"):
        assert gone not in found.source


# --- Size and hostility ---


def test_ten_thousand_cells_and_huge_cells() -> None:
    cells: list[str] = [f"v{place} = v{place - 1}\n!ls" for place in range(1, 9_000)]
    cells += ["x=1\n" * 2_500_000, "(" * 100_000, "-" * 100_000 + "1", " " * 150_000 + "?", "'''" + "def f(\n" * 20_000]
    cells += ["f = lambda: " * 900 + "0", "y = " + "+".join(["1"] * 50_000), "    a = 1\n" * 1_000] * 3
    found = extract(notebook(*cells, "#id exercise-half\n" + HALF.replace("x / 2", "x / len('ab')")), EXERCISES)
    assert run(found.exercises["half"])(3) == 1.5
    assert any("10,000,000 characters" in note for note in found.notes)
    assert len(found.notes) <= 21


def test_a_long_chain_of_helpers() -> None:
    chain = [f"def h{n}(x): return h{n + 1}(x)" for n in range(700)] + ["def h700(x): return x / 2"]
    found = cut(*reversed(chain), "#id exercise-half\n" + "half = h0")
    assert run(found)(3) == 1.5


LINES = st.sampled_from(
    """
def half(x):|    return x / k|    pass|if k:|else:|k = 3|try:|except E as e:|%time k = 1|    k = (|)|"|'|@half
class Scale(half):|    def call(self): return half|!ls (|k += 1; k|with k as half:|    half.x = k|match k:|\f|\\
    case [half, *k]: pass|import k.half|from k import *|%%writefile k.py|from k import half as k|  k|global half
for k in half: half[k] = k|del half|é = ü|\'\'\'|half = k|async def k(): await half|k: int|lambda: (yield)|%%time
""".replace("\n", "|").split("|")
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(LINES, max_size=7).map("\n".join) | st.text(max_size=30), max_size=6))
def test_any_cells_give_a_valid_module(sources: list[str]) -> None:
    cells = [Cell(("exercise-half", "")[place % 2], "code", text, place + 1) for place, text in enumerate(sources)]
    found: Extraction = extract(Notebook("a.ipynb", tuple(cells), None, (), ""), EXERCISES)
    assert list(found.exercises) == list(EXERCISES)
    for each in found.exercises.values():
        assert each.status in {"found", "not attempted", "missing", "syntax error"}
        ast.parse(each.source)
        assert (each.status == "found") <= bool(each.source)
