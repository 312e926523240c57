-- robot: ../../../robots/quadruped.urdf
return { base = floating, groups = {} }
