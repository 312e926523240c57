#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/program/hostile.sh ACHDGEN BOUNDED SOURCE_DIR: robots and layouts that are made to do harm. Each is refused with a clear
# error, or taken, within 5 s of processor time and 500 MB; nothing is written. A sample of one in fourteen (in_sample).
set -eu
. "$(dirname "$0")/../lib.sh"
achdgen=$(absolute "$1")
bounded=$(absolute "$2")
top=$(cd "$3" && pwd)
mkdir "$scratch/work"
cd "$scratch/work"
out=$scratch/stdout
err=$scratch/stderr
worst=$scratch/worst
secret=$scratch/secret
made=$scratch/made # the next robot or layout
echo "the secret" >"$secret"

# refused PATTERN ARGUMENTS...: exit 1, `FILE[:LINE]: error: PATTERN`, a remedy, nothing written.
refused() {
  pattern=$1
  shift
  status=0
  "$bounded" 5 500 "$achdgen" "$@" -o out.h >"$out" 2>"$err" || status=$?
  cat "$out" >>"$worst"
  [ "$status" -eq 1 ] || { echo "exit $status; $(cat "$out")"; head -c 1000 "$err"; return 1; }
  [ "$(wc -l <"$out")" -eq 1 ] || { echo "wrote to standard output"; return 1; }
  [ "$(wc -c <"$err")" -lt 4000 ] || { echo "a long message:"; head -c 300 "$err"; return 1; }
  grep -q "^[^:]*\(:[0-9]*\)\{0,1\}: error: .*$pattern" "$err" || { echo "no \"$pattern\":"; cat "$err"; return 1; }
  grep -q '^  remedy: ' "$err" || { echo "no remedy:"; cat "$err"; return 1; }
  ! grep -q "$(cat "$secret")" "$err" || { echo "it read the file that an entity names"; return 1; }
  [ -z "$(ls -A)" ] || { echo "left behind:"; ls -A; return 1; }
}

# taken ARGUMENTS...: exit 0 within the same bounds.
taken() {
  status=0
  "$bounded" 5 500 "$achdgen" "$@" >"$out" 2>"$err" || status=$?
  tail -n 1 "$out" >>"$worst"
  [ "$status" -eq 0 ] || { echo "exit $status; $(tail -n 1 "$out")"; head -c 1000 "$err"; return 1; }
}

# robot WHAT PATTERN: refuses the URDF on standard input.
robot() {
  cat >"$scratch/robot.urdf"
  sampled 14 "$1" refused "$2" "$scratch/robot.urdf"
}

# layout WHAT PATTERN: refuses the layout on standard input, for gen3.
layout() {
  cat >"$scratch/layout.lua"
  sampled 14 "$1" refused "$2" "$top/robots/gen3.urdf" --layout "$scratch/layout.lua"
}

# many COUNT TEXT: TEXT so often; with # in it, once, numbered from 0.
many() {
  case $2 in
    *'#'*) awk -v n="$1" -v a="${2%%#*}" -v b="${2#*#}" 'BEGIN { for (i = 0; i < n; i++) printf "%s%d%s", a, i, b }' ;;
    *) yes "$2" | head -n "$1" | tr -d '\n' ;;
  esac
}
letters() { head -c "$1" /dev/zero | tr '\0' "$2"; }

# -- XML: entities, sizes, depths
robot "entities of entities" DOCTYPE <<'END'
<!DOCTYPE robot [
  <!ENTITY a "ha"> <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"> <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
  <!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"> <!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">
  <!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;"> <!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;">
  <!ENTITY h "&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;"> <!ENTITY i "&h;&h;&h;&h;&h;&h;&h;&h;&h;&h;"> ]>
