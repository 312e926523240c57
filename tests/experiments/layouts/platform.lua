-- A platform that drives in all directions; the wheels' force along the base's own axes is limited. Rotation is left to
-- nature while it pushes.
return {
  base = "planar",
  gravity = { 0, 0, 0 },
  groups = {
    { name = "drive", frame = "base_link", axes = "link", rows = { "lin_x", "lin_y" }, acceleration = "rate",
      bounds = "input" },
    { name = "turn", frame = "base_link", rows = { "ang_z" }, maskable = true, bounds = "input" },
  },
  outputs = { "nu" },
}
