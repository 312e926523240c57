-- robot: ../../../../robots/gen3.urdf
return { tips = { "base_link" } }
--> layout_tip_does_not_move.lua:2: error: nothing moves: no moving joint on the way to the tips from "base_link"
-->   remedy: there must be a revolute, continuous or prismatic joint that is not locked
