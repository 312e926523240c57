-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  groups = {
    { name = "left", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" } },
    { name = "right", frame = "fr_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical" },
  },
}
