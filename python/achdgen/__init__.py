# SPDX-License-Identifier: MIT
"""The dynamics of a robot and its constraints, generated as C by achdgen, compiled, and called with NumPy arrays.

    import achdgen
    gen3 = achdgen.load("gen3.urdf", layout="gen3.lua", functions=["achd", "gravity"])
    hold = gen3.gravity(q=q, gravity=[0, 0, -9.81])
    move = gen3.achd(q=q, qd=qd, gravity=[0, 0, -9.81], tau_art=hold.tau, b={"tool.lin_z": 1.0})
    move.qdd, move.tau_ctrl, move.status

Every argument may have more dimensions in front: NumPy's broadcasting makes them states, which are computed in batches.
Quantities, frames and units are those of the generated header; help(gen3.achd) lists them.
"""

from . import se3
from ._compare import Difference, compare
from ._generate import AchdgenWarning, GenerationError, clear_cache, program, version
from ._layout import LayoutError, layout_text
from ._robot import Function, InputError, Result, Robot, StatusError, load, open_library

__all__ = ["AchdgenWarning", "Difference", "Function", "GenerationError", "InputError", "LayoutError", "Result", "Robot", "StatusError",
           "clear_cache", "compare", "layout_text", "load", "open_library", "program", "se3", "version"]


def __getattr__(name: str) -> str:
    if name == "__version__":  # asked of achdgen when somebody asks, so that an import runs no program
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
