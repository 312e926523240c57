-- robot: ../../../robots/four_bar.urdf
return {
  groups = { { name = "pin", frame = "rocker_pin", to = "coupler_pin", rows = { "lin_x", "lin_z" } } },
  step = { loops = { "pim" } },
}
