-- robot: ../../../../robots/gen3.urdf
return { realise = true }
--> layout_realise_type.lua:2: error: "realise" is true or false, not "anything" or "motors" or "optimum"
-->   remedy: write "anything" or "motors" or "optimum" there
