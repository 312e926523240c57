-- robot: ../../../../robots/gen3.urdf
return { name = io.open("/etc/passwd"):read() }
--> layout_io.lua:2: error: "io" of Lua is left out of layouts
-->   remedy: a layout may use math, string, table, pairs, ipairs and include
