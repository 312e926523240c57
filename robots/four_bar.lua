-- A crank and rocker: the loop that the URDF cuts is closed by a tie. b is the second derivative of what
-- keeps the pins apart; pose and twist of the pins are put out for Baumgarte's stabilisation of it.
return {
  passive = { "coupler_joint", "rocker_joint" }, -- the crank alone has a motor
  torques = { artificial = true },
  groups = {
    { name = "pin", frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } },
  },
  outputs = {
    "qdd", "nu", "tau_ctrl", "pivot_min",
    pose = { "rocker_pin", "coupler_pin" }, twist = { "rocker_pin", "coupler_pin" },
  },
}
