#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/delivery/compiled.sh COMPILER ARGUMENT...: what CMake runs in place of a compiler (CMAKE_C_COMPILER_LAUNCHER) in tests that build achdgen or the
# runtime library anew. Of a source of these, or of the simulated devices, that the project's own build in $ACHD_COMPILED has compiled, its object is taken. Of a source of the
# runtime library that has been compiled with the same flags before, that object is, which is kept in $ACHD_KEPT. All else is compiled.
previous='' object='' source='' rules='' flags=''
for word; do
  case $previous in
  -o) object=$word ;;
  -c) source=$word ;;
  -MF) rules=$word ;;
  -MT | -I | -isystem) ;;
  *) case $word in -I* | -o | -c | -MF | -MT | -isystem | -W* | "$source") ;; *) flags="$flags $word" ;; esac ;;
  esac
  previous=$word
done

# taken FILE: the object is a copy of this file.
taken() {
  [ -z "$rules" ] || echo "$object: $source" >"$rules"
  cp "$1" "$object"
  exit
}

target=${object##*CMakeFiles/}
target=${target%%.dir/*}
case $source in
*/generator/*.c) made=generator/CMakeFiles/$target.dir/${source##*/generator/}.o ;;
*/runtime/*.c) made=runtime/CMakeFiles/$target.dir/${source##*/runtime/}.o ;;
*/robif2b/*.c)
  # simulated devices: by MuJoCo, and what steps alone have
  case $flags in *-DACHD_ROBIF2B_SIMULATED*) ;; *) exec "$@" ;; esac
  made=robif2b/CMakeFiles/achd_robif2b.dir/${source##*/robif2b/}.o
  [ -e "${ACHD_COMPILED:-}/$made" ] || made=robif2b/CMakeFiles/achd_robif2b_steps.dir/${source##*/robif2b/}.o
  ;;
*) exec "$@" ;;
esac
case $target in *_compiled) made=runtime/CMakeFiles/${target%_compiled}_objects.dir/${source##*/runtime/}.o ;; esac # from an installed source
[ -z "${ACHD_COMPILED:-}" ] || [ -z "$(find "$ACHD_COMPILED/$made" -newer "$source" 2>/dev/null)" ] || taken "$ACHD_COMPILED/$made" # not one of an older source
[ -n "${ACHD_KEPT:-}" ] || exec "$@"
kept=$ACHD_KEPT/$(echo "$flags" | cat - "$source" | cksum | tr ' ' _).o
[ ! -f "$kept" ] || taken "$kept"
"$@" && cp "$object" "$kept.$$" && mv "$kept.$$" "$kept"