<robot name="&i;"/>
END
robot "one long entity, often" DOCTYPE <<END
<!DOCTYPE robot [ <!ENTITY a "$(letters 100000 a)"> ]><robot name="$(many 20000 '&a;')"/>
END
robot "an entity that is a file" DOCTYPE <<END
<!DOCTYPE robot [ <!ENTITY a SYSTEM "file://$secret"> ]><robot name="&a;"/>
END
robot "a document type elsewhere" DOCTYPE <<END
<!DOCTYPE robot SYSTEM "http://127.0.0.1:9/robot.dtd"><robot name="r"/>
END
robot "parameter entities" DOCTYPE <<END
<!DOCTYPE robot [ <!ENTITY % a SYSTEM "file://$secret"> %a; ]><robot name="r"/>
END
robot "an entity without a document type" 'not well-formed' <<'END'
<robot name="&a;"/>
END
robot "an inclusion is not followed" 'no links' <<END
<robot name="r" xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="$secret" parse="text"/></robot>
END
{ many 10000 '<a>'; many 10000 '</a>'; } >"$made"
robot "ten thousand deep" 'nested more than 64' <"$made"
{ printf '<robot name="r"><link name="l">'; many 10000 '<visual>'; many 10000 '</visual>'; printf '</link></robot>'; } >"$made"
robot "ten thousand deep in what is ignored" 'nested more than 64' <"$made"
mkfifo "$scratch/pipe"
{ printf '<robot name="'; letters 1000000000 a; printf '"/>'; } 2>/dev/null >"$scratch/pipe" &
check "an attribute of 1 GB" refused 'larger than 32 MB' "$scratch/pipe"
wait
{ printf '<robot name="'; letters 30000000 a; printf '"/>'; } >"$made"
robot "an attribute of 30 MB" 'AttValue length too long' <"$made"
{ printf '<robot name="'; letters 9000000 a; printf '"/>'; } >"$made"
robot "a name of 9 MB" 'a name of 9000000 bytes' <"$made"
{ printf '<robot name="r"'; many 100000 ' a#=""'; printf '/>'; } >"$made"
robot "many attributes" 'more than 1000 attributes' <"$made"
{ printf '<robot name="r"'; many 100000 ' xmlns:a#="u"'; printf '/>'; } >"$made"
robot "many namespaces" 'more than 1000 attributes' <"$made"
{ printf '<robot name="r">'; many 3000000 '<a/>'; } >"$made"
robot "many elements" 'more than 1000000 elements' <"$made"
{ printf '<robot name="r">'; many 499000 '<a b=""/>'; printf '</robot>'; } >"$made"
robot "half a million warnings" 'no links' <"$made"
{ printf '<robot name="r">'; many 3000000 '<!---->x'; printf '</robot>'; } >"$made"
robot "many comments" 'no links' <"$made"
letters 30000000 '<' >"$made"
robot "nothing but brackets" 'not well-formed' <"$made"
head -c 1000000 /dev/zero >"$made"
robot "zeros" 'not well-formed' <"$made"
: >"$made"
robot "nothing" 'empty' <"$made"

# -- robots
links() { # COUNT PARENT TYPE: parent: `chain`, `star`, `tree`
  awk -v n="$1" -v shape="$2" -v type="$3" 'BEGIN {
    print "<robot name=\"r\">"
    for (i = 0; i <= n; i++)
      print "<link name=\"l" i "\"><inertial><mass value=\"1\"/><origin xyz=\"0.1 0 0\"/>" \
        "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>"
    for (i = 1; i <= n; i++)
      print "<joint name=\"j" i "\" type=\"" type "\"><parent link=\"l" \
        (shape == "chain" ? i - 1 : shape == "star" ? 0 : int((i - 1) / 2)) "\"/><child link=\"l" i "\"/>" \
        "<origin xyz=\"0.1 0.2 0.3\" rpy=\"0.1 0.2 0.3\"/><axis xyz=\"0 0 1\"/>" \
        "<limit effort=\"1\" velocity=\"1\" lower=\"-1\" upper=\"1\"/></joint>"
    print "</robot>" }'
}
links 50000 chain revolute >"$made"
robot "fifty thousand links" 'more than 10000 links' <"$made"
links 100000 chain revolute >"$made"
robot "a hundred thousand links" 'larger than 32 MB' <"$made"
{ printf '<robot name="r">'; many 100000 '<link name="l#"/>'; printf '</robot>'; } >"$made"
robot "a hundred thousand bare links" 'more than 10000 links' <"$made"
for shape in chain star tree; do
  links 9999 $shape revolute >"$made"
  robot "ten thousand joints, a $shape" 'at most 1000' <"$made"
