"""Each attack works without isolation, and not in the sandbox, whatever makes it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grading.sandbox import start
from grading.sandbox.client import Child, Sandbox
from grading.sandbox.errors import StudentError
from tests.grading.sandbox.conftest import BACKENDS, SECRET, WITH_NAMESPACES
from tests.grading.sandbox.hostile import run

_TRY = """
import ctypes, os, socket, subprocess, sys
def attack(*args):
    try:
        return bool(attempt(*args))
    except (OSError, ImportError):
        return False
libc = ctypes.CDLL(None, use_errno=True)
def system_call(number, *args):
    return libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, args)) >= 0
"""

_ATTACKS = {
    "reads a host file": ("def attempt(): return open('/etc/passwd').read()", ()),
    "reads the grader's code": ("def attempt(path): return open(path).read()", (str(start.__file__),)),
    "lists the home folder": ("def attempt(home): return os.listdir(home)", (str(Path.home()),)),
    "reads /proc": ("def attempt(): return open('/proc/self/environ', 'rb').read()", ()),
    "writes into the packages": (
        "def attempt():\n import keras\n path = os.path.dirname(keras.__file__) + '/left_behind'\n"
        " open(path, 'w').close(); os.unlink(path); return True",
        (),
    ),
    "imports keras-hub": ("def attempt():\n import importlib.util as u; return u.find_spec('keras_hub')", ()),
    "imports transformers": (
        "def attempt():\n import importlib.util as u; return u.find_spec('transformers')",
        (),
    ),
    "imports the checks": (
        "def attempt():\n import importlib.util as u; return u.find_spec('grading.judging.exercise')",
        (),
    ),
    "changes the rights of a file": (
        "def attempt(path): os.chmod(path, os.stat(path).st_mode); return True",
        (str(start.__file__),),
    ),
    "changes the date of a file": (
        "def attempt(path):\n at = os.stat(path).st_mtime_ns; os.utime(path, ns=(at, at)); return True",
        (str(start.__file__),),
    ),
    "opens a TCP socket": ("def attempt(): return socket.socket(socket.AF_INET)", ()),
    "opens a UDP socket": ("def attempt(): return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", ()),
    "opens a unix socket": ("def attempt(): return socket.socket(socket.AF_UNIX)", ()),
    "resolves a name": ("def attempt(): return socket.getaddrinfo('localhost', 80)", ()),
    "forks": (
        "def attempt():\n pid = os.fork()\n if pid == 0: os._exit(0)\n os.waitpid(pid, 0); return True",
        (),
    ),
    "runs a program": (
        "def attempt(program): return not subprocess.call([program, '-c', ''])",
        (os.path.realpath(sys.executable),),
    ),
    "spawns a program": (
        "def attempt(program): return os.posix_spawn(program, ['python', '-c', ''], {})",
        (os.path.realpath(sys.executable),),
    ),
    "signals the first process": ("def attempt(): os.kill(os.getppid(), 0); return os.getppid()", ()),
    "is traced": ("def attempt(): return libc.ptrace(0, 0, 0, 0) == 0", ()),
    "makes memory without a name": ("def attempt(): return os.memfd_create('x')", ()),
    "shares memory by a key": ("def attempt(): return libc.shmget(0, 4096, 0o1600) >= 0", ()),
    "makes a named pipe": ("def attempt(): os.mkfifo('pipe'); return True", ()),
    "sends signals by a file": (
        "def attempt():\n import fcntl; r, w = os.pipe(); fcntl.fcntl(r, 8, os.getpid()); return True",
        (),
    ),
    "watches files": ("def attempt(): return libc.inotify_init() >= 0", ()),
    "asks for io_uring": (
        "def attempt():\n parameters = ctypes.create_string_buffer(120)\n return libc.syscall(425, 4, parameters) >= 0",
        (),
    ),
}


@pytest.mark.parametrize("name", _ATTACKS)
def test_the_attack_works_without_isolation(sandboxes: Callable[[str], Sandbox], name: str) -> None:
    source, args = _ATTACKS[name]
    with sandboxes("none").child() as child:
        assert run(child, _TRY + source, *args) is True


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_attack_fails_in_the_sandbox(sandboxes: Callable[[str], Sandbox], backend: str) -> None:
    worked = []
    with sandboxes(backend).child() as child:
        for name, (source, args) in _ATTACKS.items():
            if run(child, _TRY + source, *args) is not False:
                worked.append(name)
    assert worked == []


@pytest.mark.parametrize(("kind", "readable"), [("none", True), *((backend, False) for backend in BACKENDS)])
def test_a_file_of_the_graders_is_out_of_sight(
    sandboxes: Callable[[str], Sandbox], secret_file: Path, kind: str, readable: bool
) -> None:
    with sandboxes(kind).child() as child:
        assert run(child, _TRY + "def attempt(path): return open(path).read()", str(secret_file)) is readable


@pytest.mark.parametrize(("kind", "possible"), [("none", True), *((backend, False) for backend in BACKENDS)])
def test_nothing_is_left_outside_scratch(
    sandboxes: Callable[[str], Sandbox], tmp_path: Path, kind: str, possible: bool
) -> None:
    source = """
    def attempt(*folders):
        for folder in folders:
            try:
                open(folder + '/left_behind', 'w').close()
            except OSError:
                continue
            return True
    """
    folders = [str(tmp_path), "/", "/tmp", "/scratch", "/sandbox", "/sandbox/library", "/dev", "/usr/lib", "/etc"]
    places = folders if kind != "none" else folders[:1]
    with sandboxes(kind).child() as child:
        assert run(child, _TRY + _unindented(source), *places) is possible


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_may_be_read_cannot_be_emptied(sandboxes: Callable[[str], Sandbox], backend: str) -> None:
    source = """
    import course
    def attempt():
        try:
            os.close(os.open(course.__file__, os.O_RDONLY | os.O_TRUNC))
        except OSError:
            pass
        try:
            os.truncate(course.__file__, 0)
        except OSError:
            pass
        return not open(course.__file__).read()
    """
    with sandboxes(backend).child() as child:
        assert run(child, _TRY + _unindented(source)) is False


@pytest.mark.parametrize("kind", ["none", *BACKENDS])
def test_the_environment_holds_no_secret(sandboxes: Callable[[str], Sandbox], kind: str) -> None:
    with sandboxes(kind).child() as child:
        values = run(child, "import os\ndef attack(): return dict(os.environ)")
    assert SECRET not in str(values)
    assert {"GRADEBOOK_TOKEN", "PATH", "SSH_AUTH_SOCK"}.isdisjoint(values)


@pytest.fixture
def listening() -> Iterator[tuple[str, int]]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[:2]


@pytest.mark.parametrize(("kind", "reached"), [("none", True), *((backend, False) for backend in BACKENDS)])
def test_the_loopback_is_not_the_hosts(
    sandboxes: Callable[[str], Sandbox], listening: tuple[str, int], kind: str, reached: bool
) -> None:
    source = "def attempt(host, port): return socket.create_connection((host, port), 2)"
    with sandboxes(kind).child() as child:
        assert run(child, _TRY + source, *listening) is reached


def descendants(pid: int) -> set[int]:
    """The processes that one has started, and that these have started."""
    lists = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    children = {int(child) for children in lists for child in children}
    return children.union(*map(descendants, children))


@pytest.mark.parametrize("backend", WITH_NAMESPACES)
def test_a_child_is_in_namespaces_of_its_own(sandboxes: Callable[[str], Sandbox], backend: str) -> None:
    """Seen from the host: a refused system call would hide that the namespace behind it is the host's."""
    sandbox = sandboxes(backend)
    before = descendants(os.getpid())
    with sandbox.child():
        (child,) = (one for one in descendants(os.getpid()) - before if not descendants(one))
        for kind in ("net", "mnt", "pid", "ipc", "uts", "user"):
            assert Path(f"/proc/{child}/ns/{kind}").readlink() != Path(f"/proc/self/ns/{kind}").readlink(), kind


