-- robot: ../../../../robots/gen3.urdf
return {
  friction = "urdf",
}
--> layout_friction_urdf.lua:3: error: no joint of the URDF has <dynamics friction>
-->   remedy: name joints and numbers: { joint_1 = 2 }
