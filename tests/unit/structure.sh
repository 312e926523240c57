#!/bin/sh
# tests/unit/structure.sh SOURCE_DIR: the rules of folders and files: structure.py.
exec python3 "$(dirname "$0")/structure.py" "$1"
