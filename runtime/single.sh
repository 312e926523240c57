#!/bin/sh
# SPDX-License-Identifier: MIT
# runtime/single.sh: makes runtime/achd/single.h, the names of the float build, of what the headers of the runtime
# library declare. Run it after a header has changed; a test compares.
set -eu
cd "$(dirname "$0")"

{
  cat <<'END'
/* SPDX-License-Identifier: MIT */
/* single.h: the names of the float build, one line per function, made by runtime/single.sh. real.h
 * includes it. */
#ifndef ACHD_SINGLE_H
#define ACHD_SINGLE_H
END
  for header in achd/*.h *.h; do
    names=$(sed '/^static /d; /^typedef /d' "$header" | sed -n 's/^[a-z][a-z0-9_ ]*[ *]\(achd_[a-z0-9_]*\)(.*/\1/p')
    [ -n "$names" ] || continue
    printf '\n/* %s */\n' "${header#achd/}"
    for name in $names; do echo "#define $name achdf_${name#achd_}"; done
  done
  printf '\n#endif\n'
} >"${1:-achd/single.h}"