@pytest.mark.parametrize(("kind", "reached"), [("none", True), *((backend, False) for backend in BACKENDS)])
def test_another_process_cannot_be_signalled(sandboxes: Callable[[str], Sandbox], kind: str, reached: bool) -> None:
    with sandboxes(kind).child() as child, subprocess.Popen(["sleep", "60"]) as other:
        try:
            run(child, _TRY + "def attempt(pid): os.kill(pid, 9); return True", other.pid)
            if reached:
                assert other.wait(5) == -9
            else:
                assert other.poll() is None
        finally:
            other.kill()


@pytest.mark.parametrize("backend", BACKENDS)
def test_children_do_not_see_one_another(sandboxes: Callable[[str], Sandbox], backend: str) -> None:
    sandbox = sandboxes(backend)
    write = "import os\ndef attack(): open('answer', 'w').write('42'); return os.getcwd()"
    read = "import os\ndef attack(path): return open(path + '/answer').read()"
    with sandbox.child() as one, sandbox.child() as other:
        folder = run(one, write)
        assert run(one, read, folder) == "42"
        with pytest.raises(StudentError, match=r"FileNotFoundError|PermissionError"):
            run(other, read, folder)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_child_of_one_submission_leaves_nothing_to_the_next(
    sandboxes: Callable[[str], Sandbox], backend: str
) -> None:
    sandbox = sandboxes(backend)
    spoil = """
    import builtins, os, numpy, random
    def attack():
        open(os.environ['HOME'] + '/answer', 'w').write('42')
        builtins.abs = numpy.allclose = lambda *_: True
        random.seed(5); numpy.random.seed(5)
        os.environ['LEFT'] = 'behind'
    """
    look = """
    import os, numpy
    def attack(): return [abs(-3), 'LEFT' in os.environ, bool(numpy.allclose(1, 2)), os.listdir('.')]
    """
    with sandbox.child() as first:
        run(first, spoil)
    with sandbox.child() as second:
        assert run(second, look) == [3, False, False, []]


