-- robot: ../../../robots/gen3.urdf
local joints = { wrist = "joint_7" }
return {
  passive = { joints.elbow, joints.wrist },
}
