-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "elbow", joint = "joint_4",
      friction = 2 },
  },
}
--> layout_joint_row_friction.lua:5: error: "friction" does not go with rows on joints, which group "elbow" has
-->   remedy: leave it out; friction of joints is a word of the layout: friction = { joint_1 = 2.5 }
