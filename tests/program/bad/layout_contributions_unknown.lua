-- robot: ../../../robots/four_bar.urdf
return {
  groups = { { name = "tip", frame = "rocker_pin", rows = { "lin_x" } } },
  outputs = { "qdd", contributions = { "qdd", "nus" } },
}
