-- SPDX-License-Identifier: MIT
-- limbs.lua: where a robot's limbs end: what the rows of a layout without groups are for, and what --init describes.
--
-- A limb is a way of moving joints from where it leaves the rest of the robot to its end: the last link, or the link
-- from which its fingers part. Fingers part where no branch has more joints than the limb has up to there.

local Reach = require "reach"

local Limbs = {}

-- Names of links, in words: letters between other characters, and between small and capital ones.
local function words(name)
  local list = {}
  for word in name:gsub("(%l)(%u)", "%1 %2"):gmatch("%a+") do list[#list + 1] = word:lower() end
  return list
end

local function has_word(name, exact, within)
  for _, word in ipairs(words(name)) do
    if exact[word] then return true end
    for _, part in ipairs(within) do
      if word:find(part, 1, true) then return true end
    end
  end
  return false
end

local function is_tool(name)
  return has_word(name, {ee = true, eef = true}, {"tool", "flange", "tcp", "effector", "grasp"})
    and not has_word(name, {led = true}, {"camera", "finger", "sensor", "optical"})
end
-- What looks around, and holds nothing.
local function is_sensor(name)
  return has_word(name, {eye = true, eyes = true, imu = true, cam = true},
    {"head", "neck", "camera", "lidar", "laser", "hokuyo", "velodyne", "display", "screen", "multisense", "antenna"})
end
local function is_sole(name) return has_word(name, {}, {"sole", "foot", "feet", "contact"}) end
local function is_leg(name)
  return has_word(name, {leg = true, lleg = true, rleg = true, legs = true, hip = true, toe = true, shin = true,
    haa = true, hfe = true, kfe = true},
    {"foot", "feet", "ankle", "thigh", "knee", "calf", "shank"})
end
local function is_wheel(name)
  return has_word(name, {rotor = true, rotors = true, prop = true, track = true},
    {"wheel", "caster", "castor", "roller", "propel", "thruster"})
end

-- The selected tree. frames: {link, body} each, parents first; parent(i): of body i. {links, frames, parent, children,
-- above, height}: of a body its children, its moving joints up to the base, and the most joints on one way below it.
local function tree(links, frames, parent, n)
  local t = {links = links, frames = frames, parent = parent, n = n, children = {}, above = {[0] = 0}, height = {},
    on = {}}
  for i = 0, n do t.children[i], t.height[i], t.on[i] = {}, 0, {} end
  for i = 1, n do
    local p = parent(i)
    t.above[i] = t.above[p] + 1
    table.insert(t.children[p], i)
  end
  for i = n, 1, -1 do
    local p = parent(i)
    t.height[p] = math.max(t.height[p], t.height[i] + 1)
  end
  for _, f in ipairs(frames) do
    if not links[f.link].is_tie_end then table.insert(t.on[f.body], f.link) end
  end
  return t
end

-- The link that carries body i, the first on it.
local function first_link(t, i) return t.on[i][1] end

local function turns_a_wheel(t, i)
  local link = t.links[first_link(t, i)]
  return is_wheel(link.name) or is_wheel(link.joint.name or "")
end

local function only_wheels(t, i)
  if not turns_a_wheel(t, i) then
    if #t.children[i] == 0 then return false end
    for _, c in ipairs(t.children[i]) do
      if not only_wheels(t, c) then return false end
    end
  end
  return true
end

local function looks_around(t, i)
  local link = t.links[first_link(t, i)]
  return is_sensor(link.name) or is_sensor(link.joint.name)
end

-- How many links stand above, from the body's first one.
local function depth(t, body, link)
  local d, first = 0, first_link(t, body)
  while link ~= first and t.links[link].parent > 0 do link, d = t.links[link].parent, d + 1 end
  return d
end

local function last_common(t, body, list)
  local seen = {}
  for _, link in ipairs(list) do
    local at = link
    while true do
      seen[at] = (seen[at] or 0) + 1
      if at == first_link(t, body) then break end
      at = t.links[at].parent
    end
  end
  local best
  for _, link in ipairs(t.on[body]) do -- parents first
    if seen[link] == #list then best = link end
  end
  return best
end

-- The shallowest of the links that are named so; nil: none is.
local function shallowest(t, body, list, named)
  local best
  for _, link in ipairs(list) do
    if named(t.links[link].name) and (not best or depth(t, body, link) < depth(t, body, best)) then best = link end
  end
  return best
end

-- The link at which a limb ends on a body: a tool frame among the leaves on it, else the link from which the fingers
-- part, else the only leaf, else any tool frame, else the last link that all leaves have in common.
local function end_link(t, body)
  local has_child, leaves, parting = {}, {}, {}
  for _, c in ipairs(t.children[body]) do
    local p = t.links[first_link(t, c)].parent
    parting[#parting + 1], has_child[p] = p, true
  end
  for _, link in ipairs(t.on[body]) do has_child[t.links[link].parent] = true end
  for _, link in ipairs(t.on[body]) do
    if not has_child[link] then leaves[#leaves + 1] = link end
  end
  if #parting == 0 and #leaves == 1 then return leaves[1] end
  return shallowest(t, body, leaves, is_tool) or #parting > 0 and last_common(t, body, parting) or
    shallowest(t, body, leaves, is_sole) or shallowest(t, body, t.on[body], is_tool) or last_common(t, body, leaves)
end

-- Ways below a body to the ends of its limbs; start: how many joints are above where this limb begins.
local function follow(t, body, start, ends, left_out)
  while #t.children[body] == 1 do body = t.children[body][1] end
  local own, most, branches = t.above[body] - start, t.height[body], {}
  if #t.children[body] == 0 or (own >= 2 and most <= own) then
    ends[#ends + 1] = body
    return
  end
  for _, c in ipairs(t.children[body]) do
    -- wheels, what is short beside the longest branch (a sensor that turns, a rod of a linkage), and heads
    if only_wheels(t, c) or 3 * (t.height[c] + 1) <= most or
        2 * (t.height[c] + 1) <= most + 1 and looks_around(t, c) then
      left_out[#left_out + 1] = c
    else
      branches[#branches + 1] = c
    end
  end
  for _, c in ipairs(branches) do follow(t, c, #branches == 1 and start or t.above[body], ends, left_out) end
end

local function path(t, body)
  local list = {}
  while body > 0 do
    table.insert(list, 1, body)
    body = t.parent(body)
  end
  return list
end

-- {limb}, and the bodies at which branches begin that are none. A limb: {body, link: where it ends, joints: bodies on
-- the way from the base, fingers: bodies beyond, leg}.
function Limbs.find(links, frames, parent, n)
  local t, bodies, left_out, limbs = tree(links, frames, parent, n), {}, {}, {}
  follow(t, 0, 0, bodies, left_out)
  for k, body in ipairs(bodies) do
    local limb = {body = body, link = end_link(t, body), joints = path(t, body), fingers = {}}
    local beyond = {[body] = true}
    for i = body + 1, n do
      if beyond[parent(i)] then
        beyond[i] = true
        limb.fingers[#limb.fingers + 1] = i
      end
    end
    limb.leg = is_leg(links[limb.link].name)
    for _, i in ipairs(limb.joints) do
      local link = links[first_link(t, i)]
      if is_leg(link.name) or is_leg(link.joint.name) then limb.leg = true end
    end
    limbs[k] = limb
  end
  return limbs, left_out
end

-- How many links no selected link hangs on: more than one, and a layout may want another.
function Limbs.leaves(links, frames)
  local has_child, count = {}, 0
  for _, f in ipairs(frames) do
    if not links[f.link].is_tie_end then has_child[links[f.link].parent] = true end
  end
  for _, f in ipairs(frames) do
    if f.body > 0 and not has_child[f.link] and not links[f.link].is_tie_end then count = count + 1 end
  end
  return count
end

-- Names of groups at the limbs' ends: "tool" for one, else by the links, as names of C, none twice. joints: set of
-- the joints' identifiers, in capitals.
function Limbs.names(links, limbs, joints)
  if #limbs == 1 then return {"tool"} end
  local names, taken = {}, {friction = true, limits = true}
  local function collides(name)
    if taken[name:lower()] or ag.reserved(name) then return true end
    for _, row in ipairs {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"} do
      if joints[(name .. "_" .. row):upper()] then return true end
    end
    return false
  end
  for k, limb in ipairs(limbs) do
    local base = links[limb.link].id:gsub("_+", "_"):gsub("^_", ""):sub(1, 50)
    if not base:match("^%a") or base:match("^M_%u") or base:match("^FP_") or base:match("^HUGE_VAL") or
        base:match("^MATH_ERR") then
      base = "at_" .. base
    end
    local name, number = base, 1
    while collides(name) do
      number = number + 1
      name = base:gsub("_$", "") .. "_" .. number
    end
    taken[name:lower()] = true
    names[k] = name
  end
  return names
end

Limbs.most_rows = 24
local six = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"}
local linear = {"lin_x", "lin_y", "lin_z"}

-- The rows of each limb, a list of lists, some of them perhaps empty; nil: there are too many limbs. A leg of three
-- joints or fewer stands on a point, which it can move but not turn as well; and no limb is asked for what its joints
-- cannot produce. robot: of reach.lua. Second result: whether the joints give all six, of such legs all three.
function Limbs.rows(limbs, robot)
  local function give(choose)
    local list, count = {}, 0
    for k, limb in ipairs(limbs) do
      list[k] = choose(limb)
      count = count + #list[k]
    end
    return count <= Limbs.most_rows and list or nil
  end
  local wanted = give(function(limb) return limb.leg and #limb.joints <= 3 and linear or six end)
    or give(function() return linear end)
  if not wanted then return nil, true end
  local at, frames = {}, {}
  for _, frame in ipairs(robot.frames) do at[frame.link] = frame end
  for k, limb in ipairs(limbs) do frames[k] = at[limb.link] end
  return Reach.rows(robot, frames, wanted)
end

-- "6", "3 each", "6, 3 each at legs of three joints or fewer"; where the joints do not give all, "4", "3 each",
-- "5, 4 and 3".
function Limbs.count_rows(rows, all)
  local fewest, most, counts = math.huge, 0, {}
  for k, list in ipairs(rows) do
    counts[k], fewest, most = #list, math.min(fewest, #list), math.max(most, #list)
  end
  if #rows == 1 then return tostring(most) end
  if fewest == most then return most .. " each" end
  if all then return most .. " each, " .. fewest .. " at legs of three joints or fewer" end
  return table.concat(counts, ", ", 1, #counts - 1) .. " and " .. counts[#counts]
end

return Limbs
