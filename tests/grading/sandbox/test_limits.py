"""However much a submission wants of the machine, it gets so much, and the next one is not worse off for it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.loaded_host import burners
from grading.sandbox import start
from grading.sandbox.client import Child, Sandbox
from grading.sandbox.errors import BadAnswer, StudentDied, StudentError, StudentTimeout
from tests.grading.sandbox.conftest import BACKENDS, LIMITS, WITH_NAMESPACES
from tests.grading.sandbox.hostile import run

_HONEST = "def attack(number): return number + 1"
_CRASHED = "^the process crashed in compiled code, or aborted$"
_SOURCES_THAT_DIE = {
    "exits": ("import os\ndef attack(): os._exit(0)", "^the process ended itself, as os._exit does$"),
    "exits with an error": ("import os\ndef attack(): os._exit(9)", "^the process ended itself, as os._exit does$"),
    "crashes": ("import ctypes\ndef attack(): ctypes.string_at(1)", _CRASHED),
    "aborts": ("import os\ndef attack(): os.abort()", _CRASHED),
    "closes its connection": ("import os\ndef attack(): os.close(3)", "closed its connection|ended itself"),
    "closes its connection and stays": (
        "import os, time\ndef attack(): os.close(3); time.sleep(60)",
        "closed its connection",
    ),
}
_SOURCES_THAT_TALK_NONSENSE = {
    "noise": "import os\ndef attack(): os.write(3, b'\\xff' * 4096)",
    "a huge header": "import os, struct\ndef attack(): os.write(3, struct.pack('<Q', 1 << 60))",
    "another kind of reply": (
        'import os, struct\ndef attack():\n text = b\'{"dict": {"points": 1000}}\'\n'
        " os.write(3, struct.pack('<Q', len(text)) + text)"
    ),
    "a huge answer": "import numpy\ndef attack(): return numpy.zeros(5 << 20, 'int8')",
    "a list that is a huge array": "def attack(): return ['a' * 20_000] + [''] * 60",
    "an array of objects": "import numpy\ndef attack(): return numpy.array([None, print])",
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", _SOURCES_THAT_DIE)
def test_a_process_that_ends_costs_only_itself(sandboxes: Callable[[str], Sandbox], backend: str, name: str) -> None:
    source, reason = _SOURCES_THAT_DIE[name]
    with sandboxes(backend).child() as child:
        with pytest.raises(StudentDied, match=reason):
            run(child, source)
        with pytest.raises(StudentDied, match=reason):
            run(child, _HONEST, 1)
    _assert_as_ever(sandboxes(backend))


def test_killing_itself_is_no_way_out(child: Child, sandbox: Sandbox) -> None:
    # The first process of a namespace cannot kill itself: the signal is lost, and the answer comes all the same.
    source = "import os, signal\ndef attack(): os.kill(os.getpid(), signal.SIGKILL); return 5"
    assert run(child, source) == 5
    _assert_as_ever(sandbox)


@pytest.mark.parametrize("name", _SOURCES_THAT_TALK_NONSENSE)
def test_nonsense_is_a_bad_answer(child: Child, sandbox: Sandbox, name: str) -> None:
    with pytest.raises(BadAnswer):
        run(child, _SOURCES_THAT_TALK_NONSENSE[name])
    _assert_as_ever(sandbox)


@pytest.mark.parametrize("what", ["SystemExit(0)", "KeyboardInterrupt", "GeneratorExit", "RecursionError"])
def test_whatever_is_raised_is_the_students_error(child: Child, what: str) -> None:
    with pytest.raises(StudentError) as caught:
        run(child, f"def attack(): raise {what}")
    assert caught.value.kind == what.partition("(")[0]
    assert run(child, _HONEST, 1) == 2


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "source",
    [
        "def attack():\n while True: pass",
        "import time\ndef attack(): time.sleep(60)",
        "import signal\ndef attack():\n signal.pthread_sigmask(0, range(1, 65))\n while True: pass",
        "import tensorflow as tf\n@tf.function\ndef spin():\n i = 0\n while tf.constant(True): i += 1\n"
        "def attack(): spin()",
    ],
    ids=["loops", "sleeps", "blocks all signals", "loops in a graph"],
)
def test_what_never_ends_is_ended(sandboxes: Callable[[str], Sandbox], backend: str, source: str) -> None:
    with sandboxes(backend).child() as child:
        with pytest.raises(StudentTimeout) as caught:
            run(child, source, timeout=0.5)
        assert caught.value.seconds == 0.5
        with pytest.raises(StudentDied, match="no answer within"):
            run(child, _HONEST, 1)
    _assert_as_ever(sandboxes(backend))


_COMPUTES = """
import time
def attack(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass
    return "done"
"""


def test_what_others_do_with_the_processor_costs_no_time(child: Child, sandbox: Sandbox) -> None:
    with burners(3 * len(os.sched_getaffinity(0))):
        assert run(child, _COMPUTES, 1.0, timeout=2.0) == "done"
        with sandbox.child() as other, pytest.raises(StudentTimeout) as caught:
            run(other, _COMPUTES, 5.0, timeout=0.5)
    assert caught.value.machine_was_busy
    assert child.seconds_used < 2.0


@pytest.mark.parametrize("attack", ["time.sleep(60)", "threading.Event().wait()"])
def test_rest_is_time_that_is_used(child: Child, attack: str) -> None:
    with pytest.raises(StudentTimeout) as caught:
        run(child, f"import threading, time\ndef attack(): {attack}", timeout=0.5)
    assert not caught.value.machine_was_busy
    assert child.seconds_used > 0.4


def test_processor_time_runs_out() -> None:
    source = (
        "from grading.sandbox.limits import Limits, apply\n"
        "apply(Limits(cpu_seconds=1), {}, own_user_namespace=False)\n"
        "while True: pass"
    )
    done = subprocess.run([sys.executable, "-c", source], timeout=30, check=False)
    assert done.returncode == -9


def test_the_child_is_under_that_limit_and_dumps_no_core(child: Child) -> None:
    source = """
    import resource
    def attack():
        return [resource.getrlimit(resource.RLIMIT_CPU), resource.getrlimit(resource.RLIMIT_CORE)]
    """
    seconds = LIMITS.cpu_seconds
    assert run(child, source) == [(seconds, seconds), (0, 0)]
    assert resource.getrlimit(resource.RLIMIT_CPU) != (seconds, seconds)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "source",
    [
        "def attack(size): return len(bytearray(size))",
        "import mmap\ndef attack(size): return len(mmap.mmap(-1, 2 * size))",
        "import numpy\nkept = []\ndef attack(size):\n while True: kept.append(numpy.ones(1 << 22))",
    ],
    ids=["at once", "shared", "little by little"],
)
def test_memory_runs_out(sandboxes: Callable[[str], Sandbox], backend: str, source: str) -> None:
    with sandboxes(backend).child() as child, pytest.raises(StudentError, match=r"Memory|Cannot allocate"):
        run(child, source, LIMITS.memory_bytes + (1 << 28))
    _assert_as_ever(sandboxes(backend))


@pytest.mark.parametrize("backend", WITH_NAMESPACES)
@pytest.mark.parametrize("files", [1, 3])
def test_the_disk_is_full_soon(sandboxes: Callable[[str], Sandbox], backend: str, files: int) -> None:
    source = """
    import os
    def attack(files):
        written = 0
        for number in range(files):
            try:
                with open(f'file{number}', 'wb', buffering=0) as file:
                    for _ in range(1000):
                        written += file.write(bytes(1 << 16))
            except OSError:
                pass
        return written
    """
    with sandboxes(backend).child() as child:
        written = run(child, source, files)
    assert 0.9 * LIMITS.scratch_bytes < written <= LIMITS.scratch_bytes
    _assert_as_ever(sandboxes(backend))


def test_files_run_out(child: Child, sandbox: Sandbox) -> None:
    source = """
    def attack(tries):
        for number in range(tries):
            try:
                open(f'file{number}', 'w').close()
            except OSError:
                return number
        return tries
    """
    assert LIMITS.scratch_files / 2 < run(child, source, 1_000_000) < LIMITS.scratch_files
    _assert_as_ever(sandbox)


def test_threads_run_out(child: Child, sandbox: Sandbox) -> None:
    source = """
    import threading
    stop = threading.Event()
    def attack():
        for number in range(10_000):
            try:
                threading.Thread(target=stop.wait, daemon=True).start()
            except RuntimeError:
                return number
    """
    assert LIMITS.threads / 2 < run(child, source) < LIMITS.threads
    _assert_as_ever(sandbox)


def test_open_files_run_out(child: Child) -> None:
    source = """
    import os
    def attack():
        for number in range(100_000):
            try:
                os.dup(0)
            except OSError:
                return number + 4
    """
    assert run(child, source) == LIMITS.open_files


@pytest.fixture(scope="module")
def sharing(library: Path) -> Iterator[Sandbox]:
    """A sandbox on a host where nobody may nest namespaces, so that its children share a scratch folder."""
    settings = start._settings
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(start, "_settings", lambda *terms: replace(settings(*terms), nested=False))
        with Sandbox(library=library, limits=replace(LIMITS, scratch_files=2000)) as sandbox:
            yield sandbox


_FULL = """
import os
def fill(size):
    with open('large', 'wb', buffering=0) as file:
        return sum(file.write(bytes(1 << 16)) for _ in range(size >> 16))
"""


@pytest.mark.parametrize(
    "rest",
    ["pass", "os.chmod('.', 0)", "os.chmod('..', 0)", "[(os.mkdir('d'), os.chdir('d')) for _ in range(1500)]"],
    ids=["a file", "a locked folder", "a folder in a locked one", "folders without end"],
)
def test_a_shared_scratch_folder_is_empty_for_the_next_child(sharing: Sandbox, rest: str) -> None:
    size = LIMITS.scratch_bytes * 3 // 4
    attack = f"{_FULL}def attack(size): os.makedirs('a/b'); os.chdir('a/b'); fill(size); {rest}"
    with sharing.child() as child:
        run(child, attack, size)
    with sharing.child() as child:
        assert run(child, f"{_FULL}attack = fill", size) == size


def test_where_children_share_a_scratch_folder_one_submission_runs_at_a_time(sharing: Sandbox) -> None:
    def wait_for_turn() -> None:
        with sharing.turn():
            pass

    with ThreadPoolExecutor(1) as executor:
        with sharing.turn():
            other = executor.submit(wait_for_turn)
            with pytest.raises(TimeoutError):
                other.result(0.2)
        other.result(10)


def test_where_each_child_has_its_own_several_submissions_run_at_a_time(sandbox: Sandbox) -> None:
    with sandbox.turn(), sandbox.turn():
        pass


def test_how_a_child_ended_tells_nothing_later(child: Child) -> None:
    header = "import os, struct\ndef attack(): os.write(3, struct.pack('<Q', (1 << 60) + 12345))"
    with pytest.raises(BadAnswer):
        run(child, header)
    with pytest.raises(StudentDied, match=r"^the process was ended, because an answer before was not valid$"):
        run(child, _HONEST, 1)


def _assert_as_ever(sandbox: Sandbox) -> None:
    """The next child knows nothing of the last one."""
    with sandbox.child() as child:
        answer = run(child, "import numpy\ndef attack(array): return numpy.asarray(array) * 2", np.arange(3.0))
    assert answer.tolist() == [0.0, 2.0, 4.0]
