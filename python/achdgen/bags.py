# SPDX-License-Identifier: MIT
"""Joint states (sensor_msgs/JointState) out of bags: of ROS 1, of ROS 2 in SQLite, and MCAP; record by record, so that memory does not grow with a bag."""

from __future__ import annotations

import bz2
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Optional, Union

LARGEST = 1 << 28  # bytes of a record or a chunk
KINDS = {b"#ROSBAG V": "ros1", b"SQLite format 3": "sqlite", b"\x89MCAP": "mcap"}
TYPES = ("sensor_msgs/JointState", "sensor_msgs/msg/JointState")


class Damaged(Exception):
    """What is wrong with a bag, or with a message of it."""


@dataclass
class JointState:
    """t [s], of the header; position, velocity and effort by joint."""

    t: float
    names: list[str]
    numbers: list[tuple[float, ...]]


Message = Union[JointState, Damaged]


class Bytes:
    """A part of a file, from the front; first: where its numbers are aligned from, None: they are not."""

    def __init__(self, data: bytes, order: str = "<", first: Optional[int] = None):
        self.data, self.at, self.order, self.first = data, first or 0, order, first

    def __bool__(self) -> bool:
        return self.at < len(self.data)

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise Damaged(f"{count} bytes are expected, where {len(self.data) - self.at} are left")
        self.at += count
        return self.data[self.at - count:self.at]

    def numbers(self, kind: str, count: int = 1) -> tuple[Any, ...]:
        size = struct.calcsize("<" + kind)
        if self.first is not None and count:
            self.take(-(self.at - self.first) % size)
        return struct.unpack(f"{self.order}{count}{kind}", self.take(count * size))

    def number(self, kind: str) -> int:
        return int(self.numbers(kind)[0])

    def text(self) -> str:
        return self.take(self.number("I")).rstrip(b"\0").decode("utf-8", "replace")


def joint_state(data: bytes, encoding: str) -> Message:
    try:
        return _joint_state(data, encoding)
    except Damaged as fault:
        return fault


def _joint_state(data: bytes, encoding: str) -> JointState:
    """A message as ROS 1 writes it, or in CDR, each number of which stands at a multiple of its size behind the first four bytes."""
    if encoding == "ros1":
        x = Bytes(data)
        x.number("I")
    elif encoding == "cdr":
        if data[:2] not in (b"\0\0", b"\0\1"):
            raise Damaged("not plain CDR: is each message compressed?")
        x = Bytes(data, "<" if data[1] else ">", 4)
        x.take(0)
    else:
        raise Damaged(f"messages are encoded as {encoding!r}, where ros1 or cdr is expected")
    seconds, nanoseconds = x.number("I"), x.number("I")
    x.text()
    names = [x.text() for _ in range(min(x.number("I"), len(data)))]
    return JointState(seconds + 1e-9 * nanoseconds, names, [x.numbers("d", x.number("I")) for _ in range(3)])


def _unpacked(data: bytes, by: str, size: int) -> bytes:
    """A chunk, which has so many bytes without the compression."""
    if size > LARGEST:
        raise Damaged(f"a chunk of {size} bytes: {LARGEST} at most are read")
    try:
        if by == "bz2":
            out = bz2.BZ2Decompressor().decompress(data, size + 1)
        elif by == "lz4":
            import lz4.frame

            out = lz4.frame.LZ4FrameDecompressor().decompress(data, size + 1)
        elif by == "zstd":
            import zstandard

            out = zstandard.ZstdDecompressor().stream_reader(data).read(size + 1)
        else:
            raise Damaged(f"chunks are compressed by {by!r}, which is not read")
    except ImportError as error:
        library = "lz4" if by == "lz4" else "zstandard"
        raise Damaged(f"chunks are compressed by {by}, for which Python's {library} is missing (Debian: python3-{library}): install it, or record without compression") from error
    except Damaged:
        raise
    except Exception as error:  # each of these libraries has exceptions of its own
        raise Damaged(f"a chunk that {by} does not decompress: {error}") from error
    if len(out) != size:
        raise Damaged(f"a chunk of {len(out)} bytes by {by}, where {size} are told")
    return out


