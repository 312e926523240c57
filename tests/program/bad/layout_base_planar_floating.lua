-- robot: fine_floating_root.urdf
return {
  base = "planar",
  groups = { { name = "tip", frame = "leg" } },
}
