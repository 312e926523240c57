#!/bin/sh
# tests/delivery/compiled.sh COMPILER ARGUMENT...: what CMake runs in place of a compiler (CMAKE_C_COMPILER_LAUNCHER) in tests that build achdgen anew:
# of a source of the generator that the build in $ACHD_COMPILED has compiled, its object is taken; all else is compiled.
previous='' object='' source='' rules=''
for word; do
  case $previous in
  -o) object=$word ;;
  -c) source=$word ;;
  -MF) rules=$word ;;
  esac
  previous=$word
done
of_generator=${source#*/generator/}
for target in generator achdgen embed; do
  made="$ACHD_COMPILED/generator/CMakeFiles/$target.dir/$of_generator.o"
  if [ -n "$source" ] && [ "$of_generator" != "$source" ] && [ -f "$made" ]; then
    [ -z "$rules" ] || echo "$object: $source" >"$rules"
    cp "$made" "$object"
    exit
  fi
done
exec "$@"
