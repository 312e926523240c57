-- SPDX-License-Identifier: MIT
-- early_rows.lua: the constrained dynamics with rows that are eliminated early (formulation "early", early.lua): where
-- which rows are eliminated, and the test that all of them are in force and far from dependent there. The function takes
-- the general solve elsewhere (achd.lua).

local scalar = require "scalar"
local motion = require "motion"
local constraints = require "constraints"
local Early = require "early"
local Fast = require "rows_first"

local EarlyRows = {}
EarlyRows.__index = EarlyRows

-- Outputs that are made of D of the robot without its rows, or judged by the pivots of other equations.
local of_general = {tau_total = true, tau_apparent = true, bound = true, pivot_min = true}

-- Why the layout is not for this formulation; nil: it is.
function EarlyRows.fault(context)
  local layout, chain = context.layout, context.chains.link
  local fault = Fast.fault(context)
  if fault then return fault end
  if layout.saturate then return "torques are clamped, and the motion that they make is solved again" end
  if chain.mimics then return "joints mimic others" end
  if chain.coupled then return "rotors couple joints" end
  for _, name in ipairs(layout.outputs) do
    if of_general[name] then return '"' .. name .. '" is an output that only other solves have' end
  end
end

-- ---- where rows are eliminated ----

-- The bodies that a group's forces are on.
local function bodies_of(chain, g)
  if not g.joints then return g.to and {g.frame.body, g.to.body} or {g.frame.body} end
  local list = {}
  for k, j in ipairs(g.joints) do list[k] = chain.leader[j] end
  return list
end

-- Whether bodies i and j are the same or i carries j.
local function carries(chain, i, j)
  while j > i do j = chain.bodies[j].parent end
  return i == j
end

-- The body at which a group can be eliminated: all its forces have met, and `extra` joints more than it has rows were
-- passed; -1: behind a moving base's own freedoms.
local function place(chain, g, extra)
  local bodies, passed, count = bodies_of(chain, g), {}, 0
  local at = bodies[1]
  if g.joints then at = chain.bodies[at].parent end -- a row along a joint has passed it
  for _, i in ipairs(bodies) do
    local outer = g.joints and chain.bodies[i].parent or i
    while not carries(chain, at, outer) do at = chain.bodies[at].parent end
  end
  for _, i in ipairs(bodies) do
    while i ~= at do
      if not passed[i] then passed[i], count = true, count + 1 end
      i = chain.bodies[i].parent
    end
  end
  while at > 0 and count < #g.rows + extra do
    count, at = count + 1, chain.bodies[at].parent
  end
  return count < #g.rows and chain.nb > 0 and -1 or at
end

-- The first bodies of the branches behind body `at` that a group's forces are on, as a set; all: 0.
local function branches(chain, g, at)
  local tops = {}
  if at < 0 then return {[0] = true} end
  for _, i in ipairs(bodies_of(chain, g)) do
    while i > at do
      if chain.bodies[i].parent == at then tops[i] = true end
      i = chain.bodies[i].parent
    end
  end
  return tops
end

local function within(chain, tops, i) -- is body i on one of these branches?
  for top in pairs(tops) do
    if top == 0 or (i > 0 and carries(chain, top, i)) then return true end
  end
  return false
end

-- By group where it is eliminated: one whose place is on the branches of another is eliminated with that one.
local function places(layout, chain, extra)
  local at, moved = {}, true
  for k, g in ipairs(layout.groups) do at[k] = place(chain, g, extra) end
  while moved do
    moved = false
    for k, g in ipairs(layout.groups) do
      local tops = branches(chain, g, at[k])
      for l in ipairs(layout.groups) do
        if at[l] ~= at[k] and within(chain, tops, at[l]) then at[l], moved = at[k], true end
      end
    end
  end
  return at
end

