-- What luacheck may take for granted in generator/lua: Lua 5.4 in the generator's sandbox, where C gives scripts the table `ag`.
std = "lua54"
globals = {}
read_globals = {"ag"}
max_line_length = 120
self = false -- methods that overrule another keep its parameters
ignore = {
  "311", -- first values of variables that a loop sets again: they say what the variable is
  "431", -- short names of the formula, as in the function around
  "542", -- an empty branch says in its comment why nothing is done
}
