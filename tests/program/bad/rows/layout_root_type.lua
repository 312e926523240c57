-- robot: ../../../../robots/gen3.urdf
return { root = { "base_link" } }
--> layout_root_type.lua:2: error: "root" is a table, not the name of a link
-->   remedy: write the name of a link there
