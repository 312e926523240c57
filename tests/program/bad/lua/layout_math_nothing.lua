-- robot: ../../../../robots/gen3.urdf
return { locked = { joint_1 = table.copies } }
--> layout_math_nothing.lua:2: error: table.copies is not defined
-->   remedy: table has concat, insert, pack, remove, sort, unpack
