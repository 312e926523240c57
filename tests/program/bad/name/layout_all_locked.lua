-- robot: ../../../../robots/arm1dof.urdf
return {
  gravity = "input",
  locked = { joint1 = 0.5 },
}
--> layout_all_locked.lua:4: error: nothing moves: no moving joint below "base"
-->   remedy: there must be a revolute, continuous or prismatic joint that is not locked; of a body that moves as a whole (a drone), write base = "floating" in a layout