-- Sets of rows {at = body, rows = by number, tops = the branches that their forces are on, name, id}.
function EarlyRows.sets(layout, chain, extra)
  local at, sets, first = places(layout, chain, extra), {}, 1
  for k, g in ipairs(layout.groups) do
    local own = {at = at[k], rows = {}, tops = branches(chain, g, at[k]), name = g.name, id = g.name}
    for n = #sets, 1, -1 do
      local meet = false
      for top in pairs(own.tops) do meet = meet or sets[n].tops[top] end
      if sets[n].at == at[k] and meet then
        local other = table.remove(sets, n)
        own.name, own.id = other.name, other.id
        for top in pairs(other.tops) do own.tops[top] = true end
        table.move(own.rows, 1, #own.rows, #other.rows + 1, other.rows)
        own.rows = other.rows
      end
    end
    for j = first, first + #g.rows - 1 do own.rows[#own.rows + 1] = j end
    first, sets[#sets + 1] = first + #g.rows, own
  end
  for _, set in ipairs(sets) do table.sort(set.rows) end
  return sets
end

-- The coordinates that a set's rows pass before they are eliminated, by number, with those beside their way.
function EarlyRows.passed(chain, set)
  local list = {}
  for c = 1, set.at < 0 and chain.nb or 0 do list[c] = c end
  for i = 1, chain.n do
    if within(chain, set.tops, i) then list[#list + 1] = chain.nb + chain.joint_of[i] end
  end
  return list
end

-- ---- the solve ----

-- choice: {axes, way, extra: joints that are passed beyond as many as there are rows}
function EarlyRows.new(state, choice)
  local self = setmetatable({state = state, choice = choice}, EarlyRows)
  self.sets = EarlyRows.sets(state.layout, state.chain, choice.extra)
  self.outward = motion.accelerations(state.robot, -state.gravity)
  self.early = Early.new {
    robot = state.robot, inertias = state.inertias, armature = state.armature, rows = state.rows, sets = self.sets,
    wrenches_of = function(row) return state:row_wrenches(row) end,
  }
  choice.sets = self.sets
  return self
end

function EarlyRows:unmasked() return Fast.unmasked(self) end

-- The condition under which the results hold: all masks are 1; the rows of every set are in reach, their pivots and the
-- product of these far from zero; and the inertias that are given at run time are those of bodies.
function EarlyRows:regular()
  local state, early = self.state, self.early
  local least, all, diagonal, none = Fast.seam(state.layout.singular_threshold), self:unmasked(), {}, {}
  ag.region("rows: test whether they are far from singular", "rows")
  for _, set in ipairs(self.sets) do
    for a, j in ipairs(set.rows) do diagonal[j], none[j] = set.whole[a], false end
  end
  local scales = constraints.scales(state.chain, state.rows, early.k, early.inv,
    constraints.reach_threshold(state.single))
  for _, reach in ipairs((constraints.reached(diagonal, none, scales))) do all = scalar.land(all, reach) end
  for _, set in ipairs(self.sets) do
    local d, whole = 1, 1
    for a = 1, #set.rows do
      if a > 1 then
        all = scalar.land(all, scalar.above_share(least, set.whole[a], set.d[a], "seam",
          "rows are eliminated early where their relative pivots are above this"))
      end
      d, whole = d * set.d[a], whole * set.whole[a]
    end
    if #set.rows > 2 then
      all = scalar.land(all, scalar.above_share(least / 30, whole, d, "seam_of_product",
        "and their product above a thirtieth of it: no two are small at once"))
    end
  end
  return Fast.of_bodies(state, all)
end

-- Accelerations by coordinate, nu by row; nil: J^T A nu is not known; and the other forces that motors are to give.
function EarlyRows:solve()
  local state, target = self.state, {}
  local seen = state:seen(self.outward)
  for j, row in ipairs(state.rows) do target[j] = row.b - seen[j] end
  local own, tau = Fast.own_torques(state), state:by_coordinate(state:acting_torques())
  for c = 1, #own do tau[c] = tau[c] + own[c] end
  local vdot, nu = self.early:solve(tau, state:needed_wrenches(self.outward), target)
  return vdot, nu, nil, own
end

-- ---- the choice ----

local most_extra = 4 -- joints

-- As Fast.choose.
function EarlyRows.choose(count, layout, chain, general)
  local best, least, made, seen = nil, nil, nil, {}
  for extra = 0, most_extra do
    local key = {}
    for _, set in ipairs(EarlyRows.sets(layout, chain, extra)) do key[#key + 1] = set.at .. ":" .. #set.rows end
    local name = table.concat(key, " ")
    for _, axes in ipairs(seen[name] and {} or {"matrix", "chain"}) do
      local choice = {early = true, alone = true, extra = extra, axes = axes, way = "wrench"}
      local operations, share = count(choice)
      local expected = operations and share * operations + (1 - share) * (0.7 * operations + general)
      if expected and (not least or expected < least) then best, least, made = choice, expected, operations end
    end
    seen[name] = true
  end
  return best, made, least
end

return EarlyRows
