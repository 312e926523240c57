-- robot: ../../../../robots/gen3.urdf
return { name = "7dof" }
--> layout_name_digit.lua:2: error: "7dof" is not a C identifier
-->   remedy: use letters, digits and _, no digit first
