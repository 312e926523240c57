# SPDX-License-Identifier: MIT
"""Runs achdgen and the C compiler; keeps what they make."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

from ._layout import LayoutError, layout_text, read_yaml

try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None  # type: ignore[assignment]

PACKAGE = Path(__file__).resolve().parent
BATCHES_UP_TO = 8000  # operations of a state: beyond, compiling the batch functions takes too long to do it unasked
STEPS_UP_TO = 16000  # the same where there are steps with contacts, which simulate() makes by the million


class GenerationError(Exception):
    """achdgen or the C compiler refused; the message is theirs."""


class AchdgenWarning(UserWarning):
    """What achdgen warns of in a URDF or a layout."""


@functools.lru_cache(maxsize=None)
def program() -> str:
    """Path of the achdgen that is run: the environment's ACHDGEN, the package's own, or the first on PATH."""
    given = os.environ.get("ACHDGEN")
    if given:
        found = shutil.which(given)
        if not found:
            raise GenerationError(f"the environment's ACHDGEN names {given}, which is no program")
        return found
    own = PACKAGE / "bin/achdgen"
    if own.is_file():
        return str(own)
    found = shutil.which("achdgen")
    if not found:
        raise GenerationError("achdgen is not there: install this package with pip, put achdgen on PATH, or set ACHDGEN")
    return found


@functools.lru_cache(maxsize=None)
def version() -> str:
    """Version of achdgen: "0.4.0"."""
    return subprocess.run([program(), "--version"], check=True, capture_output=True, text=True).stdout.split()[1]


def _cache_folder(cache: Optional[Union[str, Path]]) -> Path:
    if cache is not None:
        return Path(cache)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "achdgen"


def clear_cache(cache: Optional[Union[str, Path]] = None) -> None:
    """Removes all libraries that load() has made."""
    shutil.rmtree(_cache_folder(cache), ignore_errors=True)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    if result.returncode != 0:
        raise GenerationError(result.stderr.strip() or f"{command[0]} ended with {result.returncode}")
    return result


def _runtime() -> Path:
    for folder in (PACKAGE / "runtime", PACKAGE.parent.parent / "runtime"):
        if (folder / "mclp.c").is_file():
            return folder
    raise GenerationError("the sources of the runtime library, which solves bounded rows and optima, are not in this package: install it with pip")


# What solves the problem of a state: its C variables, the call of the runtime library, the sources of that.
_SOLVERS = {
    "mclp": ("""    {n}_real answer[{upper}_NR] = {{0}};
    achd_real work[ACHD_MCLP_WORK({upper}_NR)];
    signed char side[{upper}_NR] = {{0}};
    achd_mclp_report report;
    const achd_mclp_problem problem = {{{upper}_NR, p.L, p.r, p.lo, p.hi}};
""", "achd_mclp(&problem, answer, side, 0, work, &report)", ("mclp.c", "least_norm.c")),
    "qp": ("""    {n}_real answer[{upper}_NX] = {{0}};
    achd_real work[ACHD_QP_FRICTION_WORK({upper}_NX, {upper}_NQ, {upper}_LEVELS)], dual[ACHD_QP_DUAL({upper}_LEVELS, {upper}_NQ)];
    signed char side[{upper}_NQ] = {{0}};
    achd_qp_report report;
#ifdef {upper}_NF
    const int rubbing = {upper}_NF;
    const achd_real *stiction = p.stiction;
#else
    const int rubbing = 0;
    const achd_real *stiction = NULL;
#endif
    const achd_qp_rubbing problem = {{
        {{{upper}_NX, {upper}_NQ, {upper}_LEVELS, p.H, p.g, p.A, p.lo, p.hi, p.level, p.weight}}, rubbing, stiction, 0}};
""", "achd_qp_friction(&problem, answer, dual, side, work, &report)",
           ("qp.c", "qp_avx2.c", "qp_factors.c", "qp_active.c", "qp_levels.c", "qp_check.c", "qp_friction.c")),
}


_STEP_SOURCES = ("contact.c", "contact_avx2.c", "contact_check.c", "contact_factors.c", "contact_path.c")


def impulses(description: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Of a step with contacts: rows, contacts, limits, joints with dry friction."""
    begin = next(f for f in description["functions"] if f["name"] == "step_begin")
    counts = {field["name"]: len(field["elements"]) for field in begin["out"]["fields"]}
    rows, contacts, boxes = counts["b"], counts.get("mu", 0), counts.get("box", 0)
    return rows, contacts, rows - 3 * contacts - boxes, boxes


