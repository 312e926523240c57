#!/bin/sh
# tests/delivery/python.sh SOURCE_DIR ACHDGEN: the Python package: installed by pip without a network, as its README says, into an
# environment of its own; its tests, its example and README's listings, away from the sources.
set -eu
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/console.sh"
top=$(cd "$1" && pwd)
achdgen=$(absolute "$2")
python=/usr/bin/python3
$python -c 'import numpy, pytest, setuptools, wheel, yaml' 2>/dev/null || skip_all "no Debian Python with NumPy, pytest, setuptools, wheel and PyYAML"
unset PYTHONPATH ACHDGEN CC CFLAGS
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME="$scratch/cache"
export CMAKE_BUILD_TYPE=None # not optimised: a third of what Release takes to compile
# To compile the generator takes most of pip's time: one time in three; else pip's build takes the objects that the project's has made.
if ! in_sample "$top" 3; then
  export CMAKE_C_COMPILER_LAUNCHER="$top/tests/delivery/compiled.sh" ACHD_COMPILED="${achdgen%/*}"
fi
# an environment that sees Debian's packages
PATH=$(dirname $python):$PATH

mkdir "$scratch/clone"
(cd "$top" && tar cf - CMakeLists.txt generator runtime templates robots package python report robif2b LICENSE 2>/dev/null) | (cd "$scratch/clone" && tar xf - --exclude build --exclude __pycache__)
cd "$scratch/clone"
run_document python/README.md
check "pip: installed in the environment" sh -c "env/bin/python3 -c 'import achdgen; print(achdgen.__file__, achdgen.program())' | grep -c '^$scratch/clone/env/.* $scratch/clone/env/'"
# shellcheck disable=SC2016 # back quotes of Markdown
sed -n '/^```python/,/^```/p' python/README.md | sed '/^```/d' >listing.py
check "README's listing" env/bin/python3 listing.py
# Optimisation takes most of the example's time, and the listing above has it.
printf '#!/bin/sh\nexec cc "$@" -O0\n' >quick_cc
chmod +x quick_cc
check "the example" env CC="$PWD/quick_cc" env/bin/python3 python/examples/elbow.py robots
cp -R python/tests python/pyproject.toml "$scratch"
cd "$scratch"
# by the build's own achdgen, which is optimised: the one that pip made has run above
check "its tests" env ACHDGEN="$achdgen" CC="$scratch/clone/quick_cc" ACHD_ROBOTS="$scratch/clone/robots" clone/env/bin/python3 -m pytest -q -s -p no:cacheprovider tests
grep 'states a second\|passed' .said || true
finish
