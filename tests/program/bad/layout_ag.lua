-- robot: ../../../robots/gen3.urdf
ag.fail(1, "x", "y")
return {}
