"""A run that is stopped and resumed ends like an uninterrupted one, and errors are clear."""

from __future__ import annotations

import csv
import json
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import keras
import numpy as np
import pytest
from keras import ops
from keras.src.utils import python_utils
from safetensors.numpy import load_file, save_file

from course.commands.pretrain import Preset
from course.data.corpus.token_arrays import TokenArrays
from course.data.text.vocabulary import Vocabulary
from course.errors import CourseError
from course.presets import PRESETS
from course.pretraining import WarmupLinearDecay
from course.training.checkpoint import read_note, value_of
from course.training.history import History
from course.training.pretraining import CHECKPOINT, ENCODER, make_pretrainer, pretrain
from course.training.pretraining_settings import Settings
from tests.course.data.corpus.small_corpus import VOCABULARY, random_shard, small_corpus
from tests.course.training.micro_runs import SETTINGS, Killed, Watcher, assert_same_state, state

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("micro")]

TWO_DEVICES = "--xla_force_host_platform_device_count=2"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> TokenArrays:
    random = np.random.default_rng(2017)
    return small_corpus(
        tmp_path_factory.mktemp("data") / "corpus", [random_shard(random, 60), random_shard(random, 50)]
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, corpus: TokenArrays) -> tuple[Path, Watcher]:
    """The folder of an uninterrupted run, and its watcher."""
    folder, watcher = tmp_path_factory.mktemp("whole") / "run", Watcher()
    assert pretrain(corpus, folder, SETTINGS, watcher) == folder / ENCODER
    return folder, watcher


