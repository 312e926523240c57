-- robot: ../../../../robots/gen3.urdf
return { realise = "motor" }
--> layout_realise_word.lua:2: error: "realise" is "motor"
-->   remedy: write "anything" or "motors" or "optimum"