def _step_source(description: Mapping[str, Any]) -> str:
    """C of a step with contacts: a few states at once begin it, the runtime library finds the impulses of each, and they end it."""
    n = description["prefix"]
    rows, contacts, limits, boxes = impulses(description)
    given = (", .mu = begin[k].mu" if contacts else "") + (", .bound = begin[k].box" if boxes else "")
    return f"""#include "{n}.h"
#include <achd/contact.h>
#include <string.h>

enum {{ ROWS = {rows}, AT_ONCE = 8 }};

/* lambda: impulses of the step before, and of this one; NULL: none are known. solved: an achd_contact_status per state */
void {n}_step_solved_many(size_t n, const {n}_step_in *in, {n}_step_out *out, {n}_status *status, int *solved, {n}_real (*lambda)[ROWS]);
void {n}_step_solved_many(size_t n, const {n}_step_in *in, {n}_step_out *out, {n}_status *status, int *solved, {n}_real (*lambda)[ROWS]) {{
  const ptrdiff_t count = (ptrdiff_t)n;
  ptrdiff_t i;
#if defined(_OPENMP)
#pragma omp parallel for schedule(dynamic) if (n >= 64)
#endif
  for (i = 0; i < count; i += AT_ONCE) {{
    {n}_step_begin_out begin[AT_ONCE];
    {n}_status ended[AT_ONCE];
    {n}_real own[AT_ONCE][ROWS];
    {n}_real (*impulse)[ROWS] = lambda ? lambda + i : own;
    achd_real work[ACHD_CONTACT_WORK(ROWS)];
    const int few = count - i < AT_ONCE ? (int)(count - i) : AT_ONCE;
    int k;
    if (!lambda) memset(own, 0, sizeof own);
    {n}_step_begin_many((size_t)few, in + i, begin, status + i);
    for (k = 0; k < few; k++) {{
      achd_contact_report report;
      const achd_contact_problem problem = {{
          .contacts = {contacts}, .limits = {limits}, .boxes = {boxes}, .A = begin[k].A, .b = begin[k].b, .gap = begin[k].gap{given}}};
      solved[i + k] = (int)achd_contact_solve(&problem, impulse[k], 0, work, &report);
    }}
    {n}_step_end_many((size_t)few, in + i, begin, (const {n}_real(*)[ROWS])impulse, out + i, ended);
    for (k = 0; k < few; k++) status[i + k] |= ended[k];
  }}
}}
"""


def _solver_source(description: Mapping[str, Any], kind: str) -> str:
    """C that solves bounded rows (mclp) or what motors and contacts can do at best (qp): the problem, its solution by the
    runtime library, what follows from it."""
    if kind == "step_begin":
        return _step_source(description)
    n = description["prefix"]
    arrays, call, _ = _SOLVERS[kind]
    return f"""#include "{n}.h"
#include <achd/{kind}.h>

/* solved: an achd_{kind}_status per state */
void {n}_solve_many(size_t n, const {n}_achd_in *in, {n}_achd_out *out, {n}_status *status, int *solved);
void {n}_solve_many(size_t n, const {n}_achd_in *in, {n}_achd_out *out, {n}_status *status, int *solved) {{
  const ptrdiff_t count = (ptrdiff_t)n;
  ptrdiff_t i;
#if defined(_OPENMP)
#pragma omp parallel for schedule(static) if (n >= 256)
#endif
  for (i = 0; i < count; i++) {{
    {n}_{kind}_out p;
{arrays.format(n=n, upper=description["macros"])}    status[i] = {n}_{kind}(&in[i], &p);
    solved[i] = (int){call};
    status[i] |= {n}_apply(&in[i], &p, answer, &out[i]);
  }}
}}
"""


