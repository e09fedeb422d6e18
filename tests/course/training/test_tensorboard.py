"""TensorFlow's own reader accepts the event files, including their checksums."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

from course.training.tensorboard import TensorBoardWriter, _checksum

ROWS = [{"step": 5.0, "loss": 2.5, "masked_lm_loss": -0.125}, {"step": 70_000.0, "loss": 1e-7}]


def test_tensorflow_reads_every_number_at_its_step(tmp_path: Path) -> None:
    writer = TensorBoardWriter(tmp_path / "a" / "tensorboard")
    for row in ROWS:
        writer.add(row)
    (file,) = (tmp_path / "a" / "tensorboard").iterdir()
    assert "tfevents" in file.name
    # The reader of records refuses a wrong length or checksum.
    version, *events = tf.compat.v1.train.summary_iterator(str(file))
    assert version.file_version == "brain.Event:2"
    assert [event.step for event in events] == [5, 70_000]
    for event, row in zip(events, ROWS, strict=True):
        assert event.wall_time >= version.wall_time > 1e9
        assert {value.tag: value.simple_value for value in event.summary.value} == pytest.approx(row, rel=1e-6)


def test_the_checksum_is_that_of_the_standard() -> None:
    """RFC 3720, appendix B.4: 32 bytes of zeros give 8A9136AA, which is then rotated, and a constant added."""
    crc = 0x8A9136AA
    masked = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    assert _checksum(bytes(32)) == masked.to_bytes(4, "little")


def test_a_run_without_rows_leaves_no_folder(tmp_path: Path) -> None:
    TensorBoardWriter(tmp_path / "tensorboard")
    assert not (tmp_path / "tensorboard").exists()
