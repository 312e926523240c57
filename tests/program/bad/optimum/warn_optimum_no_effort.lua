-- robot: ../../../../robots/gen3.urdf
return {
  realise = "optimum",
  joint_limits = { joint_2 = { effort = false } },
  groups = { { name = "tool", frame = "tool_frame" } },
}
--> warn_optimum_no_effort.lua:3: warning: "realise" cannot limit the torques of joint "joint_2": neither the URDF nor effort in the layout gives a limit
