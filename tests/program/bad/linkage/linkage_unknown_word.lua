-- robot: ../../../../robots/four_bar.urdf
return {
  linkages = { { name = "bar", independant = { "crank_joint" }, ties = { { frame = "rocker_pin", to = "coupler_pin",
    rows = { "lin_x", "lin_z" } } } } },
}
--> linkage_unknown_word.lua:3: error: unknown word "independant" in "linkages[1]"
-->   remedy: did you mean "independent"?
