-- A humanoid that stands on two flat feet, each on four points within their cones of friction, and moves its pelvis:
-- six rows there. Joints that these do not determine, as waist, neck and arms, are where least effort brings them.
local function sole(side)
  return {
    name = side, frame = side .. "_sole", axes = "link", maskable = true, kind = "physical",
    contact = {
      normal = "lin_z", friction = 0.7,
      points = { { 0.1, 0.04, 0 }, { 0.1, -0.04, 0 }, { -0.06, -0.04, 0 }, { -0.06, 0.04, 0 } },
    },
  }
end

return {
  name = "humanoid",
  base = "floating",
  realise = "optimum",
  gravity = { 0, 0, -9.81 },
  torques = { artificial = true },
  groups = { { name = "pelvis", frame = "pelvis" }, sole "left", sole "right" },
  outputs = { "qdd", "nu", "tau_ctrl", "residual" },
}
