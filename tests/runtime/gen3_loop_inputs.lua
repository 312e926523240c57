-- gen3_controlled.lua, in which gravity is an input, with further inputs that the loop does not know: an inertia, a
-- load, weights, other torques, another wrench.
local layout = include("gen3_controlled.lua")
layout.inertia_inputs = { "bracelet_link" }
layout.payload = { frame = "tool_frame", mass = "input", com = "input", inertia = "input" }
layout.torques = { artificial = true, physical = true }
layout.wrenches[3] = { name = "elbow", frame = "forearm_link", kind = "physical" }
return layout
