-- Three of the platform's drives: six rows, the most that `truncate` takes.

local function drive(name)
  return { name = name, frame = name .. "_mount", axes = "link", rows = { "lin_x", "lin_y" }, kind = "physical" }
end

return {
  name = "three",
  base = "planar",
  gravity = { 0, 0, 0 },
  tips = { "front_left_mount", "rear_left_mount", "rear_right_mount", "front_left_brick", "cpu", "battery" },
  wrenches = { { name = "load", frame = "base_link", kind = "physical" } },
  groups = { drive("front_left"), drive("rear_left"), drive("rear_right") },
  singularity = "truncate",
}
