-- robot: ../../../robots/four_bar.urdf
return {
  groups = {
    { name = "pin", frame = "rocker", to = "rocker_pin", rows = { "lin_x" } },
  },
}
