-- robot: ../../../robots/four_bar.urdf
return {
  groups = { { name = "pin", frame = "rocker_pin", to = "coupler_pin", axes = "base", rows = { "lin_x" } } },
}