class Bag:
    """The joint states of one topic. topic: None, if there is but one of that type."""

    def __init__(self, file: BinaryIO, path: str, topic: Optional[str]):
        self.file, self.path, self.topic, self.size = file, path, topic, os.fstat(file.fileno()).st_size
        self.channels: dict[int, tuple[str, str]] = {}  # topics of joint states, and how messages are encoded
        self.schemas: dict[int, str] = {}

    def there(self, count: int) -> int:
        left = self.size - self.file.tell()
        if count > left:
            raise Damaged(f"byte {self.file.tell()}: a record of {count} bytes, where {left} are left: the file is truncated or damaged")
        return count

    def read(self, count: int) -> bytes:
        if count > LARGEST:
            raise Damaged(f"byte {self.file.tell()}: a record of {count} bytes: {LARGEST} at most are read")
        return self.file.read(self.there(count))

    def known(self, channel: int, topic: str, kind: str, encoding: str) -> None:
        if kind in TYPES and (self.topic is None or topic == self.topic):
            self.channels[channel] = topic, encoding
        topics = sorted({name for name, _ in self.channels.values()})
        if len(topics) > 1:
            raise Damaged(f"joint states of several topics, {', '.join(topics)}: say which with --columns {topics[0]}")

    def ros1(self) -> Iterator[Message]:
        self.file.seek(self.file.read(64).find(b"\n") + 1)
        while self.file.tell() < self.size:
            header = self._fields(self.read(struct.unpack("<I", self.read(4))[0]))
            yield from self._ros1_record(header, self.read(struct.unpack("<I", self.read(4))[0]), True)

    @staticmethod
    def _fields(data: bytes) -> dict[str, bytes]:
        x, found = Bytes(data), {}
        while x:
            name, equals, value = x.take(x.number("I")).partition(b"=")
            if not equals:
                raise Damaged("a header's field without =")
            found[name.decode("ascii", "replace")] = value
        return found

    def _ros1_record(self, header: dict[str, bytes], data: bytes, whole: bool) -> Iterator[Message]:
        op = header.get("op", b"")
        if op == b"\5" and whole:
            by = header.get("compression", b"none").decode("ascii", "replace")
            inner = Bytes(data if by == "none" else _unpacked(data, by, Bytes(header.get("size", b"")).number("I")))
            while inner:
                fields = self._fields(inner.take(inner.number("I")))
                yield from self._ros1_record(fields, inner.take(inner.number("I")), False)
        elif op == b"\7":
            kind = self._fields(data).get("type", b"").decode("utf-8", "replace")
            self.known(Bytes(header.get("conn", b"")).number("I"), header.get("topic", b"").decode("utf-8", "replace"), kind, "ros1")
        elif op == b"\2" and Bytes(header.get("conn", b"")).number("I") in self.channels:
            yield joint_state(data, "ros1")

    def mcap(self) -> Iterator[Message]:
        self.file.seek(8)
        while self.file.tell() < self.size:
            op, length = struct.unpack("<BQ", self.read(9))
            if op in (2, 15):  # the footer, or the end of what is data
                return
            if op in (3, 4, 5, 6):
                yield from self._mcap_record(op, Bytes(self.read(length)), True)
            else:
                self.file.seek(self.there(length), 1)

    def _mcap_record(self, op: int, x: Bytes, whole: bool) -> Iterator[Message]:
        if op == 3:
            number = x.number("H")
            self.schemas[number] = x.text()
        elif op == 4:
            channel, schema, topic, encoding = x.number("H"), x.number("H"), x.text(), x.text()
            self.known(channel, topic, self.schemas.get(schema, ""), encoding)
        elif op == 5:
            channel = x.number("H")
            x.take(20)  # its number, and times at which it was logged and published
            if channel in self.channels:
                yield joint_state(x.take(len(x.data) - x.at), self.channels[channel][1])
        elif op == 6 and whole:
            x.take(16)
            size = x.number("Q")
            x.take(4)
            by, packed = x.text(), x.take(x.number("Q"))
            inner = Bytes(_unpacked(packed, by, size) if by else packed)
            while inner:
                op, length = inner.number("B"), inner.number("Q")
                yield from self._mcap_record(op, Bytes(inner.take(length)), False)

    def sqlite(self) -> Iterator[Message]:
        try:
            import sqlite3
        except ImportError as error:
            raise Damaged("a bag of ROS 2 in SQLite, for which Python's sqlite3 is missing") from error
        try:
            base = sqlite3.connect(f"{Path(self.path).resolve().as_uri()}?mode=ro", uri=True)
            try:
                base.text_factory = lambda x: x.decode("utf-8", "replace")
                for channel, topic, kind, encoding in base.execute("SELECT id, name, type, serialization_format FROM topics"):
                    self.known(channel, str(topic), str(kind), str(encoding))
                for channel in self.channels:
                    for (data,) in base.execute("SELECT data FROM messages WHERE topic_id = ? ORDER BY id", (channel,)):
                        if not isinstance(data, bytes):
                            raise Damaged("a message that is no blob")
                        yield joint_state(data, self.channels[channel][1])
            finally:
                base.close()
        except sqlite3.Error as error:
            raise Damaged(f"SQLite: {error}") from error


def joint_states(file: BinaryIO, path: str, kind: str, topic: Optional[str]) -> Iterator[Message]:
    """Those of a bag, in its order, or what is wrong with one; raises Damaged where the bag cannot be read on."""
    bag = Bag(file, path, topic)
    found = False
    for state in {"ros1": bag.ros1, "sqlite": bag.sqlite, "mcap": bag.mcap}[kind]():
        found = True
        yield state
    if not found:
        raise Damaged(f"no messages of type sensor_msgs/JointState{f' on {topic}' if topic else ''}")
