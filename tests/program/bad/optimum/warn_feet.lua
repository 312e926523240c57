-- robot: ../../../../robots/quadruped.urdf
return {
  base = "floating",
  groups = {
    { name = "trunk", frame = "trunk", kind = "artificial" },
    { name = "left", frame = "fl_foot", rows = { "lin_x", "lin_y", "lin_z" } },
    { name = "right", frame = "fr_foot", rows = { "lin_x", "lin_y", "lin_z" } },
  },
}
--> warn_feet.lua:6: warning: groups "left", "right" are at the end of a leg and artificial, as no kind is given: the base moves, and motors alone cannot hold feet there (the status will say UNACTUATED); write kind = "physical" for a foot that stands on something, kind = "artificial" for one that swings
