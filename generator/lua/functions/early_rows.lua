-- SPDX-License-Identifier: MIT
-- early_rows.lua: the constrained dynamics with rows that are eliminated early (formulation "early", early.lua): where
-- which rows are eliminated, and the test that all of them are in force and far from dependent there. The function
-- takes the general solve elsewhere (achd.lua).

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Early = require "early"
local Fast = require "rows_first"

local EarlyRows = {}
EarlyRows.__index = EarlyRows

-- Outputs that are made of D of the robot without its rows, or by other maps.
local of_general = {tau_total = true, tau_apparent = true, bound = true}

-- Why the layout is not for this formulation; nil: it is.
function EarlyRows.fault(context)
  local layout, chain = context.layout, context.chains.link
  local fault = Fast.fault(context)
  if fault then return fault end
  if layout.saturate then return "torques are clamped, and the motion that they make is solved again" end
  if chain.mimics then return "joints mimic others" end
  if chain.coupled then return "rotors couple joints" end
  for _, g in ipairs(layout.groups) do
    if g.free and layout.singularity == "truncate" then
      return "eigenvalues are cut beside the largest, and directions given at run time may have any length"
    end
  end
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
local function carries(chain, i, j) return motion.common(chain, i, j) == i end

-- The body at which a group can be eliminated: all its forces have met, and `extra` joints more than it has rows were
-- passed; -1: behind a moving base's own freedoms.
local function place(chain, g, extra)
  local bodies, passed, count = bodies_of(chain, g), {}, 0
  local at = bodies[1]
  if g.joints then at = chain.bodies[at].parent end -- a row along a joint has passed it
  for _, i in ipairs(bodies) do at = motion.common(chain, at, g.joints and chain.bodies[i].parent or i) end
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

