-- Forces that four drives have to exert on a platform, as in robots/platforms/robile.lua, where it is explained. Eight
-- rows are more than `truncate` takes; with bounds, achd_mclp computes the forces of least norm. The bounds are inputs:
-- what a tyre can exert before it slips. Within them nothing changes; beyond, the others take over as far as they can.
--   achdgen robots/platform.urdf --layout robots/platforms/platform.lua

local function drive(name)
  return { name = name, frame = name .. "_mount", axes = "link", rows = { "lin_x", "lin_y" }, kind = "physical",
    bounds = "input" }
end

return {
  name = "platform",
  base = "planar",
  gravity = { 0, 0, 0 },
  tips = {
    "front_left_mount", "rear_left_mount", "rear_right_mount", "front_right_mount",
    "front_left_brick", "rear_left_brick", "rear_right_brick", "front_right_brick", "cpu", "battery",
  },
  wrenches = { { name = "load", frame = "base_link", kind = "physical" } },
  groups = { drive("front_left"), drive("rear_left"), drive("rear_right"), drive("front_right") },
}
