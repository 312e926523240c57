-- robot: ../../../../robots/gen3.urdf
-- Variables without local, from included files too; nil is tested for where a value may be missing.
include "include/variables.lua"
local options = { passive = nil }
damped = nil
spare = function() return 1 end
local function maybe(value)
  if value == nil then return nil end
  return value
end
assert(options.passive == nil and not damped and maybe() == nil and _ENV.effort_of_all == 39)
-- The empty name of no joint: text methods and lists still are what they were.
local joints = { "joint_1" }
assert(joints[2] == nil and ("ab"):upper() == "AB")
return {
  effort = of_all(effort_of_all),
  passive = options.passive,
  saturate = damped ~= nil,
  groups = { { name = "tool", frame = "tool_frame" } },
}
