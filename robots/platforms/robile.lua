-- Forces that two drives have to exert on a platform, from the wrench that they are to exert together: the forces of
-- least norm. Every drive pushes on the base at its pivot, along x and y of the base.
--   achdgen robots/robile.urdf --layout robots/platforms/robile.lua
--
-- `load` is the wrench that the drives are to exert on the base, with the opposite sign: held by the rows, which
-- keep the base from accelerating. With base.yaw = 0 it is along the axes of the base, about the origin of base_link.
-- nu is then the pseudo-inverse of the matrix that maps the forces to the wrench, times the wrench, whatever the
-- inertia is.

return {
  name = "robile",
  base = "planar",
  gravity = { 0, 0, 0 },
  -- the rigid body; drives and castors, which turn, are left out
  tips = { "left_mount", "right_mount", "left_brick", "right_brick", "left_castor_brick", "right_castor_brick", "cpu",
    "battery" },
  wrenches = { { name = "load", frame = "base_link", kind = "physical" } },
  groups = {
    { name = "left", frame = "left_mount", axes = "link", rows = { "lin_x", "lin_y" }, kind = "physical" },
    { name = "right", frame = "right_mount", axes = "link", rows = { "lin_x", "lin_y" }, kind = "physical" },
  },
  singularity = "truncate", -- four rows, of which a platform can move along three: nu of least norm
}
