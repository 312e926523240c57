# shellcheck shell=sh
# lib.sh: for the shell tests: counts what holds and what does not. A test sources it, checks, and ends with
# `finish`. $scratch is a folder of its own that goes away.
passed=0
failed=0
scratch=$(mktemp -d)
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
