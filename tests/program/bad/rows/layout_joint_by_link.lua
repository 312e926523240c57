-- robot: ../../../../robots/gen3.urdf
return {
  groups = { { name = "elbow", joint = "forearm_link" } },
}
--> layout_joint_by_link.lua:3: error: "forearm_link" is a link, not a joint
-->   remedy: write "joint_4", the joint that carries it
