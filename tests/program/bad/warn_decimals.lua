-- robot: fine_decimals.urdf
return {
  groups = {
    { name = "held", frame = "tool", rows = { "lin_x", "lin_y" } },
    { name = "across", frame = "tool", axes = "link", rows = { "lin_z" } },
    { name = "tilt", frame = "tool", rows = { "ang_z" } },
  },
}
