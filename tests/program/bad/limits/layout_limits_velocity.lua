-- robot: ../../../../robots/gen3.urdf
return {
  limits = { velocity = "urdf" },
}
--> layout_limits_velocity.lua:3: error: "velocity" in "limits" needs acceleration, with which joints are braked
-->   remedy: add acceleration = 10 [rad/s^2, m/s^2], or joints and numbers: { joint_1 = 10 }
