# SPDX-License-Identifier: MIT
"""Logs in bags of ROS 1, of ROS 2, and in MCAP, written here after their specifications: read as what was written, or refused with what is wrong."""

import bz2
import os
import random
import sqlite3
import struct

import numpy as np
import pytest
from achdgen import bags, recording

JOINTS, LINES = ["elbow", "wrist"], 200
T = 1.7e9 + 0.01 * np.arange(LINES)
X = np.stack([np.sin(0.01 * (k + 1) * np.arange(LINES)) for k in range(6)], 1)  # q, qd, tau


def text(word):
    return struct.pack("<I", len(word)) + word.encode()


def ros1(t, x, names=("finger", "wrist", "elbow")):
    """A message of ROS 1: joints in another order, and one that is none of the arm's."""
    of = {"elbow": x[0::2], "wrist": x[1::2], "finger": [9.0, 9, 9]}
    arrays = b"".join(struct.pack(f"<I{len(names)}d", len(names), *(of[name][k] for name in names)) for k in range(3))
    return struct.pack("<III", 7, int(t), round(1e9 * (t % 1))) + text("base") + struct.pack("<I", len(names)) + b"".join(text(name) for name in names) + arrays


def cdr(t, x, order="<", names=("finger", "wrist", "elbow")):
    """The same of ROS 2, in CDR."""
    of, out = {"elbow": x[0::2], "wrist": x[1::2], "finger": [9.0, 9, 9]}, b""

    def put(kind, *values):
        nonlocal out
        out += bytes(-len(out) % struct.calcsize(kind)) + struct.pack(f"{order}{len(values)}{kind}", *values)

    def word(name):
        nonlocal out
        put("I", len(name) + 1)
        out += name.encode() + b"\0"

    put("I", int(t), round(1e9 * (t % 1)))
    word("base")
    put("I", len(names))
    for name in names:
        word(name)
    for k in range(3):
        put("I", len(names))
        put("d", *(of[name][k] for name in names))
    return (b"\0\1\0\0" if order == "<" else b"\0\0\0\0") + out


def record1(data, **fields):
    header = b"".join(struct.pack("<I", len(name) + 1 + len(value)) + name.encode() + b"=" + value for name, value in fields.items())
    return struct.pack("<I", len(header)) + header + struct.pack("<I", len(data)) + data


def ros1_bag(by="none", topics=("/joint_states",)):
    inner = b""
    for k, topic in enumerate(topics):
        inner += record1(record1(b"", topic=topic.encode(), type=b"sensor_msgs/JointState")[4:-4], op=b"\7", conn=struct.pack("<I", k), topic=topic.encode())
    inner += b"".join(record1(ros1(t, x), op=b"\2", conn=struct.pack("<I", 0), time=bytes(8)) for t, x in zip(T, X))
    packed = {"none": lambda x: x, "bz2": bz2.compress}.get(by, lambda x: x)(inner)
    return b"#ROSBAG V2.0\n" + record1(b" " * 4000, op=b"\3", index_pos=bytes(8)) + record1(packed, op=b"\5", compression=by.encode(), size=struct.pack("<I", len(inner))) + record1(b"", op=b"\6")


def mcap_record(op, data):
    return struct.pack("<BQ", op, len(data)) + data


def mcap(by=None, order="<", topics=("/joint_states",), encoding="cdr", pack=lambda x: x):
    """by: the compression of its one chunk, None: without chunks."""
    inner = mcap_record(3, struct.pack("<H", 1) + text("sensor_msgs/msg/JointState") + text("ros2msg") + text("float64[] position"))
    for k, topic in enumerate(topics):
        inner += mcap_record(4, struct.pack("<HH", k, 1) + text(topic) + text(encoding) + struct.pack("<I", 0))
    inner += b"".join(mcap_record(5, struct.pack("<HIQQ", 0, 1, 2, 3) + (cdr(t, x, order) if encoding == "cdr" else ros1(t, x))) for t, x in zip(T, X))
    if by is not None:
        packed = pack(inner)
        inner = mcap_record(6, struct.pack("<QQQI", 0, 1, len(inner), 0) + text(by) + struct.pack("<Q", len(packed)) + packed)
    return b"\x89MCAP0\r\n" + mcap_record(1, text("ros2") + text("test")) + inner + mcap_record(15, bytes(4)) + mcap_record(2, bytes(20)) + b"\x89MCAP0\r\n"


def sqlite(path, encoding="cdr", damaged=()):
    base = sqlite3.connect(path)
    base.executescript("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT, offered_qos_profiles TEXT);"
                       "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);")
    base.executemany("INSERT INTO topics VALUES(?, ?, ?, ?, '')", [(1, "/tf", "tf2_msgs/msg/TFMessage", "cdr"), (2, "/joint_states", "sensor_msgs/msg/JointState", encoding)])
    base.execute("INSERT INTO messages VALUES(NULL, 1, 0, x'00')")
    base.executemany("INSERT INTO messages VALUES(NULL, 2, 0, ?)", [(b"\0\1\0\0\7" if k in damaged else cdr(t, x),) for k, (t, x) in enumerate(zip(T, X))])
    base.commit()
    base.close()
    return path.read_bytes()


BAGS = {"ros1": ros1_bag, "ros1 bz2": lambda: ros1_bag("bz2"), "mcap": mcap, "mcap chunk": lambda: mcap(""), "mcap big endian": lambda: mcap(order=">"),
        "mcap of ros1": lambda: mcap(encoding="ros1")}