-- The coordinates that a set's rows pass before they are eliminated, by number, with those beside their way; and those
-- that a row that leads passes, {}: none leads.
function EarlyRows.passed(chain, set)
  local list, of_leader = {}, {}
  for c = 1, set.at < 0 and chain.nb or 0 do list[c] = c end
  for i = 1, chain.n do
    local c = chain.nb + chain.joint_of[i]
    if within(chain, set.tops, i) then list[#list + 1] = c end
    if set.lead_body and carries(chain, set.lead_body, i) then of_leader[#of_leader + 1] = c end
  end
  return list, of_leader
end

-- ---- axes of rows ----

-- Whether a group has all three rows of a kind or none of it, along the axes of the base: then rows along the axes of
-- its frame ask for the same.
local function turns(g)
  if g.free or g.rotation or g.joints or g.to or constraints.linked(g) then return false end
  local count = {lin = 0, ang = 0}
  for _, name in ipairs(g.rows) do count[name:sub(1, 3)] = count[name:sub(1, 3)] + 1 end
  return count.lin % 3 == 0 and count.ang % 3 == 0
end

-- The numbers of a group's rows as vectors by kind; turned: what a function makes of these; and by row again.
local function turned(g, x, turn)
  local v, result = {}, {}
  for k, name in ipairs(g.rows) do
    local kind = name:sub(1, 3)
    v[kind] = v[kind] or {}
    v[kind][(constraints.axis_of[name] - 1) % 3 + 1] = x[k]
  end
  for _, kind in ipairs {"lin", "ang"} do v[kind] = v[kind] and turn(spatial.vector(v[kind])) end
  for k, name in ipairs(g.rows) do result[k] = v[name:sub(1, 3)][(constraints.axis_of[name] - 1) % 3 + 1] end
  return result
end

-- The same group along the axes of its frame, and its rows.
local function linked(g)
  local group = setmetatable({axes = "link"}, {__index = g})
  return group, constraints.list {group}
end

-- ---- the solve ----

-- How large the coefficient of a joint is in a row, beside the robot's reach or 1; nil: that is not known.
local function share(state, row, coefficient)
  if row.joint or row.group.free then return nil end
  local linear = constraints.axis_of[row.name] <= 3
  return math.abs(coefficient) / (linear and scalar.value(scalar.exact(state.chain.reach)) or 1)
end

-- choice: {axes, way; extra: joints that are passed beyond as many as there are rows; turned: whether rows are turned
-- to the axes of their frames; sets: of an earlier solve of the same rows, nil: they are found}
function EarlyRows.new(state, choice)
  local self = setmetatable({state = state, choice = choice, rows = {}, parts = {}, kinds = {}}, EarlyRows)
  self.sets = EarlyRows.sets(state.layout, state.chain, choice.extra)
  for n, set in ipairs(choice.sets or {}) do
    self.sets[n].leader, self.sets[n].rows = set.leader, set.rows
  end
  self.outward = motion.accelerations(state.robot, -state.gravity)
  for _, g in ipairs(state.groups) do
    local part = {group = g, first = #self.rows, turned = choice.turned and turns(g)}
    self.parts[#self.parts + 1] = part
    if part.turned then part.linked, part.rows = linked(g) end
    for _, row in ipairs(state.rows) do
      if row.group == g then
        self.rows[#self.rows + 1] = part.rows and part.rows[row.k] or row
        self.kinds[#self.rows] = part.rows and g.name .. " " .. row.name:sub(1, 3)
      end
    end
  end
  self.early = Early.new {
    robot = state.robot, inertias = state.inertias, armature = state.armature, rows = self.rows, sets = self.sets,
    wrenches_of = function(row) return state:row_wrenches(row) end,
    leads = function(row, coefficient) return share(state, row, coefficient) end, anyway = choice.sets ~= nil,
  }
  if self.early.dependent then return nil end
  choice.sets = self.sets
  for _, set in ipairs(self.sets) do set.turned = {} end
  for _, part in ipairs(self.parts) do
    local set = self.early.set_of[part.first + 1]
    if part.turned then table.insert(set.turned, part.group.name) end
  end
  return self
end

local above_policy = 10 -- times the policy's threshold: where what is judged is not what the policy judges

function EarlyRows:unmasked() return Fast.unmasked(self) end

-- By row, whether what is left of it is in reach where it is eliminated: the pivots of all rows of the robot are beside
-- all joints, those of a limb's own rows beside these alone. nil: it leads, and is no question, since its pivot is that
-- of one joint.
function EarlyRows:reached()
  if self.reach then return self.reach end
  local state, early, of = self.state, self.early, {}
  local rows, left, k, none = {}, {}, {}, {}
  for _, set in ipairs(self.sets) do
    for a = set.leader and 2 or 1, #set.rows do
      local j, n = set.rows[a], #rows + 1
      of[n], rows[n], left[n], k[n], none[n] = j, self.rows[j], set.d[a], early.k[j], false
    end
  end
  local threshold = math.max(constraints.reach_threshold(state.single), above_policy * state.layout.singular_threshold)
  local scales = constraints.scales(state.chain, rows, k, early.inv, threshold)
  self.reach = {}
  for n, reach in ipairs((constraints.reached(left, none, scales))) do self.reach[of[n]] = reach end
  return self.reach
end

-- Pivot and L_jj of the a-th row of a set; of one that is turned its pivot and the mean of the three L_jj of its kind,
-- both three times: a third is no double.
function EarlyRows:beside(set, a)
  local kind = self.kinds[set.rows[a]]
  if not kind then return set.d[a], set.whole[a] end
  set.sums = set.sums or {}
  if not set.sums[kind] then
    local sum = 0
    for b, j in ipairs(set.rows) do
      if self.kinds[j] == kind then sum = sum + set.whole[b] end
    end
    set.sums[kind] = ag.label(sum, "sum_L" .. set.rows[a])
  end
  return 3 * set.d[a], set.sums[kind]
end

-- Rows that are turned to the axes of their frame have other pivots than along the layout's axes: where joints hardly
-- move the frame in some direction, the row along it can have a small L_jj alone, of which its pivot is all, while
-- along other axes three rows nearly depend on each other. All axes have the same product of pivots d, and the same
-- mean of three L_jj, whose cube is at least their product. So no relative pivot along the layout's axes is below
--     product of d / product of the means (of L_jj where a row is not turned).
-- Nor is one beside the mean below 4 / 9 of it: two of three together are at most 3 means.
-- Returns both products; nil: no row is turned.
function EarlyRows:of_all_axes(set)
  local ds, means, turned = 1, 1, false
  for a, j in ipairs(set.rows) do
    local d, mean = self:beside(set, a)
    turned = turned or self.kinds[j]
    ds, means = ds * d, means * mean
  end
  if turned then return ds, means end
end

-- The condition under which the results hold: all masks are 1; the rows of every set are in reach, their pivots and the
-- product of these far from zero; and the inertias that are given at run time are those of bodies.
function EarlyRows:regular()
  local least, all, reach = Fast.seam(self.state.layout.singular_threshold), self:unmasked(), self:reached()
  for j in ipairs(self.rows) do
    if reach[j] ~= nil then all = scalar.land(all, reach[j]) end
  end
  ag.region("rows: test whether they are far from singular", "rows")
  for _, g in ipairs(self.state.groups) do
    if g.rotation then all = scalar.land(all, Fast.no_axis_long(g.rotation)) end
  end
  for _, set in ipairs(self.sets) do
    local d, whole = 1, 1
    for a = set.leader and 2 or 1, #set.rows do
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
    local ds, means = self:of_all_axes(set)
    if means then
      all = scalar.land(all, scalar.above_share(9 / 4 * self.state.layout.singular_threshold, means, ds, "seam_of_axes",
        "and no relative pivot along the layout's axes is below this"))
    end
  end
  return Fast.of_bodies(self.state, all)
end

-- The least relative pivot of all sets; what stands behind a pivot of 0 is no number, and not less. regular: all rows
-- are known to be in reach.
EarlyRows.pivots_of = "the systems of rows that limbs meet (early elimination)"
function EarlyRows:least_pivot(regular)
  local least, reach = 1, self:reached()
  ag.region("rows: test whether they are far from singular", "rows")
  for _, set in ipairs(self.sets) do
    for a = set.leader and 2 or 1, #set.rows do
      local first = a == 1 and not self.kinds[set.rows[a]]
      local pivot = first and 1 or scalar.divide(self:beside(set, a))
      if not regular then pivot = scalar.select(reach[set.rows[a]], pivot, 0) end
      least = scalar.min(least, pivot)
    end
  end
  return least
end

-- b of a group's rows less what they see of the motion at qdd = 0.
function EarlyRows:target_of(part)
  local state, g = self.state, part.group
  local b, body = {}, g.frame.body
  for _, row in ipairs(state.rows) do
    if row.group == g then b[row.k] = row.b end
  end
  b = turned(g, b, function(v) return spatial.mul_transposed(g.frame.R, state:to_body(body, v)) end)
  local seen = state:seen_by(part.linked, part.rows, self.outward)
  for k = 1, #b do b[k] = b[k] - seen[k] end
  return b
end

-- Accelerations by coordinate, nu by row; nil: J^T A nu is not known; and the other forces that motors are to give.
function EarlyRows:solve()
  local state, target = self.state, {}
  local seen = state:seen(self.outward)
  for j, row in ipairs(state.rows) do target[j] = row.b - seen[j] end
  for _, part in ipairs(self.parts) do
    for k, x in ipairs(part.turned and self:target_of(part) or {}) do target[part.first + k] = x end
  end
  local own, tau = Fast.own_torques(state), state:by_coordinate(state:acting_torques())
  for c = 1, #own do tau[c] = tau[c] + own[c] end
  local vdot, nu = self.early:solve(tau, state:needed_wrenches(self.outward), target)
  for _, part in ipairs(self.parts) do
    local g, first = part.group, part.first
    if part.turned then
      local x = turned(g, table.move(nu, first + 1, first + #g.rows, 1, {}),
        function(v) return state:to_base(g.frame.body, g.frame.R * v) end)
      for k = 1, #x do nu[first + k] = ag.label(x[k], "nu" .. first + k) end
    end
  end
  return vdot, nu, nil, own
end

-- ---- the choice ----

local most_extra = 4 -- joints
local of_failure = 0.7 -- of a state that fails the test: operations beside those of the general solve, by the solve's

-- As Fast.choose: first the axes, then how many joints to pass.
function EarlyRows.choose(count, layout, chain, general)
  local best, least, made
  local function try(extra, axes, turn)
    local choice = {early = true, alone = true, extra = extra, axes = axes, way = "wrench", turned = turn}
    local operations, often = count(choice)
    if not operations then return end
    local expected = often * operations + (1 - often) * (of_failure * operations + general)
    if not least or expected < least then best, least, made = choice, expected, operations end
  end
  local function places_of(extra)
    local list = {}
    for n, set in ipairs(EarlyRows.sets(layout, chain, extra)) do list[n] = set.at end
    return table.concat(list, " ")
  end
  for _, axes in ipairs {"matrix", "chain"} do
    for _, turn in ipairs {false, true} do try(0, axes, turn) end
  end
  local seen = {[places_of(0)] = true}
  for extra = 1, best and most_extra or 0 do
    local where = places_of(extra)
    if not seen[where] then try(extra, best.axes, best.turned) end
    seen[where] = true
  end
  return best, made, least
end

return EarlyRows
