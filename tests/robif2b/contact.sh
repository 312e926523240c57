#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # $ is of awk
# contact.sh PROGRAM FOLDER: docs/examples/contact on the simulated Gen3: three laws follow a motion, with exact masses and with links that are
# 20 % heavier; pushed while it floats the arm goes along and comes to rest; it goes away from what it runs into, stops, and goes on.
set -eu
. "$(dirname "$0")/../lib.sh"
program=$(absolute "$1")
worlds=$(cd "$2" && pwd)
cd "$scratch"
runs() { ACHD_SIM="$worlds/$1.world" "$program" "$2" >"$1.$2" 2>errors || { cat errors "$1.$2"; return 1; }; } # WORLD WHAT

for world in free heavy; do check "follows, $world" runs $world follow; done
awk 'FNR == 1 { next } { joints = $(NF - 1); tool = $NF; sub(/ +[0-9.]+ +[0-9.]+$/, "") }
  FILENAME == "free.follow" { exact[$0] = joints " mrad, " tool " mm" }
  FILENAME == "heavy.follow" { printf "  %-22s exact masses %s; 20 %% heavier %s mrad, %s mm\n", $0, exact[$0], joints, tool }' free.follow heavy.follow
good() { awk -v joints="$2" -v tool="$3" 'FNR > 1 { n++; if (!($(NF - 1) > 0 && $(NF - 1) < joints && $NF < tool)) bad = 1 } END { exit n != 3 || bad }' "$1.follow"; }
check "exact masses: below 0.3 mrad and 0.3 mm" good free 0.3 0.3
check "20 % heavier: below 12 mrad and 15 mm" good heavy 12 15
check "masses matter" awk 'FNR > 1 { sum[FILENAME] += $(NF - 1) } END { exit !(sum["heavy.follow"] > 10 * sum["free.follow"]) }' free.follow heavy.follow

check "is touched" runs contact touch
sed 's/^/  /' contact.touch
check "pushed while it floats, it goes along and comes to rest" awk '/was pushed/ { good = $8 > 0.1 && $(NF - 1) < 0.02 } END { exit !good }' contact.touch
# The push is from 11 s on, for half a second.
check "goes away within 20 ms" awk '$3 == "going_away" { n++; good = $1 > 11 && $1 < 11.02 } END { exit n != 1 || !good }' contact.touch
check "the forearm is the fourth link: none beyond it is told" awk '/was touched/ { good = $5 > 1 && $5 <= 4 } END { exit !good }' contact.touch
check "each state in its turn" [ "$(awk '$2 == "s:" { sub(/,/, "", $3); print $3 }' contact.touch | paste -s -d ' ' -)" = "floating stopped moving_slowly moving going_away stopped moving_slowly moving" ]
check "back on its motion" awk '/^at the end moving,/ { good = $5 < 5 } END { exit !good }' contact.touch
sed '/push/d; s/home.*/&\n  fault lost_frame 9 0.02/' "$worlds/contact.world" | sed "s,model ,model $worlds/," >lost.world
check "blind, it stops" sh -c "ACHD_SIM=$scratch/lost.world '$program' touch 2>errors | awk '/9.0.. s: stopped/ { good = 1 } END { exit !good }'"
finish
