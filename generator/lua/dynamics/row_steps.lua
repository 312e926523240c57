-- SPDX-License-Identifier: MIT
-- row_steps.lua: systems of many rows in steps whose text rows have in common: what a row has with a block of others,
-- with the bodies that several groups share, with the freedoms that several groups move. A step is a region of its own
-- (ag.region), of that row; the generator makes one function of those that are alike, and calls it for one row after
-- the other (lower/alike.h). Sums end where steps do, and those of the next go on. Only of a solve that few states
-- need: calls take time, and what is one text for all rows is no lane of a limb's.

local scalar = require "scalar"
local spatial = require "spatial"

local row_steps = {}

-- So many rows are many: of fewer, calls take as much text as they spare. Rows of a block are alike among themselves:
-- fingers have three, feet six.
local many = 30
row_steps.block = 3

function row_steps.are_many(rows) return rows >= many and ag.seldom() end

-- What follows is a step of row j, as those of other rows under this title may be; depth: of the caller whose source
-- it is.
function row_steps.begin(title, j, depth) ag.region(title, "row" .. j, (depth or 1) + 1, j) end

-- The same where k begins a block of `size` rows: what row j has with these.
function row_steps.of_block(j, k, what, size)
  size = size or row_steps.block
  if (k - 1) % size ~= 0 then return end
  local own = (k - 1) // row_steps.block == (j - 1) // row_steps.block
  local by = own and "rows of its own block" or ("rows %d to %d"):format(k, math.min(k + size, j) - 1)
  row_steps.begin(("rows: %s, by %s"):format(what, by), j, 2)
end

-- By freedom, whether more than a block of rows move it; nil: the rows are few.
function row_steps.shared_freedoms(k)
  if not row_steps.are_many(#k) then return nil end
  local shared = {}
  for i = 1, #k[1] do
    local count = 0
    for j = 1, #k do count = count + (scalar.is_zero(k[j][i]) and 0 or 1) end
    shared[i] = count > row_steps.block
  end
  return shared
end

-- x less the products of two lists. by: {row, order of the indices, or nil as they come, shared =
-- row_steps.shared_freedoms, what it is}.
function row_steps.less_products(x, a, b, by)
  local shared, class = by.shared, nil
  for n = 1, #b do
    local i = by.order and by.order[n] or n
    if shared and shared[i] ~= class and not scalar.is_zero(a[i]) then
      class = shared[i]
      local whose = class and "several groups" or "its own"
      row_steps.begin(("rows: %s, by freedoms of %s"):format(by.what, whose), by.row, 2)
    end
    x = x - a[i] * b[i]
  end
  return x
end

-- Which bodies carry inward the wrenches of several groups of rows; none, where the rows are few.
function row_steps.shared_bodies(robot, rows)
  local groups, shared = {}, {}
  for _, row in ipairs(row_steps.are_many(#rows) and rows or {}) do
    local i = row.group.frame and row.group.frame.body or 0
    while i > 0 do
      shared[i] = shared[i] or groups[i] and groups[i] ~= row.group
      groups[i] = row.group
      i = robot.bodies[i].parent
    end
  end
  return shared
end

-- Lists with the signs of negated values in statements of their own (ag.hold_sign): where signs go into sums, formulas
-- of rows differ.
local function held(list)
  local copy = {}
  for i, x in ipairs(list) do copy[i] = ag.hold_sign(x) end
  return copy
end
function row_steps.hold_wrench(wrench)
  ag.region("inward: signs of the rows' wrenches", "rows")
  return {f = spatial.vector(held(wrench.f)), n = spatial.vector(held(wrench.n))}
end
-- Those of K stay in its place; returns 1 / D.
function row_steps.hold_system(k, inv)
  ag.region("rows: signs of K and 1 / D", "rows")
  for j = 1, #k do k[j] = held(k[j]) end
  return held(inv)
end

return row_steps
