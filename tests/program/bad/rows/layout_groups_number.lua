-- robot: ../../../../robots/gen3.urdf
return { groups = 6 }
--> layout_groups_number.lua:2: error: "groups" is a number, not a list of groups
-->   remedy: write a list of groups there
