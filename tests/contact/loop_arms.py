# SPDX-License-Identifier: MIT
"""loop_arms.py NAME FILE: the MJCF of a published robot (tests/program/mjcf_published.py), the Fetch with the 1.5 kg of its gripper behind its wrist."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "program"))
import mjcf_published  # noqa: E402

name, file = sys.argv[1:]
text = mjcf_published.TREES[name]
if name == "Fetch":
    tool = '<site name="tool"'
    assert text.count(tool) == 1
    text = text.replace(tool, '<geom type="box" size="0.06 0.06 0.06" pos="0 0 0.2" mass="1.5"/>\n' + tool)
pathlib.Path(file).write_text(text, encoding="ascii")
