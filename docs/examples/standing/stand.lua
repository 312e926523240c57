-- robots/quadruped.urdf
local groups = { { name = "trunk", frame = "trunk" } }
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  groups[#groups + 1] = {
    name = leg, frame = leg .. "_foot",
    rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical",
    maskable = true,
  }
end

return {
  base = "floating",
  realise = "motors",
  saturate = "scale",
  groups = groups,
  outputs = { "tau_ctrl", "nu", "scale" },
}
