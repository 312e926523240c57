-- Two rods with friction in both joints and a motor in the first, which is to accelerate the second, whatever that
-- takes.
return {
  name = "two_pushed",
  realise = "motors",
  passive = { "elbow" },
  effort = { shoulder = 0.01 }, -- no limit here
  gravity = { 0, 0, 0 },
  friction = { coulomb = "input" },
  groups = { { name = "bend", joint = "elbow" } },
  outputs = { "qdd", "tau_ctrl", "tau_friction" },
}
