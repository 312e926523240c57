# SPDX-License-Identifier: MIT
"""Layouts as Python values or YAML, written in the layouts' own language, Lua."""

from __future__ import annotations

import importlib
import math
import numbers
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_KEYWORDS = frozenset(
    "and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split())


class LayoutError(ValueError):
    """A value that a layout cannot have."""


def _string(text: str) -> str:
    def escaped(match: re.Match[str]) -> str:
        return "\\" + match[0] if match[0] in "\"\\" else f"\\{ord(match[0]):03d}"

    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', escaped, text) + '"'


def _number(value: float, where: str) -> str:
    if math.isnan(value):
        raise LayoutError(f"{where} is NaN")
    if math.isinf(value):
        return "math.huge" if value > 0 else "-math.huge"
    return repr(value)


def _value(value: Any, where: str, indent: str) -> str:
    if hasattr(value, "tolist"):  # an array or a scalar of NumPy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return _number(float(value), where)
    inner = indent + "  "
    if isinstance(value, Mapping):
        lines = []
        for key, item in value.items():
            if not isinstance(key, str):
                raise LayoutError(f"{where} has the key {key!r}; keys are strings")
            if item is None:
                continue
            name = key if re.fullmatch(r"[A-Za-z_]\w*", key, re.ASCII) and key not in _KEYWORDS else f"[{_string(key)}]"
            lines.append(f"{inner}{name} = {_value(item, f'{where}.{key}', inner)},\n")
        return "{\n" + "".join(lines) + indent + "}" if lines else "{}"
    if isinstance(value, (list, tuple)):
        items = [_value(item, f"{where}[{i}]", inner) for i, item in enumerate(value)]
        line = "{ " + ", ".join(items) + " }" if items else "{}"
        if len(line) + len(indent) <= 100 and "\n" not in line:
            return line
        return "{\n" + "".join(f"{inner}{item},\n" for item in items) + indent + "}"
    raise LayoutError(f"{where} is a {type(value).__name__}; a layout has dicts, lists, strings, numbers and booleans")


def layout_text(layout: Mapping[str, Any]) -> str:
    """The Lua text of a layout given as a dict with the words of docs/layouts.md: groups are lists, infinity is
    math.inf, and an entry that is None is left out. Raises LayoutError for what a layout cannot have."""
    if not isinstance(layout, Mapping):
        raise LayoutError(f"a layout is a dict, not a {type(layout).__name__}")
    try:
        return "return " + _value(layout, "layout", "") + "\n"
    except RecursionError as error:
        raise LayoutError("the layout contains itself, or is nested too deeply") from error


def read_yaml(path: Path) -> Mapping[str, Any]:
    """The dict of a layout in YAML."""
    try:
        yaml: Any = importlib.import_module("yaml")
    except ImportError as error:
        raise LayoutError(f"{path}: YAML needs the package PyYAML (Debian: python3-yaml)") from error
    try:
        layout = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise LayoutError(f"{path}: {error}") from error
    if not isinstance(layout, Mapping):
        raise LayoutError(f"{path}: a layout is a mapping of words to values")
    return layout
