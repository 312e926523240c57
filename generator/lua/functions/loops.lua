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

return Loops
