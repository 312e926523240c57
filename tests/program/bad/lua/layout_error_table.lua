-- robot: ../../../../robots/gen3.urdf
error({ code = 1 })
--> layout_error_table.lua:2: error: Lua: an error was raised with a value that is not text
-->   remedy: correct the Lua there; a layout may use math, string and table
