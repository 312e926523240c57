-- robot: ../../../../robots/gen3.urdf
-- What a layout may compute with.
local rows = {}
for _, part in ipairs { "lin", "ang" } do
  for _, axis in ipairs { "x", "y", "z" } do table.insert(rows, part .. "_" .. axis) end
end
table.sort(rows, function(a, b) return a > b end)
table.insert(rows, 1, table.remove(rows))
assert(rows[1] == "ang_x" and table.concat(rows, " ", 2) == "lin_z lin_y lin_x ang_z ang_y")
local armature, order = {}, ""
for k = 7, 1, -1 do armature["joint_" .. k] = 0.1 * k end
for name in pairs(armature) do order = order .. name:sub(-1) end
assert(order == "1234567" and ("ab"):rep(2, "-") == "ab-ab" and ("x"):rep(0) == "")
local keys = ""
for k in pairs { [true] = 0, b = 0, [2] = 0, a = 0, [1.5] = 0, [false] = 0 } do keys = keys .. tostring(k) .. " " end
assert(keys == "1.5 2 a b false true ")
assert(math.sin(math.pi / 6) > 0.4999 and math.cos(0) == 1 and math.abs(math.tan(0.5) - 0.5463024898437905) < 1e-15)
local tilt = math.rad(30)
return {
  gravity = { 9.81 * math.sin(tilt), 0, -9.81 * math.cos(tilt) },
  armature = armature,
  groups = { { name = "tool", frame = "tool_frame", rows = rows } },
}
