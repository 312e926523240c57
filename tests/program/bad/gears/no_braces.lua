-- robot: ../../../../robots/gen3.urdf
return { transmissions = { motor = "a", joint = "joint_1", ratio = 2 } }
--> no_braces.lua:2: error: "transmissions" is a list of transmissions, or "file", but has a key "joint"
-->   remedy: write the values one after the other: { a, b }
