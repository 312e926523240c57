#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/nothing_to_test.sh SOURCE_DIR BUILD_DIR: in a clone that has nothing beside it (vendors' robots, reference vectors), a test of those ends with
# 77 and says why; none is green. So does a shell test that looked at nothing.
set -eu
. "$(dirname "$0")/lib.sh"
top=$(cd "$1" && pwd)
tests=$(cd "$2/tests" && pwd)
mkdir "$scratch/clone"
cd "$scratch"

# skipped COMMAND...: ends with 77 and a reason.
skipped() {
  status=0
  "$@" >said 2>&1 || status=$?
  cat said
  [ "$status" -eq 77 ] && grep -q '^skipped: .' said
}
check "oracle_reference" skipped env ACHD_REFERENCE=clone/none "$tests/oracle_test" --only reference
check "bounded_reference" skipped env ACHD_REFERENCE=clone/none "$tests/bounded_test" --achdgen none --only reference
check "reference" skipped env ACHD_REFERENCE=clone/none "$tests/achd_reference_test" --achdgen none
check "robots_match" skipped "$tests/robots_match" "$top/robots" clone/none
check "corpus" skipped sh "$top/tests/program/corpus.sh" none clone
mkdir -p clone/tests/contact
cp "$top/tests/contact/logs.sh" clone/tests/contact
check "contact_measured" skipped sh "$top/tests/contact/measured.sh" none clone
check "identified" skipped sh "$top/tests/contact/identified.sh" none clone
check "a shell test without a check" skipped sh -c ". '$top/tests/lib.sh'; finish"

# Who reads what lies beside a clone stands above, or says in its output what it left out (mjcf_test.cpp and drawings.py, in their sweeps, check.sh, mjcf_read.py and mjcf_newer.py).
(cd "$top" && grep -rlF -e '../shared' -e 'ACHD_REFERENCE' tests) | grep -v '\.pyc$' | sort >found
cat >known <<'END'
tests/CMakeLists.txt
tests/contact/identified.sh
tests/contact/logs.sh
tests/nothing_to_test.sh
tests/numbers/mjcf_test.cpp
tests/oracle/arguments.hpp
tests/program/check.sh
tests/program/corpus.sh
tests/program/drawings.py
tests/program/mjcf_newer.py
tests/program/mjcf_read.py
END
check "no other test reads what lies beside a clone: put it into the list here, and above" diff known found
finish
