-- SPDX-License-Identifier: MIT
-- loops.lua: linkages in a state: where their dependent joints are, what moves them, and what is said of that. Methods
-- of the state (state.lua).

local scalar = require "scalar"
local motion = require "motion"
local Linkages = require "linkages"

local Loops = {}

-- Cosine and sine of a joint come in with a square of 1 within that, and are made so.
local unit_range = 1e-6

local function listed(chain, l)
  local names = {}
  for _, i in ipairs(l.dependent) do
    local b = chain.bodies[i]
    local name = b.link.joint.name
    names[#names + 1] = b.prismatic and name .. " [m]" or "cosine and sine of " .. name
  end
  return table.concat(names, ", ")
end

-- Where Newton's steps begin, of each dependent joint.
function Loops:read_linkages()
  self.starts = {}
  for k, l in ipairs(self.chain.linkages) do
    self.starts[k] = self:input {
      name = "linkage_start." .. l.name, shape = "list", linear = "1", angular = "1", count = #l.begin,
      doc = "where the search for the dependent joints of " .. l.name .. " begins, linkage_end of the last call: " ..
        listed(self.chain, l),
      default = l.begin,
    }
  end
end

-- Cosine and sine of square 1: x (3 - x . x) / 2 of ones that nearly have it.
local function unit(c, s)
  local factor = 1.5 - 0.5 * (c * c + s * s)
  return factor * c, factor * s
end

-- Fills q and trig of the dependent joints. Returns the chain with what moves them, and the velocities by body; nil:
-- the state has none.
function Loops:close_linkages(q, trig)
  local chain = self.chain
  if #chain.linkages == 0 then return chain, self.qd and motion.per_body(chain, self.qd) end
  local own = setmetatable({embedded = {}, drift = {}}, {__index = chain})
  local at, starts = {q = q, c = trig.c, s = trig.s}, self.starts
  self.loops, self.place, self.not_closed = {}, at, false
  for k, l in ipairs(chain.linkages) do
    local n = 0
    for _, i in ipairs(l.dependent) do
      if chain.bodies[i].prismatic then
        q[i], n = starts[k][n + 1], n + 1
      else
        at.c[i], at.s[i] = unit(starts[k][n + 1], starts[k][n + 2])
        q[i], n = 0, n + 2
      end
    end
    local s = Linkages.solve(l, chain, at, self.single)
    self.loops[k] = s
    self.not_closed = scalar.lor(self.not_closed, s.bad)
    for a, i in ipairs(l.dependent) do
      local moves = {}
      for b, body in ipairs(l.independent) do
        if not scalar.is_zero(s.P[a][b]) then
          moves[#moves + 1] = {joint = chain.joint_of[body], ratio = s.P[a][b]}
        end
      end
      own.embedded[i] = moves
    end
  end
  self.chain = own
  at.qd = self.qd and motion.per_body(own, self.qd)
  for _, s in ipairs(self.qd and self.loops or {}) do
    for a, x in ipairs(Linkages.drift(s, at)) do own.drift[s.l.dependent[a]] = x end
  end
  return own, at.qd
end

-- A condition: a start is no position.
function Loops:bad_start()
  local bad = false
  for k, l in ipairs(self.chain.linkages) do
    local n, start = 0, (self.starts or {})[k] or {}
    for _, i in ipairs(start[1] and l.dependent or {}) do
      if self.chain.bodies[i].prismatic then
        n = n + 1
      else
        local c, s = start[n + 1], start[n + 2]
        local off = scalar.lnot(scalar.lt(scalar.abs(c * c + s * s - 1), unit_range))
        bad = scalar.lor(bad, scalar.limit(off, unit_range, "unit_range",
          "of the square of cosine and sine, which is 1"))
        n = n + 2
      end
    end
  end
  return bad
end

-- What every function with linkages puts out of them.
function Loops:put_linkages()
  for _, s in ipairs(self.loops or {}) do
    local l, found, rates = s.l, {}, {}
    local words = {id = l.name, of = l.name}
    ag.region("output: linkage " .. l.name, l.name)
    for a, i in ipairs(l.dependent) do
      local b = self.robot.bodies[i]
      for _, x in ipairs(b.prismatic and {b.q} or {self.trig.c[i], self.trig.s[i]}) do found[#found + 1] = x end
      rates[a] = b.qd
    end
    self:put("linkage_end.", found, words)
    if self.qd then self:put("linkage_qd.", rates, words) end
    self:put("linkage_residual.", {s.residual}, words)
    self:put("linkage_pivot.", {s.system.pivot()}, words)
    if l.motors and self.joint_torques then
      local tau = {}
      for b, body in ipairs(l.independent) do tau[b] = self.joint_torques[self.chain.joint_of[body]] end
      local at_motors, bad = Linkages.at_motors(s, tau, self.single)
      self.not_closed = scalar.lor(self.not_closed, bad)
      self:put("linkage_tau.", at_motors, words)
    end
  end
  if self.loops then self:status("NOT_CLOSED", self.not_closed) end
end

-- By linkage that has motors elsewhere: {loop, map: [motor][independent joint], of the motors' torques}; made once.
function Loops:motor_maps()
  if self.maps then return self.maps end
  self.maps = {}
  for _, s in ipairs(self.loops or {}) do
    local map, n = {}, #s.l.independent
    for b = 1, s.l.motors and n or 0 do
      local unit = scalar.zeros(n)
      unit[b] = 1
      local column, bad = Linkages.at_motors(s, unit, self.single)
      self.not_closed = scalar.lor(self.not_closed, bad)
      for m, x in ipairs(column) do
        map[m] = map[m] or {}
        map[m][b] = x
      end
    end
    if s.l.motors then self.maps[#self.maps + 1] = {l = s.l, map = map} end
  end
  return self.maps
end

-- What `apply` needs of linkages, of a function that it goes on from. Returns what is known of them there.
function Loops:put_for_apply()
  self.joint_torques = nil -- those of the answer are not known yet
  if not self.loops then return nil end
  local info = {}
  for k, of in ipairs(self:motor_maps()) do
    local flat, joints = {}, {}
    for _, row in ipairs(of.map) do table.move(row, 1, #row, #flat + 1, flat) end
    for b, body in ipairs(of.l.independent) do joints[b] = self.chain.joint_of[body] end
    self:put("linkage_map.", flat, {id = of.l.name, of = of.l.name})
    info[k] = {name = of.l.name, joints = joints}
  end
  self:put("closed", {scalar.select(self.not_closed, 0, 1)})
  return info
end

-- In `apply`: torques at the motors of linkages, tau by joint, nil: it is no output; and what was said of them. of: the
-- function before; info: of put_for_apply.
function Loops:apply_linkages(of, info, tau)
  if not info then return end
  local function given(name, shape, count)
    return self:input {name = of .. "." .. name, shape = shape, linear = "1", angular = "1", doc = "", count = count}
  end
  for _, l in ipairs(tau and info or {}) do
    local n, torques = #l.joints, {}
    local map = given("linkage_map." .. l.name, "list", n * n)
    ag.region("output: linkage " .. l.name, l.name)
    for m = 1, n do
      torques[m] = 0
      for b, joint in ipairs(l.joints) do torques[m] = torques[m] + map[(m - 1) * n + b] * tau[joint] end
    end
    self:put("linkage_tau.", torques, {id = l.name, of = l.name})
  end
  self.not_closed = scalar.lt(given("closed", "scalar")[1], 0.5)
  self:status("NOT_CLOSED", self.not_closed)
end

return Loops
