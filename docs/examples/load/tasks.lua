-- Up, tilted by 0.3 rad so that gravity turns in the tool, aside, down, and back. The tool frame looks forward: its z
-- is the base's x. ABAG's parameters are those of Vukcevic's program for an
-- unknown load; poses and times are ours.
local x = { 0.9, 0.00055, 0.0005, 0.452492, 0.0026 } -- alpha, bias threshold and step, gain threshold and step
local yz = { 0.9, 0.000457, 0.00045, 0.452492, 0.0026 }
local angular = { 0.85, 0.001007, 0.003495, 0.252492, 0.015152 }
local R = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } }
local c, d = math.cos(0.3), math.sin(0.3)
local tilted = { { 0, d, c }, { 1, 0, 0 }, { 0, c, -d } }

local function at(name, p, turned)
  return move_compliantly {
    name = name,
    motion_frame = { p = p, R = turned or R }, -- [m]
    x = { position = 0, tolerance = 0, largest = 20, abag = x },
    y = { position = 0, tolerance = 0, largest = 20, abag = yz },
    z = { position = 0, tolerance = 0, largest = 20, abag = yz },
    orientation = { tolerance = 1e-6, largest = 120, abag = angular },
    prediction = 0.6, -- [s]
    stop_when = { time = 10 },
  }
end

return {
  name = "load",
  tasks = {
    at("lift", { 0.456, 0.001, 0.474 }),
    at("learn", { 0.456, 0.001, 0.474 }, tilted),
    at("carry", { 0.456, 0.101, 0.474 }),
    at("put_down", { 0.456, 0.101, 0.434 }),
    at("leave", { 0.376, 0.101, 0.434 }),
  },
}
