-- SPDX-License-Identifier: MIT
-- status.lua: what the status of every function says, and how large its numbers are. Methods of the state (state.lua).

local scalar = require "scalar"
local Base = require "moving_base"

local Status = {}

-- Status bits. Those that the solve raises mean something for finite numbers only.
function Status:status(name, condition)
  self.statuses[#self.statuses + 1] = {name = name, condition = condition}
end

function Status:singular(condition)
  if #self.rows > 0 then self:status("SINGULAR", condition) end
end
-- D: the articulated inertias by coordinate; only run-time inertias can spoil them.
function Status:check_positive(D)
  if not self.inertias_are_inputs then return end
  local bad = self.bad_payload or false
  self.bad_payload = nil
  for i = 1, #D do bad = scalar.lor(bad, scalar.lnot(scalar.lt(0, D[i]))) end
  self:status("NOT_POSITIVE", bad)
end

-- The size of what artificial wrenches and torques could load freedoms without motor with.
function Status:force_scale()
  local reach = self.chain.reach
  local function weight(v) return scalar.abs(v[1]) + scalar.abs(v[2]) + scalar.abs(v[3]) end
  local forces = 0
  for _, w in ipairs(self.wrenches) do
    if w.kind == "artificial" then forces = forces + (reach * weight(w.f) + weight(w.n)) end
  end
  for i = 1, self.chain.nj do
    if self.passive[i] then forces = forces + scalar.abs(self.tau_art[i]) end
  end
  return forces
end

-- A share on a passive joint that is more than rounding leaves of the forces that could make it: artificial
-- rows and wrenches at their longest lever, and the joint's own torque.
function Status:check_unactuated(unactuated, rows, nu)
  if next(self.passive) == nil and not self.base then return end
  ag.region("torques that would be needed where there is no motor", "unactuated")
  local reach = self.chain.reach
  local function weight(v) return scalar.abs(v[1]) + scalar.abs(v[2]) + scalar.abs(v[3]) end
  local forces = 0
  for j, row in ipairs(rows) do
    if row.group.kind == "artificial" then
      local lever = row.joint and 1 or reach * weight(row.dir.lin) + weight(row.dir.ang)
      forces = forces + lever * scalar.abs(nu[j])
    end
  end
  for _, w in ipairs(self.wrenches) do
    if w.kind == "artificial" then forces = forces + (reach * weight(w.f) + weight(w.n)) end
  end
  local rounding, reason = self.single and 1e-5 or 1e-12, "of all forces: less, where no motor is, is rounding"
  local told, nb = false, self.chain.nb
  for c = 1, nb do
    local linear = nb == 3 and c <= 2 or nb == 6 and c <= 3
    local known = scalar.share(linear and rounding / reach or rounding, forces, "unactuated_share", reason)
    told = scalar.lor(told, scalar.lt(known, scalar.abs(unactuated[c])))
  end
  for i = 1, self.chain.nj do
    local share, own = unactuated[nb + i], self.tau_art[i]
    if self.passive[i] and scalar.is_zero(forces) and scalar.is_zero(share - own) then
      told = scalar.lor(told, scalar.lnot(scalar.eq(own, 0))) -- nothing is rounded
    elseif self.passive[i] then
      local known = scalar.share(rounding, forces + scalar.abs(own), "unactuated_share", reason)
      told = scalar.lor(told, scalar.lt(known, scalar.abs(share)))
    end
  end
  self:status("UNACTUATED", told)
end

-- ---- how large numbers are ----

-- Whether it pays to ask for the sizes of inputs rather than for that of every result: the range of floats is too small
-- for what products of many numbers could be in theory.
function Status:asks_for_sizes() return not self.single end

-- The exponents of 2 below which inputs are of moderate size: of joint positions, whose limit is above it, and of all
-- others, in SI units beyond what a robot is given.
function Status:moderate_exponents() return math.floor(math.log(ag.largest_angle(self.single), 2)), 32 end

-- Boolean: all inputs are of moderate size.
function Status:moderate()
  local of_positions, of_others = self:moderate_exponents()
  local lists, turns = {[of_positions] = {}, [of_others] = {}}, false
  for _, body in ipairs(self.robot.bodies) do turns = turns or not body.prismatic end
  for i, x in ipairs(self.all_inputs) do
    local list = lists[i <= #self.q and of_positions or of_others]
    list[#list + 1] = x
  end
  return scalar.moderate(lists, turns or self.base and self.base.yaw ~= nil)
end

-- Boolean: no result is infinite or NaN, on a way that is gone only where inputs are of moderate size (self.sizes):
-- true unless a division by nearly nothing is part of them. nil: they might overflow in theory; then the way is gone
-- without asking for sizes.
function Status:none_overflows(results)
  local nodes = {}
  for _, x in ipairs(results) do
    if not scalar.is_number(x) then nodes[#nodes + 1] = x end
  end
  local divisors, least = ag.bound_sizes(self.sizes.hold, nodes)
  if not divisors then
    ag.guard(ag.label(self.sizes.plain, "regular"))
    self.sizes = nil
    return nil
  end
  local finite = true
  for _, d in ipairs(divisors) do
    finite = scalar.land(finite, scalar.limit(scalar.beyond(d, least), least, "least_divisor",
      "numbers of moderate size, divided by more, do not overflow"))
  end
  return finite
end

-- Boolean: no input is infinite or NaN, and no sine or cosine is, or 2 or more in size, where that alone makes results
-- finite, as those of joints that turn: sums of products of sines, of which no two hundred overflow. nil: it is not
-- certain.
function Status:follows_from_turns(results)
  if not self.q or #self.all_inputs > #self.q or not self:asks_for_sizes() then return nil end
  local turning = true
  for _, body in ipairs(self.robot.bodies) do turning = turning and not body.prismatic end
  local nodes = {}
  for _, x in ipairs(results) do
    if not scalar.is_number(x) then nodes[#nodes + 1] = x end
  end
  if not turning or #nodes <= #self.q then return nil end
  local odd = scalar.lor(scalar.lnot(scalar.all_finite(self.all_inputs)), scalar.lnot(scalar.moderate({}, true)))
  local finite = scalar.lnot(odd)
  local divisors = ag.bound_sizes(finite, nodes)
  return divisors and #divisors == 0 and finite or nil
end

-- bad: a condition beside those that all functions have, that the input means nothing.
function Status:finish(bad)
  self:put_linkages()
  if self.bad_payload then
    self:status("NOT_POSITIVE", self.bad_payload) -- a load that no body can be
  end
  self:finish_outputs()
  ag.region("test: are all inputs within their ranges?", "bad")
  local limit = ag.largest_angle(self.single)
  bad = bad or false
  local moderate = self.sizes and 2.0 ^ self:moderate_exponents() or math.huge
  for i, b in ipairs(self.robot.bodies) do
    local ratio, offset = scalar.value(self.chain.ratio[i]), scalar.value(self.chain.offset[i])
    if math.abs(ratio) * moderate + math.abs(offset) > limit and not b.ball and
        (b.prismatic or not self.chain.dependent[i]) then
      local q = ratio == -1 and -b.q or b.q -- which is the driver's q, if there is no offset
      bad = scalar.lor(bad, scalar.limit(scalar.beyond(q, limit), limit, "largest_angle",
        "[rad]; sines of larger angles lose digits"))
    end
  end
  if self.base then bad = scalar.lor(bad, self.base:bad_input(limit)) end
  for _, ball in ipairs(self.balls or {}) do bad = scalar.lor(bad, Base.bad_norm(ball.norm2)) end
  for _, x in ipairs(self.inertia_parts) do
    local huge = scalar.lt(ag.largest_inertia, scalar.abs(x))
    bad = scalar.lor(bad, scalar.limit(huge, ag.largest_inertia, "largest_inertia",
      "[kg, kg m, kg m^2]; sums of larger ones might overflow"))
  end
  bad = scalar.lor(bad, self:bad_start())
  for _, c in ipairs(self.compliances or {}) do bad = scalar.lor(bad, scalar.lt(c, 0)) end
  for _, w in ipairs(self.weights or {}) do
    bad = scalar.lor(bad, scalar.lor(scalar.lt(w, 0), scalar.lt(1, w)))
  end
  for _, m in ipairs(self.masks or {}) do
    bad = scalar.lor(bad, scalar.lnot(scalar.lor(scalar.eq(m, 0), scalar.eq(m, 1))))
  end
  ag.status("BAD_INPUT", bad)
end

return Status
