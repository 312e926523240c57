-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame", compliance = math.huge },
  },
}
--> layout_compliance_infinite.lua:4: error: "groups[1].compliance" is not finite
-->   remedy: write a finite number there