done
links 9999 chain fixed >"$made"
robot "ten thousand fixed joints" 'nothing moves' <"$made"
links 1000 chain revolute >"$made"
robot "a thousand joints in a chain" 'too long for straight-line code' <"$made"
links 1000 star revolute >"$scratch/robot.urdf"
sampled 14 "a thousand joints on one link" taken "$scratch/robot.urdf" -o "$scratch/taken.h"
sampled 14 "a thousand joints on one link, --init" taken "$scratch/robot.urdf" --init
{
  printf '<robot name="r">'
  many 9999 '<link name="l#"/>'
  awk 'BEGIN { for (i = 0; i < 9999; i++) print "<joint name=\"j" i "\" type=\"revolute\"><parent link=\"l" i \
    "\"/><child link=\"l" (i + 1) % 9999 "\"/></joint>" }'
  printf '</robot>'
} >"$made"
robot "a circle of ten thousand links" 'their own ancestors' <"$made"
{
  printf '<robot name="r">'
  many 10000 '<link name="l#"/>'
  awk 'BEGIN { for (i = 1; i < 10000; i++) print "<joint name=\"j" i "\" type=\"revolute\"><parent link=\"l0\"/>" \
    "<child link=\"l" i "\"/><mimic joint=\"j" i % 9999 + 1 "\"/></joint>" }'
  printf '</robot>'
} >"$made"
robot "a circle of ten thousand mimics" 'mimics itself' <"$made"

