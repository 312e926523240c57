#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""comments.py FILE: a header of the runtime library as Doxygen reads it: comments above a declaration and behind a field are documentation, with
nothing in them that Doxygen takes for a command."""
import re
import sys


def documented(match):
    text = match.group(0)
    if "SPDX-License-Identifier" in text:
        return re.sub(r"[^\n]", "", text)
    line_before = match.string.rfind("\n", 0, match.start()) + 1
    behind = match.string[line_before:match.start()].strip()
    body = text[2:-2]
    body = re.sub(r"([\\@<>#&%])", r"\\\1", body)
    return ("/**< " if behind else "/** ") + body.strip() + " */"


sys.stdout.write(re.sub(r"/\*.*?\*/", documented, open(sys.argv[1], encoding="utf8").read(), flags=re.S))
