"""Write event files for TensorBoard without TensorFlow, the same on every backend.

A file is a sequence of records. Each has the length of an `Event` as eight bytes, their checksum, the bytes of the
`Event`, and their checksum. An
`Event` is a protocol buffer: wall_time = 1, step = 2, file_version = 3, summary = 5; a `Summary` has values = 1, each
with a tag = 1 and a simple_value = 2.

Reference: TensorFlow's `record_writer.cc` and `event.proto`; the checksum is CRC-32C, RFC 3720, appendix B.4.
"""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path

_CASTAGNOLI = 0x82F63B78  # the polynomial, its bits reversed
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5  # how the value of a field is written


def _table() -> tuple[int, ...]:
    entries = []
    for entry in range(256):
        for _ in range(8):
            entry = (entry >> 1) ^ (_CASTAGNOLI if entry & 1 else 0)  # noqa: PLW2901
        entries.append(entry)
    return tuple(entries)


_TABLE = _table()


class TensorBoardWriter:
    """Writes rows of numbers for TensorBoard.

    Args:
        folder: where the event files go, one each time a run starts or resumes; made with the first row.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: Path | None = None

    def add(self, row: dict[str, float]) -> None:
        """Write each number of a row at its step."""
        now = time.time()
        if self._file is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = self._folder / f"events.out.tfevents.{now:017.6f}.{os.getpid()}"
            self._append(_field(1, _EIGHT_BYTES, struct.pack("<d", now)) + _text(3, b"brain.Event:2"))
        values = b"".join(
            _text(1, _text(1, name.encode()) + _field(2, _FOUR_BYTES, struct.pack("<f", value)))
            for name, value in row.items()
        )
        step = _field(2, _VARINT, _varint(int(row["step"])))
        self._append(_field(1, _EIGHT_BYTES, struct.pack("<d", now)) + step + _text(5, values))

    def _append(self, event: bytes) -> None:
        length = struct.pack("<Q", len(event))
        assert self._file is not None
        with self._file.open("ab") as file:
            file.write(length + _checksum(length) + event + _checksum(event))


def _field(number: int, kind: int, value: bytes) -> bytes:
    return _varint(number << 3 | kind) + value


def _text(number: int, value: bytes) -> bytes:
    return _field(number, _BYTES, _varint(len(value)) + value)


def _varint(number: int) -> bytes:
    """Encode a number in seven bits a byte, the lowest first; the eighth bit says that more follow."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])


def _checksum(content: bytes) -> bytes:
    """Return CRC-32C, rotated by 15 bits and with a constant added, as these files store it."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