@functools.lru_cache(maxsize=None)
def _machine() -> str:
    """What code for this machine depends on, if it is compiled for it."""
    try:
        flags = re.search(r"^(?:flags|Features)\s*:.*$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        flags = None
    return f"{platform.machine()} {flags[0] if flags else platform.processor()}"


def _runs_on(options: Sequence[str]) -> str:
    """What a library of these options runs on: this kind of machine, or with two copies of functions, of which each machine takes its own, all of its architecture."""
    return platform.machine() if "--dispatch" in options else _machine()


def _compiler(cc: Optional[str]) -> str:
    name = cc or os.environ.get("CC") or "cc"
    found = shutil.which(name.split()[0])
    if not found:
        raise GenerationError(f"the C compiler {name} is not there: install one (Debian: gcc), or name yours: cc=\"clang\"")
    return name


def _layout_file(layout: Any, folder: Path) -> Optional[Path]:
    """The layout as a file that achdgen reads."""
    if layout is None:
        return None
    if isinstance(layout, Mapping):
        text = layout_text(layout)
    elif not isinstance(layout, (str, os.PathLike)):
        raise LayoutError(f"a layout is a dict or the name of a file, not a {type(layout).__name__}")
    else:
        path = Path(layout)
        if path.suffix not in (".yaml", ".yml"):
            return path
        text = layout_text(read_yaml(path))
    file = folder / "layout.lua"
    file.write_text(text, encoding="utf-8")
    return file


@contextlib.contextmanager
def _alone(file: Path) -> Iterator[None]:
    """One process at a time: others that make the same wait until it has been made, or until the one that makes it has died."""
    with open(file, "wb") as lock:
        if fcntl:
            with contextlib.suppress(OSError):  # a file system without locks: each makes its own, and one is kept
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _robot_file(robot: Any, file: Path) -> Path:
    """The robot as a file: that of its name, or `file`, where it is text."""
    if isinstance(robot, str) and robot.lstrip("\ufeff \t\r\n").startswith("<"):
        file.write_text(robot.lstrip("\ufeff \t\r\n"), encoding="utf-8")
        return file
    if not isinstance(robot, (str, os.PathLike)):
        raise GenerationError(f"a robot is the name of a URDF file, or its text, not a {type(robot).__name__}")
    return Path(robot)


def compare_text(robot: Any, other: Any) -> str:
    """What `achdgen ROBOT --compare OTHER` prints."""
    with tempfile.TemporaryDirectory(prefix="achdgen-") as scratch:
        work = Path(scratch)
        files = [_robot_file(given, work / name) for given, name in ((robot, "robot.urdf"), (other, "other.urdf"))]
        try:
            return _run([program(), str(files[0]), "-q", "--compare", str(files[1])]).stdout
        except GenerationError as error:
            raise GenerationError(_told(str(error), work, None)) from None


def _told(text: str, scratch: Path, layout: Optional[Path]) -> str:
    """What achdgen said, without the folder that is gone when it is read; lines of a layout that was a dict are shown."""
    if layout is not None and layout.parent == scratch:
        lines = layout.read_text(encoding="utf-8").splitlines()
        text = re.sub(re.escape(str(layout)) + r":(\d+):",
                      lambda at: f"layout.lua:{at[1]}: {lines[int(at[1]) - 1].strip()[:100]!r}:", text)
    return text.replace(f"{scratch}{os.sep}", "")


@dataclass(frozen=True)
class Recipe:
    """What a library is made of, so that another machine, or this one without its files, can make it again: names and texts of the robot's file and
    the layout's, and what else load() was given. Files that the robot's includes, and meshes, have to be where they were."""

    robot: tuple[str, bytes]
    layout: Optional[tuple[str, bytes]]
    folder: str  # of the robot's file
    options: tuple[str, ...]
    batch: Optional[int]
    cc: Optional[str]
    flags: tuple[str, ...]
    cache: Optional[str]
    machine: str  # on which it was made, as
    library: str


def recipe_of(urdf: Any, layout: Any, options: Sequence[str], batch: Optional[int], cc: Optional[str], flags: Sequence[str],
              cache: Optional[Union[str, Path]], library: Path) -> Recipe:
    with tempfile.TemporaryDirectory(prefix="achdgen-") as scratch:
        work = Path(scratch)
        robot, file = _robot_file(urdf, work / "robot.urdf"), _layout_file(layout, work)
        return Recipe((robot.name, robot.read_bytes()), (file.name, file.read_bytes()) if file is not None else None, str(robot.resolve().parent),
                      tuple(options), batch, cc, tuple(flags), None if cache is None else str(cache), _runs_on(options), str(library))


def make_again(recipe: Recipe) -> Path:
    """The library of a recipe: that which was made of it, where it is there and of this kind of processor, or a new one."""
    library = Path(recipe.library)
    if library.is_file() and recipe.machine == _runs_on(recipe.options):
        return library
    with tempfile.TemporaryDirectory(prefix="achdgen-") as scratch:
        files: list[Path] = []
        for name, text in (recipe.robot, *([recipe.layout] if recipe.layout else [])):
            (Path(scratch) / str(len(files))).mkdir()
            files.append(Path(scratch) / str(len(files)) / name)
            files[-1].write_bytes(text)
        own = Path(recipe.folder) / recipe.robot[0]
        if own.is_file() and own.read_bytes() == recipe.robot[1]:
            files[0] = own  # beside what it includes
        cache = recipe.cache if recipe.cache is not None and Path(recipe.cache).is_dir() else None
        return make(files[0], files[1] if recipe.layout else None, recipe.options, recipe.batch, recipe.cc, recipe.flags, cache)


def _width(description: Mapping[str, Any], solved: Optional[str], flags: Sequence[str]) -> int:
    """How many states are computed at once where nobody says it: as many as fit into a register; 0: one, as a solver follows each state, or compiling takes long."""
    operations = sum(f["operations"]["total"] for f in description["functions"])
    steps = solved == "step_begin"
    if solved and not steps or operations > (STEPS_UP_TO if steps else BATCHES_UP_TO):
        return 0
    wide = description["real"] == "double" and "-march=native" in flags and "avx512f" in _machine()
    return 8 if steps and wide else 4


def usual_flags(portable: bool) -> list[str]:
    """The compiler's options where nobody gives any; gcc's -std=c99 would fuse no products and sums."""
    return ["-O2", *([] if portable else ["-march=native"]), "-ffp-contract=fast"]


def make(urdf: Any, layout: Any, options: Sequence[str], batch: Optional[int], cc: Optional[str], flags: Optional[Sequence[str]],
         cache: Optional[Union[str, Path]]) -> Path:
    """The shared library of a robot, made where it has not been made before."""
    compiler = _compiler(cc)
    flags = usual_flags(False) if flags is None else flags.split() if isinstance(flags, str) else list(flags)
    folder = _cache_folder(cache)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="making-", dir=folder) as scratch:
        work = Path(scratch)
        robot = _robot_file(urdf, work / "robot.urdf")
        command = [program(), str(robot), *options, "--mode", "shared"]
        file = _layout_file(layout, work)
        if file is not None:
            command += ["--layout", str(file)]
        if batch:
            command += ["--batch", str(batch)]
        try:
            described = _run([*command, "--describe", "json"])
        except GenerationError as error:
            raise GenerationError(_told(str(error), work, file)) from None
        for line in _told(described.stderr, work, file).splitlines():
            if "warning: " in line:
                warnings.warn(line, AchdgenWarning, stacklevel=4)
        description = json.loads(described.stdout)
        solved = next((f["after"] for f in description["functions"] if f["after"]), None)
        width = _width(description, solved, flags) if batch is None else 0
        if width:
            command += ["--batch", str(width)]
            description = json.loads(_run([*command, "-q", "--describe", "json"]).stdout)

        name = description["prefix"]
        told = _run([*compiler.split(), "--version"]).stdout
        key = hashlib.sha256()
        parts: tuple[Union[str, bytes], ...] = (json.dumps(description), Path(program()).read_bytes(), compiler, told, " ".join(flags), _runs_on(options))
        for part in parts:
            key.update(part if isinstance(part, bytes) else part.encode())
            key.update(b"\0")
        kept = folder / f"{name}-{key.hexdigest()[:24]}"
        library = kept / f"{name}.so"
        if library.is_file():
            return library

        with _alone(folder / f"{kept.name}.lock"):
            if library.is_file():
                return library
            made = work / "made"
            made.mkdir()
            _run([*command, "-q", "-o", str(made / f"{name}.h")])
            sources = [str(made / f"{name}.c")]
            if solved:
                (made / "solve.c").write_text(_solver_source(description, solved), encoding="utf-8")
                sources += [str(made / "solve.c"), *(str(_runtime() / file) for file in (_STEP_SOURCES if solved == "step_begin" else _SOLVERS[solved][2])), "-I", str(_runtime())]
                if description["real"] == "float":
                    sources.append("-DACHD_SINGLE")
                if "--dispatch" in options:  # the solvers in two copies, too
                    sources.append("-DACHD_DISPATCH")
            _run([*compiler.split(), "-std=c99", *flags, "-fPIC", "-shared", *sources, "-o", str(made / f"{name}.so"), "-lm"])
            try:
                made.rename(kept)
            except OSError:  # another process was faster
                if not library.is_file():
                    raise
    return library


def compiled(source: Path, cc: Optional[str] = None) -> Path:
    """The shared library of one C file of this package, made where it has not been made before."""
    compiler, flags, folder = _compiler(cc), ["-O3", "-march=native", "-ffp-contract=fast"], _cache_folder(None)
    key = hashlib.sha256("\0".join([source.read_text(encoding="utf-8"), compiler, _run([*compiler.split(), "--version"]).stdout, " ".join(flags), _machine()]).encode())
    library = folder / f"{source.stem}-{key.hexdigest()[:24]}.so"
    if not library.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="making-", dir=folder) as scratch:
            made = Path(scratch) / library.name
            _run([*compiler.split(), "-std=c99", *flags, "-fPIC", "-shared", str(source), "-o", str(made), "-lm"])
            made.replace(library)
    return library
