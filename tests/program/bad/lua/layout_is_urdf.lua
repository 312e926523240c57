<!-- robot: ../../../../robots/gen3.urdf -->
<robot name="r"/>
--> layout_is_urdf.lua:1: error: Lua: unexpected symbol near '<'
-->   remedy: this looks like XML; the URDF stands before --layout, a Lua file after it