class TestRun:
    @staticmethod
    def start(
        program: str, corpus: TokenArrays, folder: Path, settings: Settings, **variables: str
    ) -> subprocess.Popen[bytes]:
        """Pretrain in another process, in which `program` runs first."""
        program = f"""
import os, sys
from pathlib import Path
{textwrap.dedent(program)}
from course.presets import PRESETS
from course.training.pretraining import pretrain
from course.training.pretraining_settings import Settings
from course.data.corpus.token_arrays import TokenArrays
from tests.course.training.micro_runs import MICRO, Watcher
PRESETS["micro"] = MICRO
pretrain(TokenArrays(Path({str(corpus.folder)!r})), Path({str(folder)!r}), {settings!r}, Watcher(), save_every=4)
"""
        environment = {**os.environ, **variables, "PYTHONPATH": str(Path(__file__).parents[3])}
        return subprocess.Popen([sys.executable, "-c", program], env=environment, stderr=subprocess.PIPE)

    def test_writes_an_encoder_and_its_history(self, corpus: TokenArrays, whole: tuple[Path, Watcher]) -> None:
        folder, watcher = whole
        assert watcher.total == len(watcher.steps) == 4 * len(watcher.rows)
        assert max(watcher.steps) <= SETTINGS.batch_tokens

        encoder = keras.saving.load_model(folder / ENCODER)
        assert (encoder.hidden_dim, encoder.max_length, encoder.compute_dtype) == (12, 16, "float32")
        assert list(Vocabulary.load(folder / "vocabulary.txt")) == list(VOCABULARY)
        with (folder / "history.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [int(row["step"]) for row in rows] == list(range(4, watcher.total + 1, 4))
        knows_nothing = np.log(len(VOCABULARY))
        assert float(rows[0]["masked_lm_loss"]) == pytest.approx(knows_nothing, abs=0.3)
        assert float(rows[0]["next_sentence_loss"]) == pytest.approx(np.log(2), abs=0.1)
        assert float(rows[-1]["learning_rate"]) < float(rows[1]["learning_rate"])
        assert (folder / "curves.png").read_bytes().startswith(b"\x89PNG")
        assert f"over {len(rows)} points" in (folder / "curves.txt").read_text()
        assert len(list((folder / "tensorboard").glob("events.out.tfevents.*"))) == 1

        again = Watcher()
        pretrain(corpus, folder, SETTINGS, again)  # nothing is left to do
        assert (again.done, again.steps) == (watcher.total, [])

    def test_resumes_bit_for_bit(self, tmp_path: Path, corpus: TokenArrays) -> None:
        settings = replace(SETTINGS, accumulate=3, dtype="mixed_float16", epochs=0.6)
        pretrain(corpus, tmp_path / "whole", settings, Watcher())
        with pytest.raises(Killed):
            pretrain(corpus, tmp_path / "killed", settings, Watcher(14), save_every=4)
        rest = Watcher()
        pretrain(corpus, tmp_path / "killed", settings, rest)
        assert rest.done == 12
        assert_same_state(tmp_path / "whole", tmp_path / "killed")
        first, second = (keras.saving.load_model(tmp_path / run / ENCODER).get_weights() for run in ("whole", "killed"))
        for expected, actual in zip(first, second, strict=True):
            np.testing.assert_array_equal(expected, actual)
        histories = [(tmp_path / run / "history.csv").read_text().splitlines() for run in ("whole", "killed")]
        without_speed = [[line.rsplit(",", 1)[0] for line in history] for history in histories]
        assert without_speed[0] == without_speed[1]

    def test_survives_sigkill_and_needs_no_other_backend(
        self, tmp_path: Path, corpus: TokenArrays, whole: tuple[Path, Watcher]
    ) -> None:
        program = """if True:
            if os.environ["KERAS_BACKEND"] != "tensorflow":
                sys.modules["tensorflow"] = None  # importing it fails
        """
        process = self.start(program, corpus, tmp_path / "killed", SETTINGS)
        while not (tmp_path / "killed" / CHECKPOINT).exists():
            assert process.poll() is None, process.communicate()[1].decode()[-2000:]
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        rest = Watcher()
        pretrain(corpus, tmp_path / "killed", SETTINGS, rest)
        uninterrupted, watcher = whole
        assert 0 < rest.done <= watcher.total
        assert_same_state(uninterrupted, tmp_path / "killed")

    def test_two_devices_learn_what_one_does(self, tmp_path: Path, corpus: TokenArrays) -> None:
        """TensorFlow must know virtual devices before it starts, so this runs in another process."""
        settings = replace(SETTINGS, num_buckets=1, dropout=0.0, attention_dropout=0.0, devices=2)
        if keras.backend.backend() == "torch":
            with pytest.raises(CourseError, match="--devices needs JAX or TensorFlow"):
                pretrain(corpus, tmp_path / "run", settings, Watcher())
            return
        program = """if True:
            import keras
            if keras.backend.backend() == "tensorflow":
                from tests.course.training.virtual_devices import split_processor
                split_processor()
        """
        flags = f"{os.environ.get('XLA_FLAGS', '')} {TWO_DEVICES}"
        process = self.start(program, corpus, tmp_path / "two", settings, XLA_FLAGS=flags)
        assert process.wait() == 0, process.communicate()[1].decode()[-2000:]
        pretrain(corpus, tmp_path / "one", replace(settings, devices=1), Watcher())
        one, two = (History(tmp_path / run, until=1000).rows for run in ("one", "two"))
        assert [row["step"] for row in one] == [row["step"] for row in two]
        # On TensorFlow each device draws its own masks; on JAX everything is as on one device.
        tolerance = 1e-4 if keras.backend.backend() == "jax" else 0.05
        for name in ("loss", "masked_lm_loss", "next_sentence_loss"):
            np.testing.assert_allclose([row[name] for row in two], [row[name] for row in one], rtol=tolerance)

    @pytest.mark.skipif(keras.backend.backend() != "jax", reason="elsewhere Keras always waits after a step")
    def test_measurements_are_fetched_only_at_the_end_of_a_row(
        self, tmp_path: Path, corpus: TokenArrays, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """To turn measurements into plain numbers, Keras must wait until they are computed and fetched."""
        fetched = []
        pythonify = python_utils.pythonify_logs

        def watched(logs: Any) -> dict[str, Any]:
            if logs and threading.current_thread() is threading.main_thread():
                fetched.append(logs)
            return pythonify(logs)

        monkeypatch.setattr(python_utils, "pythonify_logs", watched)
        watcher = Watcher()
        pretrain(corpus, tmp_path / "run", SETTINGS, watcher)
        assert len(watcher.steps) == watcher.total
        assert len(watcher.rows) <= len(fetched) <= len(watcher.rows) + 2  # and when it begins and ends

    def test_each_preset_has_its_name_on_the_command_line(self) -> None:
        assert set(get_args(Preset)) == PRESETS.keys() - {"micro"}

    def test_a_preset_may_have_other_layers(self, corpus: TokenArrays) -> None:
        settings = replace(SETTINGS, layers=3)
        encoder = make_pretrainer(VOCABULARY, corpus.word_probabilities(), settings, total_steps=8).encoder
        assert (len(encoder.blocks), encoder.hidden_dim) == (3, 12)

    def test_accumulation_keeps_the_learning_rate_above_0_until_the_end(
        self, tmp_path: Path, corpus: TokenArrays
    ) -> None:
        settings = replace(SETTINGS, accumulate=3, epochs=0.6)
        watcher, kernels = Watcher(), []

        def keep(model: keras.Model) -> None:
            assert model.optimizer.gradient_accumulation_steps == 3
            kernels.append(value_of(model.masked_lm_head.dense.kernel))

        pretrain(corpus, tmp_path / "run", settings, watcher, save_every=4, saved=keep)
        assert len(kernels) == len(watcher.rows) >= 5
        assert all(np.abs(after - before).max() > 1e-5 for before, after in pairwise(kernels))
        rates = [row["learning_rate"] for row in watcher.rows]
        assert rates[-1] == 0
        assert min(rates[:-1]) > 0

    def test_an_accumulated_run_whose_schedule_counted_updates_is_not_resumed(
        self, tmp_path: Path, corpus: TokenArrays
    ) -> None:
        settings = replace(SETTINGS, accumulate=3, epochs=0.2)
        pretrain(corpus, tmp_path, settings, Watcher())
        path = tmp_path / CHECKPOINT
        note, weights = read_note(path), load_file(path)
        assert note is not None
        del note["settings"]["schedule"]
        save_file(weights, path, {"note": json.dumps(note)})
        assert pretrain(corpus, tmp_path, settings, Watcher()).is_file()  # it was finished
        save_file(weights, path, {"note": json.dumps({**note, "step": 2})})
        with pytest.raises(CourseError, match=r"other settings: schedule over updates, .* and not over all batches"):
            pretrain(corpus, tmp_path, settings, Watcher())
        with pytest.raises(CourseError, match=r"other settings: accumulate 3 and not 2\."):
            pretrain(corpus, tmp_path, replace(settings, accumulate=2), Watcher())


class TestErrors:
    def test_a_full_disk_and_another_run_are_reported(self, tmp_path: Path, corpus: TokenArrays) -> None:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        full = Watcher(fills_disk_at=6)
        try:
            with pytest.raises(CourseError, match=f"cannot write .*{CHECKPOINT}: .*What was there before is still"):
                pretrain(corpus, tmp_path / "run", SETTINGS, full, save_every=4)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert len(full.steps) == 8
        assert [path.name for path in (tmp_path / "run").glob(".*")] == []

        with pytest.raises(CourseError, match=r"holds a run with other settings: dropout 0\.1 and not 0\.2"):
            pretrain(corpus, tmp_path / "run", replace(SETTINGS, dropout=0.2), Watcher())
        other = small_corpus(tmp_path / "other", [corpus.shard(0)], key="other")
        with pytest.raises(CourseError, match="other settings: corpus small and not other"):
            pretrain(other, tmp_path / "run", SETTINGS, Watcher())

        taken = tmp_path / "taken"
        taken.write_text("")
        watcher = Watcher()
        with pytest.raises(CourseError, match=r"cannot write into .*taken: File exists\. Name another folder"):
            pretrain(corpus, taken, SETTINGS, watcher)
        assert watcher.steps == []
        message = "--accumulate 2 and --devices 2 together need JAX|--devices (2 is more than there are|needs JAX)"
        with pytest.raises(CourseError, match=message):
            pretrain(corpus, tmp_path / "both", replace(SETTINGS, accumulate=2, devices=2), Watcher())

        path = tmp_path / "run" / CHECKPOINT
        note, weights = read_note(path), load_file(path)
        assert note is not None
        assert note["step"] == 4
        save_file({**weights, "00000": weights["00000"][..., :1]}, path, {"note": json.dumps(note)})
        with pytest.raises(CourseError, match="belongs to another model"):
            pretrain(corpus, tmp_path / "run", SETTINGS, Watcher())
        path.write_bytes(path.read_bytes()[:50])
        with pytest.raises(CourseError, match="is not a checkpoint of a training"):
            pretrain(corpus, tmp_path / "run", SETTINGS, Watcher())

    @pytest.mark.parametrize(("bad_update", "step"), [(8, 10), (11, 12)], ids=["within_a_row", "at_a_checkpoint"])
    def test_a_loss_that_is_not_finite_ends_the_run(
        self, bad_update: int, step: int, tmp_path: Path, corpus: TokenArrays, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rate = WarmupLinearDecay.__call__

        def explode(self: WarmupLinearDecay, step: Any) -> Any:
            return ops.where(ops.cast(step, "float32") < bad_update, rate(self, step), np.inf)

        monkeypatch.setattr(WarmupLinearDecay, "__call__", explode)
        with pytest.raises(CourseError, match=f"no longer finite at step {step} of .* of step 8 is kept"):
            pretrain(corpus, tmp_path / "run", SETTINGS, Watcher(), save_every=4)
        weights = state(tmp_path / "run").values()
        assert all(np.isfinite(weight).all() for weight in weights)