@pytest.mark.parametrize("backend", BACKENDS)
def test_random_numbers_differ_from_child_to_child(sandboxes: Callable[[str], Sandbox], backend: str) -> None:
    source = "import random, numpy\ndef attack(): return [random.random(), float(numpy.random.random())]"
    drawn = []
    for _ in range(2):
        with sandboxes(backend).child() as child:
            drawn.append(run(child, source))
    assert drawn[0][0] != drawn[1][0] and drawn[0][1] != drawn[1][1]


def test_it_holds_no_capability_and_cannot_gain_one(child: Child) -> None:
    source = """
    import ctypes, os
    libc = ctypes.CDLL(None)
    def attack():
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)
        held = (ctypes.c_uint32 * 6)()
        assert libc.capget(header, held) == 0
        return [list(held), os.getuid(), libc.setuid(0), libc.unshare(0x10000000), libc.chroot(b'/')]
    """
    assert run(child, source) == [[0] * 6, 65534, -1, -1, -1]


def test_it_has_no_descriptor_but_its_connection(child: Child) -> None:
    source = """
    import os
    def attack():
        found = []
        for number in range(4096):
            try:
                os.fstat(number)
            except OSError:
                continue
            found.append(number)
        return found
    """
    assert run(child, source) == [0, 1, 2, 3]


def test_nothing_that_is_printed_comes_out(child: Child, capfd: pytest.CaptureFixture[str]) -> None:
    run(child, "import os\ndef attack(): print('marker'); os.write(1, b'marker'); os.write(2, b'marker')")
    assert "marker" not in "".join(capfd.readouterr())


def test_the_released_course_can_be_imported(child: Child) -> None:
    assert run(child, "import course\ndef attack(): return course.WHO") == "the released course"


def _unindented(source: str) -> str:
    return "\n".join(line[4:] for line in source.splitlines())
