-- The blade of sleigh.urdf does not slip sideways while friction can hold it. The row turns with the sleigh.
return {
  name = "classical",
  base = "planar",
  gravity = { 0, 0, 0 },
  groups = {
    { name = "blade", frame = "body", axes = "link", rows = { "lin_y" }, kind = "physical", friction = 0.8,
      acceleration = "classical" },
  },
  outputs = { "nu" },
}
