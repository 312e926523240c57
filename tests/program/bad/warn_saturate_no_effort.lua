-- robot: warn_limit_missing.urdf
return { saturate = true }