def given(tmp_path, kind):
    path = tmp_path / "log.bag"
    path.write_bytes(sqlite(tmp_path / "made.db3") if kind == "sqlite" else BAGS[kind]())
    return path


@pytest.mark.parametrize("kind", [*BAGS, "sqlite"])
def test_bags_are_read(tmp_path, kind):
    log = recording.read(str(given(tmp_path, kind)), JOINTS)
    assert np.allclose(log.t, T, atol=1e-6, rtol=0) and np.array_equal(np.concatenate([log.q, log.qd, log.tau], 1), X)


@pytest.mark.parametrize("by", ["lz4", "zstd"])
def test_compressed_chunks(tmp_path, by, monkeypatch):
    """Read where Python's library is there; else it is named."""
    path = tmp_path / "log.mcap"
    library = {"lz4": "lz4.frame", "zstd": "zstandard"}[by]
    try:
        module = __import__(library, fromlist=["x"])
        path.write_bytes(mcap(by, pack=module.compress if by == "lz4" else module.ZstdCompressor().compress))
        assert len(recording.read(str(path), JOINTS).t) == LINES
    except ImportError:
        path.write_bytes(mcap(by))
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(recording.Mistake, match=f"chunks are compressed by {by}, for which .* python3-{'lz4' if by == 'lz4' else 'zstandard'}"):
        recording.read(str(path), JOINTS)


WRONG = {"other compression": (mcap("brotli"), "compressed by 'brotli', which is not read"), "chunk that is none": (ros1_bag("bz2").replace(b"BZh9", b"BZh?"), "bz2 does not decompress"),
         "several topics": (mcap(topics=("/a", "/b")), "several topics, /a, /b: say which with --columns /a"),
         "encoding": (mcap(encoding="json"), "encoded as 'json'"), "no joint states": (mcap().replace(b"JointState", b"JointTrash"), "no messages of type sensor_msgs/JointState"),
         "truncated": (mcap()[:-3000], "the file is truncated or damaged"), "long record": (ros1_bag() + b"\xff\xff\xff\x7f", "2147483647 bytes"),
         "no effort": (mcap().replace(b"wrist\0", b"wrusk\0"), r":1: no position of wrist"), "empty": (b"\x89MCAP0\r\n", "no messages of type"),
         "zstd file": (b"\x28\xb5\x2f\xfd" + bytes(100), "compressed by zstd is not read")}


@pytest.mark.parametrize("kind", WRONG)
def test_bags_that_are_wrong(tmp_path, kind):
    path, (data, said) = tmp_path / "log.bag", WRONG[kind]
    path.write_bytes(data)
    with pytest.raises(recording.Mistake, match=said):
        recording.read(str(path), JOINTS)


def test_a_topic_is_chosen(tmp_path):
    path = tmp_path / "log.mcap"
    path.write_bytes(mcap(topics=("/a", "/b")))
    assert len(recording.read(str(path), JOINTS, "/a").t) == LINES
    with pytest.raises(recording.Mistake, match="no messages of type sensor_msgs/JointState on /b"):
        recording.read(str(path), JOINTS, "/b")


def test_damaged_messages_are_left_out(tmp_path):
    """One that cannot be read, and the end of a bag whose recording broke off."""
    path = tmp_path / "log.db3"
    sqlite(path, damaged=(17, 60))
    with pytest.raises(recording.Mistake, match=r"log.db3:18: a message that cannot be read"):
        recording.read(str(path), JOINTS)
    log = recording.read(str(path), JOINTS, None, True)
    assert log.skipped == 2 and len(log.t) == LINES - 2
    path.write_bytes(mcap()[:-3000])
    log = recording.read(str(path), JOINTS, None, True)
    assert log.skipped == 1 and 100 < len(log.t) < LINES


@pytest.mark.parametrize("kind", [*BAGS, "sqlite"])
def test_hostile_bags(tmp_path, kind):
    """Cut off anywhere, or with bytes that are wrong: what is read is finite, or a mistake tells what is wrong; nothing else happens, and memory stays small."""
    whole, draw, path = given(tmp_path, kind).read_bytes(), random.Random(kind), tmp_path / "hostile"
    read = refused = 0
    for trial in range(1200 if os.environ.get("ACHD_SWEEP") else 40):
        if trial % 2:
            data = whole[:draw.randrange(len(whole))]
        else:
            data = bytearray(whole)
            for _ in range(draw.choice((1, 3, 20))):
                at = draw.randrange(len(data) if trial % 4 else 400)
                data[at:at + 1] = draw.choice((b"\xff", b"\0", b"\x7f", bytes([draw.randrange(256)])))
        path.write_bytes(data)
        try:
            log = recording.read(str(path), JOINTS, None, trial % 3 == 0)
            assert np.isfinite(log.tau).all() and np.all(np.diff(log.t) > 0)
            read += 1
        except recording.Mistake:
            refused += 1
    assert refused > 8, (read, refused)


def test_a_chunk_says_no_more_than_it_has(tmp_path):
    """A chunk of zeros that would take a gigabyte is refused before it does."""
    packed = bz2.compress(bytes(1 << 20))
    with pytest.raises(bags.Damaged, match="a chunk of 1001 bytes by bz2, where 1000 are told"):
        bags._unpacked(packed, "bz2", 1000)
    with pytest.raises(bags.Damaged, match="at most are read"):
        bags._unpacked(packed, "bz2", 1 << 40)
