-- One joint, one row: the tip's acceleration across the rod. All of it can be checked by hand:
--   lin_x of the tip along its own axes = -qdd * 1 m        (the rod lies along +y)
--   qdd * 1/3 kg m^2 = tau_phys + gravity's torque + nu * -1 m
return {
  torques = { physical = true },
  groups = {
    { name = "tip", frame = "tip", axes = "link", rows = { "lin_x" } },
  },
  outputs = { "qdd", "nu", "tau_ctrl", "pivot_min" },
}
