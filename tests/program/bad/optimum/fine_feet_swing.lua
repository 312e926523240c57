-- robot: ../../../../robots/quadruped.urdf
-- Feet that are said to swing, and feet of which one stands: nothing to warn of.
return {
  base = "floating",
  groups = {
    { name = "left", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "artificial" },
  },
}
