#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/python.sh SOURCE_DIR ACHDGEN: the Python package: installed by pip without a network, as its README says, into an
# environment of its own; its tests, its example and README's listings, away from the sources. Editable installations; a source
# distribution that builds alone to a wheel for any Python, whose program needs nothing but the C library.
set -eu
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/console.sh"
top=$(cd "$1" && pwd)
achdgen=$(absolute "$2")
python=/usr/bin/python3
$python -c 'import numpy, pytest, setuptools, wheel, yaml' 2>/dev/null || skip_all "no Debian Python with NumPy, pytest, setuptools, wheel and PyYAML"
unset PYTHONPATH ACHDGEN CC CFLAGS
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME="$scratch/cache"
! command -v ninja >/dev/null || export CMAKE_GENERATOR=Ninja # make starts three processes more for each file
export CMAKE_BUILD_TYPE=None # not optimised: a third of what Release takes to compile
# To compile the generator takes most of pip's time: one time in nine; else pip's build takes the objects that the project's has made.
if ! in_sample "$top" 9; then
  export CMAKE_C_COMPILER_LAUNCHER="$top/tests/delivery/compiled.sh" ACHD_COMPILED="${achdgen%/*}"
fi
# an environment that sees Debian's packages
PATH=$(dirname $python):$PATH

mkdir "$scratch/clone"
(cd "$top" && tar cf - CMakeLists.txt generator runtime templates robots package python report robif2b LICENSE 2>/dev/null) |
  (cd "$scratch/clone" && tar xf - --exclude python/build --exclude python/dist --exclude python/achdgen/bin --exclude __pycache__)
cd "$scratch/clone"
# Optimisation takes most of what an example takes, and the listing below has it.
printf '#!/bin/sh\nexec cc "$@" -O0\n' >quick_cc
chmod +x quick_cc
export CC="$PWD/quick_cc"
run_document python/README.md
unset CC
check "pip: installed in the environment" sh -c "env/bin/python3 -c 'import achdgen; print(achdgen.__file__, achdgen.program())' | grep -c '^$scratch/clone/env/.* $scratch/clone/env/'"
# shellcheck disable=SC2016 # back quotes of Markdown
sed -n '/^```python/,/^```/p' python/README.md | sed '/^```/d' >listing.py
check "README's listing" env/bin/python3 listing.py
check "the example" env CC="$PWD/quick_cc" env/bin/python3 python/examples/elbow.py robots
cp "$scratch/.said" elbow.txt
check "its notebook is made of its cells" sh -c "env/bin/python3 python/examples/notebook.py python/examples/elbow.py | cmp - python/examples/elbow.ipynb"
# A notebook says what the program says, and shows a figure where there is matplotlib.
executed() {
  PYTHONPATH=$(echo env/lib/python3*/site-packages) && PYTHONPATH=$PWD/$PYTHONPATH CC="$PWD/quick_cc" JUPYTER_CONFIG_DIR="$scratch/jupyter" IPYTHONDIR="$scratch/ipython" \
    $python -m nbconvert --log-level ERROR --execute --to notebook --output "$scratch/clone/run.ipynb" python/examples/elbow.ipynb || return 1
  $python - <<'END'
import importlib.util
import json

cells = json.load(open("run.ipynb", encoding="utf-8"))["cells"]
outputs = [output for cell in cells for output in cell.get("outputs", [])]
said = "".join("".join(output["text"]) for output in outputs if output["output_type"] == "stream")
figures = sum("image/png" in output.get("data", {}) for output in outputs)
assert said == open("elbow.txt", encoding="utf-8").read(), said
assert figures == (importlib.util.find_spec("matplotlib") is not None), figures
END
}
cp -R python/tests python/pyproject.toml "$scratch"
cd "$scratch"
# by the build's own achdgen, which is optimised: the one that pip made has run above; every fifth test
every=
in_sample "$top" 1
[ -z "$sample_from" ] || every=ACHD_EVERY=5,$((sample_from % 5))
# shellcheck disable=SC2086 # perhaps no word
check "its tests" env $every ACHDGEN="$achdgen" CC="$scratch/clone/quick_cc" ACHD_ROBOTS="$scratch/clone/robots" ACHD_EXAMPLES="$scratch/clone/python/examples" clone/env/bin/python3 -m pytest -q -s -p no:cacheprovider --ignore tests/test_scale.py tests
grep 'states a second\|passed' .said || true
# A notebook is run, and studies on many processes, one time in eight; that a robot is compiled once, always.
studies() { # PYTEST_OPTION...
  check "studies on many processes" env ACHDGEN="$achdgen" CC="$scratch/clone/quick_cc" ACHD_ROBOTS="$scratch/clone/robots" ACHD_EXAMPLES="$scratch/clone/python/examples" \
    clone/env/bin/python3 -m pytest -q -rs -p no:cacheprovider "$@" tests/test_scale.py
  sed -n 's/^SKIPPED .*: no /not tried: there is no /p' .said | sort -u
}
if in_sample "$top" 8; then
  if $python -c 'import ipykernel, nbconvert' 2>/dev/null; then
    cd "$scratch/clone"
    check "the notebook" executed
    cd "$scratch"
  else
    echo "not tried: a notebook, as there is no nbconvert with ipykernel (Debian: jupyter-nbconvert, python3-ipykernel)"
  fi
  studies -k ""
  path=$PATH
  cd "$scratch/clone"
  PATH=$PWD/env/bin:$PATH run_document "$top/docs/scale.md"
  PATH=$path
