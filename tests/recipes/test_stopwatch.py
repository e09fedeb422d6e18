"""The time of a recipe, over several starts."""

import sys
import time
from pathlib import Path

import pytest

from recipes import stopwatch
from recipes.stopwatch import Stopwatch

FAILS_FIRST = """
import sys, time
from pathlib import Path
starts = Path(sys.argv[1])
starts.write_text(starts.read_text() + "x" if starts.exists() else "x")
time.sleep(0.05)
raise SystemExit(len(starts.read_text()) == 1)
"""


def test_a_failed_part_is_run_again_and_its_time_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "SECONDS_BETWEEN_NOTES", 0.01)
    command = [sys.executable, "-c", FAILS_FIRST, str(tmp_path / "starts")]
    assert not Stopwatch(tmp_path / "times.json").run("pretrain", command)
    first = Stopwatch(tmp_path / "times.json")
    assert first.finished == []
    assert first.seconds["pretrain"] > 0.05

    assert first.run("pretrain", command)
    both = Stopwatch(tmp_path / "times.json")
    assert both.finished == ["pretrain"]
    assert both.seconds["pretrain"] > 2 * 0.05


def test_the_time_for_writing_notes_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopwatch, "SECONDS_BETWEEN_NOTES", 0.01)
    write = stopwatch.write_json
    monkeypatch.setattr(stopwatch, "write_json", lambda *what: (time.sleep(0.2), write(*what)))
    watch = Stopwatch(tmp_path / "times.json")
    assert watch.run("pretrain", [sys.executable, "-c", "import time; time.sleep(0.1)"])
    assert watch.seconds["pretrain"] > 0.1


def test_an_interrupted_run_records_its_time_and_kills_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted(stopwatch.subprocess.Popen):
        def wait(self, timeout: float | None = None) -> int:
            if timeout == stopwatch.SECONDS_BETWEEN_NOTES:
                raise KeyboardInterrupt
            return super().wait(timeout)

    begun: list[Interrupted] = []
    monkeypatch.setattr(stopwatch.subprocess, "Popen", lambda command: begun.append(Interrupted(command)) or begun[0])
    with pytest.raises(KeyboardInterrupt):
        Stopwatch(tmp_path / "times.json").run("pretrain", [sys.executable, "-c", "import time; time.sleep(600)"])
    assert begun[0].returncode is not None
    restarted = Stopwatch(tmp_path / "times.json")
    assert restarted.finished == []
    assert restarted.seconds["pretrain"] >= 0
