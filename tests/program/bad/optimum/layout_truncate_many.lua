-- robot: ../../../../robots/gen3.urdf
return {
  groups = {
    { name = "tool", frame = "tool_frame" },
    { name = "elbow", frame = "forearm_link" },
    { name = "shoulder", frame = "shoulder_link", rows = 1 },
  },
  singularity = "truncate",
}
--> layout_truncate_many.lua:8: error: "truncate" can be used with at most 12 rows, and there are 13
-->   remedy: use singularity = "damp" or "drop", or fewer rows
