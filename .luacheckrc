-- What luacheck may take for granted in generator/lua: Lua 5.4 in the generator's sandbox, with the functions that C gives scripts.
std = "lua54"
globals = {}
read_globals = {"ag"}
max_line_length = false -- tests/lint.sh says how long lines may be
self = false -- methods that overrule another keep its parameters
