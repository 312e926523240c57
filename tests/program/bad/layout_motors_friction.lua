-- robot: ../../../robots/quadruped.urdf
return {
  base = "floating",
  realise = "motors",
  friction = { fl_calf_joint = 3 },
  wrenches = { { name = "pull", frame = "trunk", kind = "artificial" } },
  groups = {
    { name = "trunk", frame = "trunk" },
    { name = "foot", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" }, kind = "physical" },
  },
}
