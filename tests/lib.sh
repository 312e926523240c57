# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# lib.sh: for the shell tests: counts what holds and what does not. A test sources it, checks, and ends with
# `finish`. $scratch is a folder of its own that goes away.
passed=0
failed=0
scratch=$(mktemp -d)
: >"$scratch/.said" # what the last check said
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# check WHAT COMMAND...: the command succeeds.
check() {
  what=$1
  shift
  if "$@" >"$scratch/.said" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $what: $*"
    sed 's/^/    /' "$scratch/.said"
  fi
}

# skip_all REASON: the test cannot run here; 77 is what the build takes for skipped.
skip_all() {
  echo "skipped: $1"
  exit 77
}

# has TOOL: it is installed. Without it a part of the test is left out, which `finish` says.
has() {
  ! command -v "$1" >/dev/null || return 0
  echo "$1" >>"$scratch/.left_out"
  return 1
}

absolute() { (cd "$(dirname "$1")" && printf '%s/%s\n' "$PWD" "$(basename "$1")"); }

# family SOURCE_DIR: the functions beside the solve, of the table of all functions: fk,fvk,..
family() {
  sed -n 's/^AG_FUNCTION(\([a-z_]*\), FAMILY,.*/\1/p' "$1/generator/graph/functions.def" | paste -s -d , -
}

# in_sample SOURCE_DIR N: is this entry of a list tried? Every Nth is, from one that a checksum of the sources tells: the same ones as long as the
# sources stay, others after a change, so that none is left out for long. All are with ACHD_SWEEP=1 or ACHD_SAMPLE=all; ACHD_SAMPLE=K: from the Kth.
sample_turn=0
sample_from=
in_sample() {
  [ -z "${ACHD_SWEEP:-}" ] && [ "${ACHD_SAMPLE:-}" != all ] || return 0
  sample_from=${sample_from:-${ACHD_SAMPLE:-$(find "$1/generator" "$1/runtime" -type f -name '*.[chl]*' | LC_ALL=C sort | xargs cat | cksum | cut -d ' ' -f 1)}}
  sample_turn=$((sample_turn + 1))
  [ $(((sample_turn + sample_from) % $2)) -eq 0 ]
}

# one_of SOURCE_DIR WORD...: one of the words, chosen by that checksum; it does not turn the samples further. All of them where all is tried.
one_of() {
  one_of_top=$1
  shift
  if [ -n "${ACHD_SWEEP:-}" ] || [ "${ACHD_SAMPLE:-}" = all ]; then
    echo "$@"
    return
  fi
  in_sample "$one_of_top" 1
  shift $((sample_from / 5040 % $#))
  echo "$1"
}

# sampled N WHAT COMMAND...: check, where it is in the sample (every Nth; $top is the source tree).
sampled() {
  every=$1
  shift
  # shellcheck disable=SC2154 # the caller's
  ! in_sample "$top" "$every" || check "$@"
}

# with_mistake OLD NEW: standard input, whose one line that has OLD has NEW there; fails where not just one line has it.
with_mistake() {
  OLD=$1 NEW=$2 awk '
    { at = index($0, ENVIRON["OLD"]) }
    at {
      found++
      $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"]))
    }
    { print }
    END { exit found != 1 }'
}

# header_record HEADER: its name and sha256, then its banner, which has its command, its inputs, its cost and what is proven.
header_record() {
  echo "== ${1##*/} sha256:$(sha256sum <"$1" | cut -d ' ' -f 1)"
  sed '/\*\/$/q' "$1"
}

finish() {
  [ ! -e "$scratch/.left_out" ] || echo "left out is what needs $(sort -u "$scratch/.left_out" | tr '\n' ' ')which is not installed"
  [ "$passed" -gt 0 ] || [ "$failed" -gt 0 ] || skip_all "nothing to test"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

# in_long_double HEADER: its text with long doubles in place of doubles; what asks for a number's bits asks for those of the nearest double.
in_long_double() {
  sed 's/\([^g]\) double /\1 long double /g; s/ sin(/ sinl(/; s/ cos(/ cosl(/; s/defined(__GNUC__)/0/g; s/^    [a-z0-9_]*_real x;$/    double x;/' "$1"
}
