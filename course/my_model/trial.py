"""python -m course.my_model.trial RUN MODULE ...: trains and exports one step with definitions of the learner.

It records which of them the step calls: the chapters have exercises that no pretraining needs.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from course.my_model.definitions import CALLED, PACKAGE, use
from course.storage.outputs import write_json


def main(run: str, *modules: str) -> None:
    """Raise whatever makes these definitions unfit for training."""
    own = use(Path(run), list(modules))
    import keras

    from course.data.corpus.token_arrays import TokenArrays
    from course.my_model.training import export, settings_of_the_run
    from course.training.pretraining import make_pretrainer
    from course.training.pretraining_data import rows_to_learn

    keras.config.disable_traceback_filtering()  # the last line is then the error, not an argument of a layer
    corpus, settings = TokenArrays(Path(run, "corpus")), settings_of_the_run()
    with _calls_into(Path(run, PACKAGE)) as called, tempfile.TemporaryDirectory() as folder:
        model = make_pretrainer(corpus.vocabulary, corpus.word_probabilities(), settings, total_steps=100)
        batch = next(iter(rows_to_learn(corpus, settings).batches()))
        model.train_on_batch(batch.inputs, batch.labels)
        export(model, Path(folder), corpus.vocabulary)
    write_json(Path(run, CALLED), [name for name in own if name in called])


@contextmanager
def _calls_into(package: Path) -> Iterator[set[str]]:
    """Yield the names of the definitions of a package, each from its first call on."""
    called: set[str] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(package)):
            called.add(frame.f_code.co_qualname.partition(".")[0])  # of a method, the class

    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)


if __name__ == "__main__":
    main(*sys.argv[1:])
