#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/unit/structure.sh SOURCE_DIR: the rules of folders and files, structure.py; the lists of planted mistakes, planted.py.
set -eu
here=$(dirname "$0")
python3 "$here/structure.py" "$1"
python3 "$here/planted.py" "$1"
