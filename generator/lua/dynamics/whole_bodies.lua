-- SPDX-License-Identifier: MIT
-- whole_bodies.lua: bodies whose whole acceleration a layout's rows ask for, or most of it: six equations of a body
-- take less than its rows one by one (middle.lua), and what a row that is not there would ask for is one more unknown.

local WholeBodies = {}

WholeBodies.words = {lin = {"lin_x", "lin_y", "lin_z"}, ang = {"ang_x", "ang_y", "ang_z"}}

-- The linear or angular rows of a group, by axis: {group, kind, rows = numbers of rows, count}.
local function three_of(rows, group, kind)
  local three = {group = group, kind = kind, rows = {}, count = 0}
  for j, row in ipairs(rows) do
    for k, word in ipairs(WholeBodies.words[kind]) do
      if row.group == group and row.name == word then three.rows[k], three.count = j, three.count + 1 end
    end
  end
  return three
end

-- Bodies whose whole acceleration is an equation, {lin, ang} of two groups or one, of a robot whose base does not move;
-- and the other rows, by number. partial: also bodies that have fewer rows; along what these do not ask for they move
-- as they like.
function WholeBodies.find(groups, rows, nb, partial)
  local list, used, ang, least = {}, {}, {}, partial and 1 or 3
  local fit = {}
  for _, g in ipairs(groups) do
    if nb == 0 and not g.to and not g.free and not g.joints and g.frame.body > 0 then fit[#fit + 1] = g end
  end
  for _, g in ipairs(fit) do ang[#ang + 1] = three_of(rows, g, "ang") end
  local function take(lin, at)
    list[#list + 1] = {lin = lin, ang = table.remove(ang, at)}
    for i = 1, 3 do
      for _, three in ipairs {lin, list[#list].ang} do
        if three.rows[i] then used[three.rows[i]] = true end
      end
    end
  end
  for _, g in ipairs(fit) do
    local lin = three_of(rows, g, "lin")
    for k, a in ipairs(lin.count >= least and ang or {}) do
      if lin.group.frame.body == a.group.frame.body and a.count >= least then
        take(lin, k)
        break
      end
    end
  end
  local others = {}
  for j = 1, #rows do
    if not used[j] then others[#others + 1] = j end
  end
  return list, others
end

-- By whole body of a layout the length of its path from the base; all: no other rows are left; missing: how many of
-- their rows there are not.
function WholeBodies.lengths(layout, chain, partial)
  local rows = {}
  for _, g in ipairs(layout.groups) do
    for _, name in ipairs(g.rows) do rows[#rows + 1] = {group = g, name = name} end
  end
  local wholes, others = WholeBodies.find(layout.groups, rows, chain.nb, partial)
  local list = {all = #others == 0, missing = 0}
  for k, w in ipairs(wholes) do
    local i = w.lin.group.frame.body
    list[k], list.missing = 0, list.missing + 6 - w.lin.count - w.ang.count
    while i > 0 do
      list[k], i = list[k] + 1, chain.bodies[i].parent
    end
  end
  return list
end

return WholeBodies
