"""python -m course.my_model.trial RUN MODULE ...: trains and exports one step with definitions of the learner."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from course.my_model.definitions import use


def main(run: str, *modules: str) -> None:
    """Raise whatever makes these definitions unfit for training."""
    use(Path(run), list(modules))
    from course.data.corpus.token_arrays import TokenArrays
    from course.my_model.training import export, settings_of_the_run
    from course.training.pretraining import make_pretrainer
    from course.training.pretraining_data import rows_to_learn

    corpus, settings = TokenArrays(Path(run, "corpus")), settings_of_the_run()
    model = make_pretrainer(corpus.vocabulary, corpus.word_probabilities(), settings, total_steps=100)
    batch = next(iter(rows_to_learn(corpus, settings).batches()))
    model.train_on_batch(batch.inputs, batch.labels)
    with tempfile.TemporaryDirectory() as folder:
        export(model, Path(folder), corpus.vocabulary)


if __name__ == "__main__":
    main(*sys.argv[1:])
