"""Children come and go by the dozen, compute as they would outside, and leave no process behind."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import sysconfig
import textwrap
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from grading.sandbox.client import Child, Sandbox
from grading.sandbox.clock import WallTime
from grading.sandbox.errors import StudentDied, StudentError, StudentTimeout, SubmissionTimeout
from grading.sandbox.session import SandboxSession
from grading.sandbox.start import SandboxFailed
from tests.grading.sandbox.conftest import BACKENDS
from tests.grading.sandbox.hostile import run

_PROJECT = Path(__file__).resolve().parents[3]
_LAYER = """
import keras

class Doubled(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.dense = keras.layers.Dense(units, use_bias=False)

    def call(self, inputs):
        return 2 * self.dense(inputs)

    def get_config(self):
        return {**super().get_config(), "units": self.units}
"""


def _layer(child: Child, inputs: np.ndarray, units: int) -> object:
    child.perform({"op": "define", "source": _LAYER, "origin": "<cell>"})
    layer = child.perform({"op": "call", "target": "Doubled", "args": [units], "kwargs": {}})
    child.perform({"op": "call", "target": layer, "args": [inputs], "kwargs": {}})
    return layer


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_layer_computes_forwards_and_backwards_and_is_saved(
    sandboxes: Callable[[str], Sandbox], backend: str
) -> None:
    random = np.random.default_rng(3)
    inputs = random.normal(size=(2, 5, 3)).astype("float32")
    weights = random.normal(size=(3, 4)).astype("float32")
    cotangent = random.normal(size=(2, 5, 4)).astype("float32")
    with sandboxes(backend).child() as child:
        layer = _layer(child, inputs, 4)
        child.perform({"op": "assign", "target": layer, "arrays": [weights]})
        call = {"op": "call", "args": [inputs], "kwargs": {}}
        output = child.perform({**call, "target": layer})
        np.testing.assert_allclose(output, 2 * inputs @ weights, rtol=1e-5, atol=1e-5)
        (gradient,), length, again = child.perform({**call, "op": "gradients", "target": layer, "cotangent": cotangent})
        np.testing.assert_array_equal(again, output)
        np.testing.assert_allclose(gradient, 2 * cotangent @ weights.T, rtol=1e-5, atol=1e-5)
        by_weights = 2 * np.einsum("blf,blh->fh", inputs, cotangent)
        np.testing.assert_allclose(length, np.sqrt(np.sum(by_weights**2)), rtol=1e-5)
        data, kind = child.perform({"op": "save", "target": layer, "args": [inputs]}, timeout=30)
        restored = child.perform({"op": "load", "data": data, "kind": kind}, timeout=30)
        np.testing.assert_allclose(child.perform({**call, "target": restored}), output, rtol=1e-5)


def test_what_is_saved_is_loaded_in_a_process_that_knows_only_the_file(sandbox: Sandbox) -> None:
    source = _LAYER + "\n\nseen = []\n\ndef count(x):\n    seen.append(x)\n    return len(seen)\n"
    inputs = np.linspace(-1, 1, 30).reshape(2, 5, 3).astype("float32")
    with SandboxSession(sandbox, 60) as session:
        session.define(source, "<cell>", [])
        layer = session.perform({"op": "call", "target": "Doubled", "args": [4], "kwargs": {}})
        output = session.perform({"op": "call", "target": layer, "args": [inputs], "kwargs": {}})
        count = {"op": "call", "target": "count", "args": [1], "kwargs": {}}
        assert [session.perform(count) for _ in range(2)] == [1, 2]
        data, kind = session.perform({"op": "save", "target": layer, "args": [inputs]})
        restored = session.perform({"op": "load", "data": data, "kind": kind})
        again = session.perform({"op": "call", "target": restored, "args": [inputs], "kwargs": {}})
        np.testing.assert_allclose(again, output, rtol=1e-5)
        assert session.perform(count) == 1


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("options", ["", "jit_compile=True"], ids=["graph", "XLA"])
def test_functions_are_compiled(sandboxes: Callable[[str], Sandbox], backend: str, options: str) -> None:
    source = f"""
    import tensorflow as tf
    @tf.function({options})
    def attack(array):
        return tf.reduce_sum(tf.sin(array) ** 2 + tf.cos(array) ** 2)
    """
    with sandboxes(backend).child() as child:
        total = run(child, source, np.linspace(0, 3, 7, dtype="float32"), timeout=30)
    np.testing.assert_allclose(total, 7, rtol=1e-5)


def test_a_model_is_fitted(child: Child) -> None:
    source = """
    import keras, numpy
    def attack(inputs, targets):
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile('sgd', 'mse')
        losses = model.fit(inputs, targets, epochs=3, verbose=1).history['loss']
        return losses[-1] < losses[0]
    """
    inputs = np.random.default_rng(5).normal(size=(16, 3)).astype("float32")
    assert run(child, source, inputs, inputs.sum(1, keepdims=True), timeout=30) is True


def test_pandas_and_scipy_are_there(child: Child) -> None:
    source = """
    import pandas
    from scipy.special import expit
    def attack(x):
        return pandas.Series(expit(x)).sum()
    """
    np.testing.assert_allclose(run(child, source, np.zeros(6), timeout=30), 3.0)


def test_fifty_children_one_after_another(sandbox: Sandbox) -> None:
    for number in range(50):
        with sandbox.child() as child:
            answer = run(child, "import keras\ndef attack(x): return keras.ops.square(x)", np.float32([number, 3]))
        assert answer.tolist() == [number**2, 9]


def test_several_threads_hold_children_at_once(sandbox: Sandbox) -> None:
    def grade(number: int) -> int:
        with sandbox.child() as child:
            return run(child, "import time\ndef attack(number): time.sleep(0.1); return number * 3", number)

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(grade, range(18))) == [3 * number for number in range(18)]


def test_a_child_asks_nothing_of_a_closed_sandbox(library: Path) -> None:
    with pytest.raises(SandboxFailed, match="closed"), Sandbox(library=library).child():
        pass


def test_a_zygote_that_dies_is_started_again(library: Path) -> None:
    before = set(_descendants(os.getpid()))
    with Sandbox(library=library) as sandbox:
        with sandbox.child() as child:
            # In the order of birth: the launcher, the zygote, the supervisor, the child.
            _, zygote, *_ = [pid for pid in _descendants(os.getpid()) if pid not in before]
            os.kill(zygote, signal.SIGKILL)
            _wait_until_gone([zygote])
            with pytest.raises(StudentDied, match="together with the sandbox"):
                run(child, "def attack(): return 1")
        with sandbox.child() as child:
            assert run(child, "def attack(): return 1") == 1


def test_a_zygote_that_cannot_be_started_again_is_said_so(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(_descendants(os.getpid()))
    with Sandbox(library=library) as sandbox:
        launcher, *_ = [pid for pid in _descendants(os.getpid()) if pid not in before]
        monkeypatch.setattr("grading.sandbox.start._RUN", "raise SystemExit('no {} today')")
        os.kill(launcher, signal.SIGKILL)
        with pytest.raises(SandboxFailed, match="did not start: no launcher today"), sandbox.child():
            pass


def test_a_grader_that_is_killed_leaves_no_process(library: Path, tmp_path: Path) -> None:
    grader = textwrap.dedent(
        """
        import pathlib, sys
        from grading.sandbox.client import Sandbox
        with Sandbox(library=pathlib.Path(sys.argv[1])) as sandbox, sandbox.child() as child:
            child.perform({"op": "define", "source": "def spin():\\n while True: pass", "origin": "<cell>"})
            print("spinning", flush=True)
            child.perform({"op": "call", "target": "spin", "args": [], "kwargs": {}}, 600)
        """
    )
    command = [sys.executable, "-c", grader, str(library)]
    # Killed, it cannot remove its temporary folder either.
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=_PROJECT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "spinning\n"
        started = _descendants(process.pid)
        assert len(started) >= 4  # the launcher, the zygote, a supervisor, its child
        process.kill()
    _wait_until_gone(started)


_AS_SOMEBODY = """
import os, sys
sys.path.insert(0, sys.argv[1])
from grading.sandbox import kernel
kernel.unshare(kernel.CLONE_NEWNS)
kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
for source, target in zip(sys.argv[4::2], sys.argv[5::2]):
    os.makedirs(target)
    kernel.mount(source, target, None, kernel.MS_BIND | kernel.MS_REC)
os.setgroups([])
os.setresgid(1000, 1000, 1000)
os.setresuid(1000, 1000, 1000)
os.execve(sys.argv[2], [sys.argv[2], "-c", sys.argv[3]], dict(os.environ))
"""
_ORDINARY = """
import os, pathlib
from grading.sandbox.client import Sandbox
assert os.geteuid() != 0
with Sandbox(library=pathlib.Path(os.environ["LIBRARY"])) as sandbox, sandbox.child() as child:
    source = "import os, keras\\ndef attack(x): return [os.getuid(), float(keras.ops.sum(x))]"
    child.perform({"op": "define", "source": source, "origin": "<cell>"})
    print(child.perform({"op": "call", "target": "attack", "args": [[1.0, 2.5]], "kwargs": {}}))
    child.perform({"op": "define", "source": "def attack(): return open('/etc/passwd').read()", "origin": "<cell>"})
    try:
        child.perform({"op": "call", "target": "attack", "args": [], "kwargs": {}})
    except Exception as error:
        print(error.kind)
"""


def test_an_ordinary_user_has_the_same_sandbox(open_folder: Path) -> None:
    """As root, this becomes one first, with the interpreter where that user can read it."""
    (open_folder / "library").mkdir()
    places = {
        sys.base_prefix: open_folder / "python",
        sysconfig.get_path("purelib"): open_folder / "packages",
        str(_PROJECT): open_folder / "project",
    }
    environment = {"LIBRARY": str(open_folder / "library"), "TF_CPP_MIN_LOG_LEVEL": "3", "PATH": os.environ["PATH"]}
    if os.geteuid() == 0:
        program = places[sys.base_prefix] / Path(sys.executable).resolve().relative_to(sys.base_prefix)
        mounts = [str(part) for pair in places.items() for part in pair]
        command = [sys.executable, "-c", _AS_SOMEBODY, str(_PROJECT), str(program), _ORDINARY, *mounts]
        environment["PYTHONPATH"] = f"{open_folder / 'project'}:{open_folder / 'packages'}"
    else:
        command = [sys.executable, "-c", _ORDINARY]
        environment["PYTHONPATH"] = str(_PROJECT)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    if "error while loading shared libraries: libpython" in done.stderr:
        pytest.skip("this Python looks for its shared library where it was installed, which that user cannot read")
    assert done.stdout.splitlines() == ["[65534, 3.5]", "FileNotFoundError"], done.stderr[-2000:]


def test_a_session_that_is_used_up_says_what_it_had_and_not_what_was_left(
    sandbox: Sandbox,
) -> None:
    sleep = {"op": "call", "target": "sleep", "args": [60], "kwargs": {}}
    with SandboxSession(sandbox, 3.0, operation_seconds=2.0) as session:
        session.define("from time import sleep", "<cell>")
        for had in (2.0, 3.0, 3.0):
            with pytest.raises(StudentTimeout) as timeout:
                session.perform(sleep)
            assert timeout.value.seconds == had
        assert session.crashes == 2


_LOOKS_FOR_TEXTS = """
import sys

found = []
frame = sys._getframe()
while frame:
    found += [str(value) for value in frame.f_locals.values() if "the earlier " + "answer" in str(value)]
    frame = frame.f_back

def texts(): return found
"""


def test_no_answer_finds_the_text_of_those_that_are_given_beside_it(sandbox: Sandbox) -> None:
    with SandboxSession(sandbox, 60) as session:
        for beside in ("def earlier(): return 3  # the earlier answer", ""):
            session.define(_LOOKS_FOR_TEXTS, "<cell>", None, beside, ["earlier"] if beside else [])
            assert session.perform({"op": "call", "target": "texts", "args": [], "kwargs": {}}) == []
            with contextlib.nullcontext() if beside else pytest.raises(StudentError, match="'earlier' is not defined"):
                assert session.perform({"op": "call", "target": "earlier", "args": [], "kwargs": {}}) == 3


def test_an_exercise_finds_nothing_that_one_with_other_rules_has_kept(sandbox: Sandbox) -> None:
    with SandboxSession(sandbox, 60) as session:
        session.define("kept = [3]", "<cell>", [])
        session.define("def attack(): return kept", "<cell>", ["keras.layers"])
        with pytest.raises(StudentError, match="NameError"):
            session.perform({"op": "call", "target": "attack", "args": [], "kwargs": {}})


_WAKES = """
import threading, time

def attack():
    def wake():
        while True:
            time.sleep(0.001)
            sum(range(2000))
    threads = [threading.Thread(target=wake) for _ in range(40)]
    for thread in threads:
        thread.start()
    threads[0].join()
"""


@pytest.mark.parametrize("source", [_WAKES, "import time\ndef attack(): time.sleep(0.3)"], ids=["threads", "slow"])
def test_what_runs_of_a_submission_ends_by_the_wall(sandbox: Sandbox, source: str) -> None:
    wall_time = WallTime(2.0)
    call = {"op": "call", "target": "attack", "args": [], "kwargs": {}}
    with SandboxSession(sandbox, math.inf, operation_seconds=300.0, wall_time=wall_time) as session:
        session.define(source, "<cell>")
        with pytest.raises(SubmissionTimeout, match=r"has run for 2 seconds by the clock on the wall, .* graded again"):
            for _ in range(20):
                session.perform(call)
        assert wall_time.left <= 0
        # The time may also end between two calls, of which each has been answered.
        assert session.crashes == 1 or (source != _WAKES and session.crashes == 0)
    with SandboxSession(sandbox, math.inf, wall_time=wall_time) as beside, pytest.raises(SubmissionTimeout):
        beside.define("answer = 1", "<cell>")
    with SandboxSession(sandbox, math.inf) as next_one:
        next_one.define("def attack(): return 1", "<cell>")
        assert next_one.perform(call) == 1


def _parents() -> dict[int, int]:
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has ended meanwhile
    return parents


def _descendants(ancestor: int) -> list[int]:
    parents, found = _parents(), [ancestor]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def _wait_until_gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 30
    while left := [pid for pid in pids if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, f"the processes {left} are still there"
        time.sleep(0.05)
