-- SPDX-License-Identifier: MIT
-- motion_limits.lua: what a layout says of limits of velocity and acceleration: limits = { velocity = "urdf" or
-- { joint_1 = 2 }, acceleration = 10 or { joint_1 = 10 }, period = 1e-3 }.

local MotionLimits = {}

-- {[joint] = number}
local function by_joint(self, value, path, what, own_joint)
  return self:by_joint(value, path, own_joint,
    function(x, at, name) return self:positive(x, at, what .. " of " .. name) end)
end

local function joint_of(chain, j) return chain.bodies[chain.leader[j]].link.joint end

-- The name of the first joint that r has and `within` has not; nil: there is none.
local function outside(chain, r, within)
  for j = 1, chain.nj do
    if r[j] and not within[j] then return joint_of(chain, j).name end
  end
end

local function read_accelerations(self, chain, raw, chosen, path, own_joint)
  if type(raw.acceleration) ~= "number" then
    local r = by_joint(self, raw.acceleration, path, "the largest acceleration", own_joint)
    local name = chosen and outside(chain, r, chosen)
    if name then
      self:fail(self.join(path, name), 'joint "' .. name .. '" is not one of "limits.joints"',
        "name it there, or leave it out")
    end
    return r
  end
  local r, x = {}, self:positive(raw.acceleration, path, "the largest acceleration")
  for j = 1, chain.nj do r[j] = (not chosen or chosen[j]) and x or nil end
  return r
end

local function read_velocities(self, chain, raw, accelerations, path, own_joint)
  if raw.velocity == nil then return {} end
  local r = {}
  if raw.velocity == "urdf" then
    for j = 1, chain.nj do
      local x = accelerations[j] and joint_of(chain, j).velocity
      if x and x > 0 then r[j] = x end
    end
    if next(r) == nil then
      self:fail(path, "no joint of the URDF that has an acceleration here has a <limit velocity>",
        "name joints and numbers: { joint_1 = 2 }")
    end
    return r
  end
  if type(raw.velocity) ~= "table" then
    self:fail(path, "limits of velocity come from the URDF or from numbers",
      'write "urdf", or joints and numbers: { joint_1 = 2 }')
  end
  r = by_joint(self, raw.velocity, path, "the largest velocity", own_joint)
  local name = outside(chain, r, accelerations)
  if name then
    self:fail(self.join(path, name), 'joint "' .. name .. '" has a limit of velocity and none of acceleration',
      "add it to acceleration: with that it is braked")
  end
  return r
end

-- What goes with accelerations only, and not with them.
local function check_words(self, raw, path)
  if raw.acceleration == nil then
    for _, word in ipairs {"velocity", "period"} do
      if raw[word] ~= nil then
        self:fail(self.join(path, word),
          '"' .. word .. '" in "limits" needs acceleration, with which joints are braked',
          "add acceleration = 10 [rad/s^2, m/s^2], or joints and numbers: { joint_1 = 10 }")
      end
    end
    return
  end
  if raw.period == nil then
    self:fail(self.join(path, "acceleration"), 'limits of acceleration need the period of the control',
      "add period = 1e-3 [s]")
  end
  if raw.b ~= nil then
    self:fail(self.join(path, "b"), '"b" cannot be used with limits of acceleration, from which it follows',
      "leave it out")
  end
  if raw.kind ~= nil and raw.kind ~= "artificial" then
    self:fail(self.join(path, "kind"), 'limits of velocity and acceleration are kept by motors',
      "leave kind out")
  end
end

-- {acceleration, velocity, step}; nil: there are none. chosen: {[joint] = true}, or nil for all.
function MotionLimits.read(self, chain, raw, chosen, own_joint)
  local path = {"limits"}
  check_words(self, raw, path)
  if raw.acceleration == nil then return nil end
  local accelerations = read_accelerations(self, chain, raw, chosen, self.join(path, "acceleration"), own_joint)
  local step = self:positive(raw.period, self.join(path, "period"), "the period of the control [s]")
  return {
    acceleration = accelerations, step = step,
    velocity = read_velocities(self, chain, raw, accelerations, self.join(path, "velocity"), own_joint),
  }
end

return MotionLimits
