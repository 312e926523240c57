"""Builds achdgen, the generator, with CMake, and puts it into the package together with the sources of the runtime
library. Needs what the generator needs: a C compiler, CMake, pkg-config, libxml2 and Lua."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

TOP = Path(__file__).resolve().parent.parent


def version():
    text = (TOP / "generator/base/version.h").read_text(encoding="utf-8")
    return re.search(r'AG_VERSION "([^"]+)"', text)[1]


class BuildWithGenerator(build_py):
    def run(self):
        super().run()
        package = Path(self.build_lib) / "achdgen"
        work = Path(self.get_finalized_command("build").build_temp).resolve() / "achdgen"
        work.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cmake", "-S", str(TOP), "-B", str(work), f"-DCMAKE_BUILD_TYPE={os.environ.get('CMAKE_BUILD_TYPE', 'Release')}", "-DBUILD_TESTING=OFF"], check=True)
        subprocess.run(["cmake", "--build", str(work), "--target", "achdgen", "--parallel", str(os.cpu_count() or 1)], check=True)
        made = next(p for p in work.rglob("achdgen") if p.is_file() and os.access(p, os.X_OK))
        (package / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy2(made, package / "bin/achdgen")
        for source in [*(TOP / "runtime").glob("*.c"), *(TOP / "runtime").glob("*.h")]:
            (package / "runtime").mkdir(exist_ok=True)
            shutil.copy2(source, package / "runtime" / source.name)
        (package / "runtime/achd").mkdir(exist_ok=True)
        for header in (TOP / "runtime/achd").glob("*.h"):
            shutil.copy2(header, package / "runtime/achd" / header.name)


class WithProgram(Distribution):
    """The package has a program of this machine."""

    def has_ext_modules(self):
        return True


setup(version=version(), cmdclass={"build_py": BuildWithGenerator}, distclass=WithProgram)
