-- SPDX-License-Identifier: MIT
-- affine.lua: outputs that are an affine function of what a solver of the runtime library finds, y = y_0 + y_x x: what
-- `mclp` (x = nu) and `qp` put out of them, for `apply`.

local scalar = require "scalar"

local affine = {}

-- make(i) at the first call with i, and its result at all others.
function affine.once(make)
  local made = {}
  return function(i)
    made[i] = made[i] or make(i)
    return made[i]
  end
end

-- x: {name, count; shape of the maps; length: of a map, by the number of an output's values and of its map's; at, adds:
-- what the documentation says of y_0 and of y_x}. columns: by output that x changes, a function of the number of an
-- unknown: what a unit of it adds. Puts out both parts of every output in their place; a list of what `apply` needs to
-- know of them.
function affine.put(state, x, columns)
  local parts, outputs = {}, state.outputs
  state.outputs = {}
  for _, o in ipairs(outputs) do
    local stem, rest = o.name:match("^([^.]*)(.*)$")
    local part = {
      free = stem .. "_0" .. rest, map = stem .. "_" .. x.name .. rest, entries = {}, count = #o.values, whole = o,
    }
    state:put_record(setmetatable({name = part.free, doc = o.doc .. x.at}, {__index = o}))
    local of = columns[o.name]
    if of then
      local values = {}
      for i = 1, x.count do
        local column = of(i)
        for k = 1, #o.values do
          values[#values + 1] = column[k]
          part.entries[#values] = not scalar.is_zero(column[k])
        end
      end
      state:put_record {name = part.map, shape = x.shape, linear = "1", angular = "1", doc = o.doc .. x.adds,
        values = values,
        count = x.length(#o.values, #values), terms = o.terms}
      part.mapped = true
    end
    parts[#parts + 1] = part
  end
  return parts
end

return affine
