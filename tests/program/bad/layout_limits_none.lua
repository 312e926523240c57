-- robot: warn_limit_missing.urdf
return { limits = { margin = 0.1 } }
