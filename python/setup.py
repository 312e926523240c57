# SPDX-License-Identifier: MIT
"""Builds achdgen, the generator, with CMake, and puts it into the package together with the sources of the runtime
library. Needs what the generator needs: a C compiler, CMake, pkg-config, libxml2 and Lua; where these two libraries have archives
(Debian's -dev packages do) the program has them in itself, and runs where they are not installed.

The sources are those of the folder above, or, in a source distribution, of the folder source beside this file."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Command, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.dist import Distribution

HERE = Path(__file__).resolve().parent
TOP = HERE / "source" if (HERE / "source").is_dir() else HERE.parent
SOURCES = ("CMakeLists.txt", "LICENSE", "generator", "package", "robif2b", "runtime", "templates")
NO_WHEEL = (f"achdgen cannot be installed by {sys.executable}, which has no package \"wheel\": `{sys.executable} -m pip install wheel`, or, of Debian's "
            "Python, `apt-get install python3-wheel`; or leave out --no-build-isolation, and pip downloads it")

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    try:
        from wheel.bdist_wheel import bdist_wheel
    except ImportError:
        bdist_wheel = None


def version():
    text = (TOP / "generator/base/version.h").read_text(encoding="utf-8")
    return re.search(r'AG_VERSION "([^"]+)"', text)[1]


class NoWheel(Command):
    user_options = []

    def initialize_options(self):
        sys.exit(NO_WHEEL)

    finalize_options = run = initialize_options


class BuildWithGenerator(build_py):
    def run(self):
        super().run()
        # of an editable installation the package is the folder of the sources, which is imported
        package = HERE / "achdgen" if getattr(self, "editable_mode", False) else Path(self.build_lib) / "achdgen"
        work = Path(self.get_finalized_command("build").build_temp).resolve() / "achdgen"
        work.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cmake", "-S", str(TOP), "-B", str(work), f"-DCMAKE_BUILD_TYPE={os.environ.get('CMAKE_BUILD_TYPE', 'Release')}", "-DBUILD_TESTING=OFF", "-DACHD_INSTALL=OFF",
                        "-DACHD_STATIC=ON", "-DCMAKE_EXE_LINKER_FLAGS=-s"], check=True)
        subprocess.run(["cmake", "--build", str(work), "--target", "achdgen", "--parallel", str(os.cpu_count() or 1)], check=True)
        (package / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy2(work / "achdgen", package / "bin/achdgen")
        if package == HERE / "achdgen":
            return
        for source in [*(TOP / "runtime").glob("*.c"), *(TOP / "runtime").glob("*.h")]:
            (package / "runtime").mkdir(exist_ok=True)
            shutil.copy2(source, package / "runtime" / source.name)
        (package / "runtime/achd").mkdir(exist_ok=True)
        for header in (TOP / "runtime/achd").glob("*.h"):
            shutil.copy2(header, package / "runtime/achd" / header.name)


class WithSources(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for name in SOURCES:
            if (TOP / name).is_dir():
                shutil.copytree(TOP / name, Path(base_dir) / "source" / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                (Path(base_dir) / "source").mkdir(exist_ok=True)
                shutil.copy2(TOP / name, Path(base_dir) / "source" / name)


class WithProgram(Distribution):
    """The package has a program of this machine."""

    def has_ext_modules(self):
        return True


commands = {"build_py": BuildWithGenerator, "sdist": WithSources, "bdist_wheel": NoWheel}
if bdist_wheel:
    class OfAnyPython(bdist_wheel):
        def get_tag(self):
            return "py3", "none", super().get_tag()[2]  # the program is the machine's; nothing is bound to a Python's ABI

    commands["bdist_wheel"] = OfAnyPython

setup(version=version(), cmdclass=commands, distclass=WithProgram)
