-- robot: ../../../../robots/gen3.urdf
return { locked = { joint_1 = math.PI / 2 } }
--> layout_math_unknown.lua:2: error: math.PI is not defined
-->   remedy: did you mean "pi"?
