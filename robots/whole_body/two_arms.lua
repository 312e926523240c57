-- Two arms that carry a box between their hands: six rows hold each hand, and yield to what the hands press with: the
-- squeeze and their halves of the box's weight. Torques that come in (tau_art) move what the rows leave free.
local function hand(side) return { name = side, frame = side .. "_hand", over = "yields" } end
local function press(side) return { name = side .. "_press", frame = side .. "_hand", kind = "artificial" } end

return {
  gravity = { 0, 0, -9.81 },
  torques = { artificial = true },
  saturate = "scale",
  groups = { hand "left", hand "right" },
  wrenches = { press "left", press "right" },
  outputs = { "qdd", "nu", "tau_ctrl", "scale" },
}
