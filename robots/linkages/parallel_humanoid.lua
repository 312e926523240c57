-- A humanoid whose ankles are moved through rods: pitch and roll are the independent joints, each foot hangs on two
-- rods from cranks, and the motors turn these. linkage_tau has their torques.
local function ankle(side)
  local rods = {}
  for k, which in ipairs { "outer", "inner" } do
    rods[k] = { frame = side .. "_" .. which .. "_heel", to = side .. "_" .. which .. "_crank_end", length = 0.24 }
  end
  return {
    name = side .. "_ankle", rods = rods,
    independent = { side .. "_ankle_pitch_joint", side .. "_ankle_roll_joint" },
    motors = { side .. "_outer_crank_joint", side .. "_inner_crank_joint" },
  }
end

return {
  base = "floating",
  linkages = { ankle("left"), ankle("right") },
  groups = {
    { name = "left_sole", frame = "left_sole", kind = "physical", maskable = true },
    { name = "right_sole", frame = "right_sole", kind = "physical", maskable = true },
  },
}
