-- robot: ../../../../robots/gen3.urdf
return {
  gravity = { 0, 0, 9.81 },
  groups = { { name = "tool", frame = "tool_frame" } },
}
--> warn_gravity_up.lua:3: warning: "gravity" points upwards, along z of the base: that is right where the robot hangs from a ceiling
