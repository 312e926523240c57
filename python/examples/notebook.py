# SPDX-License-Identifier: MIT
"""A Jupyter notebook of a program in cells: python3 notebook.py elbow.py > elbow.ipynb

A line `# %% What it does` begins a cell, and is a text above it; so is the program's own text in front. Results are not in the notebook: run it."""

import ast
import json
import re
import sys
from pathlib import Path


def cells(text):
    """(kind, text) of each cell."""
    head, *rest = re.split(r"^# %% *", text, flags=re.MULTILINE)
    yield "markdown", ast.get_docstring(ast.parse(head)) or ""
    for cell in rest:
        title, code = cell.split("\n", 1)
        yield "markdown", title
        yield "code", code.strip("\n")


def notebook(text):
    made = []
    for number, (kind, source) in enumerate(cells(text)):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source.splitlines(keepends=True)}
        made.append({**cell, "execution_count": None, "outputs": []} if kind == "code" else cell)
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
    return {"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    json.dump(notebook(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.stdout, ensure_ascii=False, indent=1, sort_keys=True)
    print()
