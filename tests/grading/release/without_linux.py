"""Takes away what Windows and macOS lack, and then does the jobs of a student in bundles.

It is a program for `python -I -S`, as `bundle_runner` is, and is imported by nobody. Its input is one job, as JSON:
bundles of which every module is imported, and one whose notebook is run.
"""

from __future__ import annotations

import builtins
import importlib
import io
import json
import os
import re
import runpy
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIBRARIES = (
    "IPython.core.interactiveshell",
    "keras",
    "matplotlib.pyplot",
    "pandas",
    "pooch",
    "sentencex",
    "sklearn.linear_model",
)
LIBRARIES += ("huggingface_hub", "rich.console", "tensorflow", "tokenizers", "typer")
# Modules and names that Windows does not have. macOS has most of them, but neither /proc nor what begins with "sched".
MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
OF_OS = re.compile(
    r"fork|forkpty|uname|gete?[ug]id|getgroups|getpgid|getppid|getsid|set\w*id|killpg|wait[3a-z]\w*|sched_\w+|chown|chroot"
    r"|f?chown|lchown|fchmod|mkfifo|mknod|pread\w*|pwrite\w*|sysconf\w*|statvfs|nice|openpty|posix_\w+|memfd_create"
    r"|sendfile|splice|O_(DIRECTORY|NOFOLLOW|CLOEXEC|NONBLOCK|PATH|TMPFILE)|W[A-Z]+|P_P?[A-Z]*ID\w*|symlink|ctermid"
)
OF_SIGNAL = re.compile(
    r"SIG(KILL|ALRM|USR\d|HUP|CHLD|XCPU|STOP|TERMSTP|QUIT|PIPE)|alarm|setitimer|pthread_\w+|sigwait\w*"
)
FORBIDDEN_IN_NAMES = re.compile(r'[<>:"|?*\x00-\x1f]')


def take_away() -> None:
    """Remove it from this process, after the import of libraries, which have builds of their own for each system."""
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in ((os, OF_OS), (signal, OF_SIGNAL)):
        for name in filter(names.fullmatch, list(vars(module))):
            delattr(module, name)
    del socket.AF_UNIX
    os.open = refusing(os.open)
    io.open = refusing(io.open)
    builtins.open = io.open  # type: ignore[assignment]
    assert not hasattr(os, "fork") and not hasattr(os, "uname")


def refusing(real: Callable[..., Any]) -> Callable[..., Any]:
    """A function that opens files, but none of /proc, and none with a name that Windows forbids."""

    def opened(path: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(path, str | os.PathLike):
            name = os.fspath(path)
            if str(name).startswith(("/proc", "/sys")):
                raise FileNotFoundError(2, "there is no such folder on Windows and macOS", name)
            if FORBIDDEN_IN_NAMES.search(str(name)):
                raise OSError(22, "Windows has no such names", name)
        return real(path, *args, **kwargs)

    return opened


def import_everything(bundle: Path) -> None:
    """Import every module of a bundle."""
    sys.path.insert(0, str(bundle))
    for path in sorted(bundle.glob("*/**/*.py")):
        if path.name != "__init__.py":
            importlib.import_module(".".join(path.relative_to(bundle).with_suffix("").parts))
    sys.path.remove(str(bundle))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("course", "grading")]:
        del sys.modules[name]


if __name__ == "__main__":
    sys.path += sys.argv[1:]
    for library in LIBRARIES:
        importlib.import_module(library)
    sys.modules["tensorflow_text"] = None  # type: ignore[assignment]  # which has no build for Windows
    job = json.loads(sys.stdin.read())
    run_notebook = runpy.run_path(job["runner"])["run_notebook"]
    take_away()
    for folder in job["bundles"]:
        import_everything(Path(folder))
    run_notebook(Path(job["bundle"]), job["answers"], Path(job["report"]))
