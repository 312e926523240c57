# SPDX-License-Identifier: MIT
"""following.py: a log that is being written (log.csv, docs/report.md), as it grows: its columns, and its lines as they stand in the file."""
import csv
import os

import run_folder

LARGEST_READ = 1 << 20  # bytes at once
LAST = 4 << 20          # bytes before the end at which a reader begins who does not want all
LONGEST_HEAD = 1 << 20


class Follower:
    """read() gives what is new: None, or (kind, what): "columns" and [name, unit] of each, "rows" and lines, "mistake" and a text.
    Each line is given once and whole. A file that is replaced or cut is read anew, with its columns first. whole: from its
    first row; otherwise from some seconds ago."""

    def __init__(self, path, whole=True):
        self.path, self.whole, self.file, self.said = path, whole, None, None
        self.restart()

    def restart(self):
        if self.file:
            self.file.close()
        self.file, self.rest, self.headed = None, b"", False

    def opened(self):
        """Whether there is a file, the one that the path leads to now."""
        try:
            now = os.stat(self.path)
        except OSError:
            return self.file is not None  # removed: what is left of it is read
        if self.file:
            mine = os.fstat(self.file.fileno())
            if (now.st_dev, now.st_ino) != (mine.st_dev, mine.st_ino) or now.st_size < self.file.tell():
                self.restart()
        if not self.file:
            self.file = open(self.path, "rb", buffering=0)
        return True

    def mistake(self, text):
        if text == self.said:
            return None
        self.said = text
        return "mistake", text

    def read(self):
        try:
            if not self.opened():
                return None
            part = self.file.read(LARGEST_READ)
        except OSError as error:
            return self.mistake(f"{self.path}: {error.strerror}")
        text = self.rest + part
        if not self.headed:
            return self.head(text)
        lines, end, self.rest = text.rpartition(b"\n")
        if not end:
            return None
        return "rows", [line.rstrip(b"\r").decode("utf-8", "replace") for line in lines.split(b"\n") if line.strip()]

    def head(self, text):
        first, end, self.rest = text.partition(b"\n")
        if not end:
            self.rest = text
            return self.mistake(f"{self.path}: its first line does not end") if len(text) > LONGEST_HEAD else None
        try:
            row = next(csv.reader([first.decode("utf-8")], strict=True), [])
            columns = run_folder.header_of(self.path, row or [""])
        except (run_folder.Mistake, UnicodeDecodeError, csv.Error) as error:
            self.restart()
            return self.mistake(str(error) if isinstance(error, run_folder.Mistake) else f"{self.path}:1: {error}")
        self.headed, self.said = True, None
        size = os.fstat(self.file.fileno()).st_size
        if not self.whole and size - self.file.tell() > LAST:
            self.file.seek(size - LAST)
            while self.file.read(1) not in (b"\n", b""):
                pass
            self.rest = b""
        return "columns", [list(column) for column in columns]
