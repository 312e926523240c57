-- Kinova Gen3 takes up a load that its controller does not know, learns it while it tilts, and its rotational
-- inertia while it swings, and carries it. The poses and numbers are ours; those of q = 0 0.26 3.14 -2.27 0 0.96 1.57.
--   achdgen --task robots/tasks/gen3_load.lua

local abag = include("abag.lua").gen3_load
local R = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } }

-- turned about the axis y of the base: gravity turns in the tool
local function tilted(angle)
  local c, d = math.cos(angle), math.sin(angle)
  return { { 0, d, c }, { 1, 0, 0 }, { 0, c, -d } }
end

local function hold(name, p, turned)
  return move_compliantly {
    name = name,
    motion_frame = { p = p, R = turned or R },
    x = { position = 0, tolerance = 0, largest = 20, abag = abag.x },
    y = { position = 0, tolerance = 0, largest = 20, abag = abag.y },
    z = { position = 0, tolerance = 0, largest = 20, abag = abag.z },
    orientation = { tolerance = 1e-6, largest = 120, abag = abag.angular },
    prediction = 0.6,
    stop_when = { time = 60 },
  }
end

-- about three axes at once, at three rates: the set-points of acceleration tell rotational inertia
local function swing(name, p)
  local function hold_on(abag) return { position = 0, tolerance = 0, largest = 20, abag = abag } end
  return move_compliantly {
    name = name,
    motion_frame = { p = p, R = R },
    x = hold_on(abag.x), y = hold_on(abag.y), z = hold_on(abag.z),
    rx = { acceleration = 0, swing = { amplitude = 4, rate = 12 } },
    ry = { acceleration = 0, swing = { amplitude = 4, rate = 16 } },
    rz = { acceleration = 0, swing = { amplitude = 4, rate = 21 } },
    prediction = 0.6,
    stop_when = { time = 60 },
  }
end

return {
  name = "gen3_load",
  tasks = {
    hold("lift", { 0.456, 0.002, 0.474 }),
    hold("learn", { 0.456, 0.002, 0.474 }, tilted(0.3)),
    hold("back", { 0.456, 0.002, 0.474 }),
    swing("swing", { 0.456, 0.002, 0.474 }),
    hold("carry", { 0.456, 0.052, 0.474 }),
    hold("put_down", { 0.456, 0.052, 0.434 }),
  },
}