# -- layouts without an end, or with an appetite
instructions='more than 20 million instructions'
memory='more than 64 MB of memory'
layout "endless" "$instructions" <<'END'
while true do end
END
layout "endless calls" "$instructions" <<'END'
local function f(n) return f(n + 1) end return f(1)
END
layout "deep recursion" 'stack overflow' <<'END'
local function f(n) return 1 + f(n + 1) end return f(1)
END
layout "text that doubles" "$memory" <<'END'
local s = "x" while true do s = s .. s end
END
layout "text, repeated" "$memory" <<'END'
return { name = ("x"):rep(1e9) }
END
layout "text, repeated a little, often" "$memory\|$instructions\|2 seconds" <<'END'
while true do local s = ("x"):rep(1000000):upper():reverse() end
END
layout "much text" "$memory" <<'END'
local t = {} while true do t[#t + 1] = ("x"):rep(1000) .. #t end
END
layout "a table that grows" "$memory" <<'END'
local t, i = {}, 0 while true do i = i + 1 t[i] = i end
END
layout "tables in tables" "$memory" <<'END'
local t = {} while true do t = { t } end
END
layout "lists of arguments" 'at most 1000' <<'END'
while true do local n = select("#", table.unpack({}, 1, 900000)) end
END
layout "arguments that grow" "$memory\|stack overflow\|2 seconds\|$instructions" <<'END'
local function f(...) return f(1, ...) end return f()
END
layout "bytes of a text" 'at most 1000' <<'END'
local s = ("x"):rep(900000) while true do s:byte(1, -1) end
END
layout "text, put together" 'at most 10000' <<'END'
local t = {} for i = 1, 1000000 do t[i] = "" end while true do table.concat(t) end
END
layout "an endless list" "$memory\|at most\|invalid value" <<'END'
return { name = table.concat({}, "", math.mininteger, math.maxinteger) }
END
layout "sorting without an order" "$instructions\|2 seconds" <<'END'
local t = {} for i = 1, 1000000 do t[i] = i end table.sort(t, function() return true end) return {}
END
layout "patterns that go back" 'patterns can run for ever' <<'END'
return { name = ("a"):rep(30):match(("a?"):rep(30) .. ("a"):rep(30)) }
END
layout "formats" 'left out' <<'END'
return { name = string.format("%99d", 1) }
END
layout "no coroutines" "coroutine" <<'END'
local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end
END
layout "no metatables" "setmetatable" <<'END'
local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x
END
layout "no finalizers" "setmetatable" <<'END'
setmetatable({}, { __gc = function() while true do end end }) return {}
END
layout "the metatable of text" "getmetatable" <<'END'
getmetatable("").__index = function(t, k) return t[k] end return { name = ("x").y }
END
layout "no way to go on after an error" pcall <<'END'
while true do pcall(error) end
END
layout "an error that is a loop" 'not text' <<'END'
local t = {} t.t = t error(t)
END
for call in 'io.open("x", "w")' 'os.execute("touch x")' 'load("return 1")' 'dofile("x")' 'require("main")' 'debug.debug()' \
  'package.loadlib("x", "*")' 'print(1)' 'collectgarbage()' 'rawset(_G, 1, 1)'; do
  layout "no $call" 'is left out of layouts' <<END
return { name = $call }
END
done
printf '\033LuaT\000\031\223\r\n\032\n' >"$made"
layout "bytecode" 'bytecode' <"$made"
{ printf 'return '; letters 190000 '{'; letters 190000 '}'; } >"$made"
layout "braces" 'C stack overflow' <"$made"
{ printf 'return '; letters 190000 '('; printf 1; letters 190000 ')'; } >"$made"
layout "parentheses" 'C stack overflow' <"$made"
{ printf 'return { name = "a"'; many 100000 ' .. "a"'; printf '}'; } >"$made"
layout "operators" 'C stack overflow' <"$made"
letters 2000000 ' ' >"$made"
layout "a long file" 'larger than 1 MB' <"$made"

# -- layouts that include
cp "$scratch/secret" "$scratch/not_lua"
layout "an included file that is no layout" 'Lua' <<'END'
return include "not_lua"
END
layout "an included file elsewhere" "not in the layout's folder" <<'END'
return include "../../etc/passwd"
END
layout "an included device" "not in the layout's folder" <<'END'
return include "/dev/zero"
END
ln -s /dev/zero "$scratch/zeros"
layout "an endless file" 'not a regular file' <<'END'
return include "zeros"
END
layout "a layout that includes itself" 'includes itself' <<'END'
return include "layout.lua"
END
{ printf 'return {'; many 40000 '{},'; printf '}'; } >"$scratch/long.lua"
layout "a long file, again and again" "$memory\|$instructions\|2 seconds" <<'END'
while true do local t = include "long.lua" end
END

# -- layouts that return more than a layout is
layout "a table that holds itself" 'not a name' <<'END'
local t = {} t.groups = t t.name = t return t
END
layout "tables two hundred thousand deep" 'a key "groups"' <<'END'
local t = {} local r = t for i = 1, 200000 do t.groups = {} t = t.groups end return r
END
layout "a hundred thousand groups" 'too long' <<'END'
local g = {} for i = 1, 100000 do g[i] = { name = "g" .. i, frame = "tool_frame" } end return { groups = g }
END
layout "two hundred groups" '1200 rows are too many' <<'END'
local g = {} for i = 1, 200 do g[i] = { name = "g" .. i, frame = "tool_frame" } end return { groups = g }
END
layout "as many rows as can be, all kinds of work" 'too long for straight-line code' <<'END'
local g = {} for i = 1, 33 do g[i] = { name = "g" .. i, frame = "tool_frame", maskable = true, axes = "input" } end
return { groups = g, armature = "input", inertia_inputs = { "bracelet_link", "forearm_link" }, saturate = true,
  outputs = { "qdd", "nu", "tau_ctrl", "tau_total", "tau_apparent", "pivot", "pivot_min", "residual" } }
END
layout "a hundred thousand wrenches" 'too long' <<'END'
local w = {} for i = 1, 100000 do w[i] = { name = "w" .. i, frame = "tool_frame", kind = "physical" } end
return { wrenches = w, groups = {} }
END
layout "a million tips" 'too long' <<'END'
local t = {} for i = 1, 1000000 do t[i] = "tool_frame" end return { tips = t }
END
layout "four hundred thousand words" 'unknown word "a1"' <<'END'
local t = {} for i = 1, 400000 do t["a" .. i] = i end return t
END
layout "a long name" 'letters' <<'END'
return { name = ("x"):rep(1000000) }
END
layout "a long name of a link" 'no link' <<'END'
return { root = ("x"):rep(1000000) }
END
layout "a long word" 'unknown word' <<'END'
return { [("x"):rep(1000000)] = 1 }
END
layout "a long error" 'xxx' <<'END'
error(("x"):rep(1000000))
END
# what the search for a line has to read through
{ printf 'a = {} a = {'; many 40000 'a = {a},'; printf '} return { colour = a, groups = a, outputs = a }'; } >"$made"
layout "many names of tables" 'unknown word "colour"' <"$made"
{ many 60000 'a#={}
'; printf 'for k = 0, 59999 do local b = _ENV["a" .. k] end return { colour = a1 }'; } >"$made"
layout "many tables" 'unknown word "colour"' <"$made"
{ printf 'return { colour = 1, '; many 100000 '[[a]],'; printf '}'; } >"$made"
layout "many texts" 'a value without a name' <"$made"

awk '{ if ($1 > s) s = $1; if ($3 > m) m = $3 } END { print "at most " s " s, " m " MB" }' "$worst"
finish