else
  studies -k compile_once
fi

# After all that: an editable installation, which imports the sources, takes the place of the package.
cd "$scratch/clone"
# Of the editable installation and the wheel, each of which builds the program once more, one is tried.
editable() {
  edit() { env/bin/pip install -q --no-build-isolation --no-deps -e ./python; }
  check "pip install -e" edit
  check "an editable installation" sh -c "cd / && '$PWD/env/bin/python3' -c 'import achdgen; print(achdgen.__file__, achdgen.program(), achdgen.__version__)' |
    grep -qx '$PWD/python/achdgen/__init__.py $PWD/python/achdgen/bin/achdgen [0-9.]*'"
  check "an import runs no program" env ACHDGEN=/nowhere env/bin/python3 -c 'import achdgen'
}
! in_sample "$top" 2 || editable
mkdir no_wheel no_wheel/wheel
echo 'raise ImportError' >no_wheel/wheel/__init__.py
without_wheel() { ! PYTHONPATH="$PWD/no_wheel" env/bin/pip install --no-build-isolation ./python >said 2>&1; }
check "no package wheel: refused" without_wheel
check "no package wheel: what to do" sh -c "grep -q 'which has no package \"wheel\": .* -m pip install wheel' said && ! grep -q Traceback said"
check "the licence" cmp "$top/LICENSE" python/LICENSE
sdist() { (cd python && $python setup.py -q sdist -d "$scratch/sdist"); }
check "a source distribution" sdist
check "it has the generator" sh -c "tar tzf '$scratch'/sdist/achdgen-*.tar.gz | grep -q '/source/generator/limbs/build[.]c$'"
if ! in_sample "$top" 2; then
  finish
  exit
fi
mkdir "$scratch/alone"
cd "$scratch/alone"
wheel() { $python -m pip wheel -q --no-build-isolation --no-deps -w . "$scratch"/sdist/achdgen-*.tar.gz; }
check "it builds alone" wheel
check "a wheel for any Python" sh -c "ls | grep -qx 'achdgen-[0-9.]*-py3-none-linux_$(uname -m)[.]whl'"
mkdir -p root/lib
$python -m zipfile -e ./*.whl root
# A program that uses the package, by a strict checker of types: outputs are arrays, functions are called, joints are numbers. An `ignore` that
# hides nothing is an error, too.
if command -v mypy >/dev/null && in_sample "$top" 3; then
  cat >typed.py <<'END'
import numpy as np
import achdgen

gen3 = achdgen.load("gen3.urdf", {"groups": []}, functions=["achd"])
move = gen3.achd(q=np.zeros(7))
largest: float = float(move.qdd.max()) + float(move["nu"][0]) + float(move.acc.tool_frame[..., 0])
last: float = float(move.qdd[gen3.JOINT_7])
wrong: str = move.qdd  # type: ignore[assignment]
gen3.achd([0] * 7)  # type: ignore[misc]
END
  check "types" env MYPYPATH=root mypy --strict --no-error-summary --cache-dir "$scratch/mypy" typed.py
fi
check "its licences" sh -c "cmp root/*.dist-info/LICENSE '$top/LICENSE' && grep -q libxml2 root/*.dist-info/LICENSE.libraries"
chmod +x root/achdgen/bin/achdgen
for archive in libxml2.a liblua5.4.a liblzma.a libz.a; do
  case $(cc -print-file-name=$archive) in */*) ;; *)
    echo "not tried: a program without shared libraries, as there is no $archive"
    finish
    exit
    ;;
  esac
done
needed=$(ldd root/achdgen/bin/achdgen | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p; s/^[^/=]*\(\/[^ ]*ld-[^ ]*\).*/\1/p')
check "its program needs the C library alone" sh -c "! echo '$needed' | grep -v '/lib[mc][.]so[.]6\|/ld-'"
# In a root with these, it makes what the build's program makes.
for library in $needed; do
  mkdir -p "root${library%/*}"
  cp -L "$library" "root$library"
done
cp "$top/robots/iiwa7.urdf" root
"$achdgen" "$top/robots/iiwa7.urdf" -q --functions fk -o - >expected.h
if [ "$(id -u)" = 0 ]; then
  bare() { chroot root /achdgen/bin/achdgen iiwa7.urdf -q --functions fk -o - >said.h; }
  check "it runs in a bare root" bare
  check "and makes the same header" cmp expected.h said.h
fi
finish
