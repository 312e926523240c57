-- robot: ../../../../robots/gen3.urdf

error("stop here", 0)
--> layout_own_error_no_place.lua:3: error: Lua: stop here
-->   remedy: correct the Lua there; a layout may use math, string and table
