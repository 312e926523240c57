#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/bench/table.sh FOLDER: the README's measured tables, of what the benchmarks printed:
#   FOLDER/bench.csv       cmake --build build --target bench
#   FOLDER/accuracy.csv    cmake --build build --target accuracy
#   FOLDER/generation.txt  tests/generation.sh
#   FOLDER/compare.txt     tests/compare.sh, of the last version and this one
#   FOLDER/large.txt       tests/bench/large.sh
set -eu
folder=$1

# Times: one line per robot, function and rows. A cell is the median and, behind it, KDL's median over it.
awk -F, '
  function cell(ns, ratio) { return ns == "" ? "" : sprintf("%.0f ns, %.1f", ns, ratio) }
  /^#/ || $1 == "name" { next }
  {
    solve = compiler = ""
    if (match($1, /^(achd default|achd|fd|id|fk) (gcc|clang) /)) {
      compiler = substr($1, RLENGTH - ($1 ~ /(gcc)/ ? 3 : 5))
      solve = substr($1, 1, length($1) - length(compiler) - 1)
    }
    if (solve == "" && $1 !~ /^(KDL|MuJoCo)/) next
    if (solve != "") last = solve
    key = $2 "," (solve == "" ? last : solve) "," $3
    if (!(key in seen) && solve != "") { seen[key] = 1; keys[++n] = key; operations[key] = $7 }
    if (solve != "") ours[key, compiler] = cell($5, $6)
    if ($1 ~ /^KDL/) for (; beside < n; beside++) kdl[keys[beside + 1]] = sprintf("%.0f ns", $5) # of those that took turns with it
    if ($1 ~ /^MuJoCo/) mujoco[key] = sprintf("%.0f ns", $5)
  }
  END {
    print "| robot | function | rows | operations | gcc -O2 | gcc -O3 -march=native | clang -O3 -march=native | KDL | MuJoCo |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
      split(keys[i], part, ",")
      print "| " part[1] " | " part[2] " | " part[3] " | " operations[keys[i]] " | " ours[keys[i], "gcc -O2"] " | " \
        ours[keys[i], "gcc -O3 -march=native"] " | " ours[keys[i], "clang -O3 -march=native"] " | " kdl[keys[i]] " | " \
        mujoco[keys[i]] " |"
    }
  }' "$folder/bench.csv"

# Batches: per state, beside the plain function under the same flags.
echo
awk -F, '
  match($1, /^achd (gcc|clang) .*-mavx2/) { plain[$2, substr($1, 6)] = $5 }
  match($1, /^achd batch 4 /) {
    flags = substr($1, 14)
    lines[++n] = sprintf("| %s | %s | %s | %.0f ns | %.0f ns | %.1f |", $2, $3, flags, plain[$2, flags], $5,
      plain[$2, flags] / $5)
  }
  END {
    print "| robot | rows | flags | one by one | in batches of 4 | times as fast |"
    print "|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) print lines[i]
  }' "$folder/bench.csv"

# Accuracy: relative errors of qdd.
echo
awk -F, '
  /^#/ { next }
  $1 == "robot" {
    print "| robot | rows | states | median | 99 % | worst | KDL: median | 99 % | worst |"
    print "|---|---|---|---|---|---|---|---|---|"
    next
  }
  { printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }' "$folder/accuracy.csv"

# Generating and compiling.
echo
awk '
  BEGIN { print "| what | processor time | memory |"; print "|---|---|---|" }
  match($0, /  +[0-9.]+ s /) {
    what = substr($0, 1, RSTART - 1)
    split(substr($0, RSTART), word, " ") # 0.032 s (limit 0.3) 10268 KiB ..
    printf "| %s | %s s | %.0f MiB |\n", what, word[1], word[5] / 1024
  }' "$folder/generation.txt"

# The last version and this one.
echo
cat "$folder/compare.txt"

# Long solves.
echo
cat "$folder/large.txt"
