-- A humanoid that stands on two feet and moves its pelvis: six rows on the pelvis, six on each sole, which the ground
-- holds. Arms, waist and neck have no rows: they follow the torques that come in, and do not disturb those that have.
local function sole(side) return { name = side, frame = side .. "_sole", kind = "physical" } end

return {
  base = "floating",
  gravity = { 0, 0, -9.81 },
  torques = { artificial = true },
  realise = "motors",
  saturate = "scale",
  groups = { { name = "pelvis", frame = "pelvis" }, sole "left", sole "right" },
  outputs = { "qdd", "nu", "tau_ctrl", "scale" },
}
