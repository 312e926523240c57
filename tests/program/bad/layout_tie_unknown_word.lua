-- robot: ../../../robots/four_bar.urdf
return { groups = { { name = "pin", frame = "rocker_pin", too = "coupler_pin", rows = { "lin_x" } } } }
