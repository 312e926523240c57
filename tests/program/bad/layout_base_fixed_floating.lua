-- robot: fine_floating_root.urdf
return { base = "fixed" }
