-- robot: ../../../robots/four_bar.urdf
return {
  groups = {
    { name = "pin", frame = "rocker_pin", to = "coupler_pin",
      rows = { "lin_x", "lin_y", "lin_z" } },
  },
}
