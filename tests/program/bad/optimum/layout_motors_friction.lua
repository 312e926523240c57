-- robot: ../../../../robots/quadruped.urdf
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
--> layout_motors_friction.lua:6: error: artificial wrench "pull" cannot be used with realise = "motors" beside friction, limits or contacts
-->   remedy: give a contact a wanted force: wanted = "input"
