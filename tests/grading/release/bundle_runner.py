"""Runs the notebooks of bundles from first cell to last, with nothing of this project but what is in the bundle.

It is a program for `python -I -S`, so that no installed copy of the project is found, and is imported by nobody. Each
line of its input is a job, which it does in a child of its own; TensorFlow is imported once for all of them.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch
from weakref import WeakKeyDictionary


def run_notebook(bundle: Path, answers: dict[str, str], report: Path) -> None:
    """Runs all cells that need no GPU, with answers typed in.

    Args:
        bundle: the folder of an unpacked bundle.
        answers: the code of some cells, by their ids.
        report: where to write, as JSON, the errors that cells showed, by their ids; the warnings; the points; and where
            the modules of the project came from.
    """
    from IPython.core.interactiveshell import InteractiveShell

    os.chdir(bundle)
    sys.path.insert(0, str(bundle))
    shell = InteractiveShell.instance()
    shown: list[Any] = []
    shell._showtraceback = lambda kind, error, lines: shown.append(lines)
    errors = {}
    warned: list[str] = []
    # Where a kernel writes a warning below a cell; the filters are the kernel's own.
    warnings.showwarning = lambda message, kind, *_: warned.append(f"{kind.__name__}: {message}")
    (notebook,) = bundle.glob("*.ipynb")
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code" and "gpu" not in cell["metadata"].get("tags", []):
            source = answers.get(cell["id"], "".join(cell["source"]))
            shown.clear()
            with nullcontext() if "check(" in source else few_steps():
                shell.run_cell(source, store_history=True)
            if shown:
                errors[cell["id"]] = shown[0]
    earned = sys.modules["grading.student_kernel.check"]._earned
    files = [
        str(module.__file__) for name, module in sys.modules.items() if name.split(".")[0] in ("course", "grading")
    ]
    report.write_text(json.dumps({"errors": errors, "warned": warned, "earned": earned, "files": files}))


@contextmanager
def few_steps() -> Iterator[None]:
    """Two steps of each epoch are enough to see that a cell runs; what comes of whole ones is seen by nbval."""
    import keras

    class FewSteps(keras.callbacks.Callback):
        def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
            self.model.stop_training = batch > 0

        def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
            self.model.stop_training = False

    fit = keras.Model.fit

    def shortened(model: Any, *args: Any, callbacks: Any = (), **kwargs: Any) -> Any:
        return fit(model, *args, callbacks=[*(callbacks or ()), FewSteps()], **kwargs)

    def twice(step: Callable[..., Any]) -> Callable[..., Any]:
        """Where a loop of one's own takes the steps, the first two are real, and each later one says the same."""
        taken: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()

        def stepped(model: Any, *args: Any, **kwargs: Any) -> Any:
            said = taken.setdefault(model, [])
            if len(said) < 2:
                said.append(step(model, *args, **kwargs))
            return said[-1]

        return stepped

    with (
        patch.object(keras.Model, "fit", shortened),
        patch.object(keras.Model, "train_on_batch", twice(keras.Model.train_on_batch)),
        patch.object(keras.Model, "test_on_batch", twice(keras.Model.test_on_batch)),
    ):
        yield


def serve() -> None:
    """Does the jobs, one at a time, and writes a line when one is done."""
    import IPython  # noqa: F401
    import keras  # noqa: F401
    import matplotlib.figure  # noqa: F401
    import pandas  # noqa: F401
    import sklearn.linear_model  # noqa: F401

    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what cells print is no answer
    for line in sys.stdin:
        child = os.fork()
        if not child:
            bundle, answers, report = json.loads(line)
            run_notebook(Path(bundle), answers, Path(report))
            os._exit(0)
        os.waitpid(child, 0)
        print("done", file=answer, flush=True)


if __name__ == "__main__":
    sys.path += sys.argv[1:]
    serve()
