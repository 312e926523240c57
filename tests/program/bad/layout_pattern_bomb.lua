-- robot: ../../../robots/gen3.urdf
local s = ("a"):rep(1000)
return { name = s:match(("a-"):rep(50) .. "b") }
