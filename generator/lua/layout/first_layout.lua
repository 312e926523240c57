-- SPDX-License-Identifier: MIT
-- first_layout.lua: what --init prints: a layout of this very robot to begin with. What it asks for is what a robot
-- without a layout gets (limbs.lua), with grippers locked; every other word stands there as a comment, so written that
-- it can be used as it is.

local Limbs = require "limbs"
local FileTies = require "file_ties"
local Layout = require "layout"
local Frames = require "frames"

local First = {}

local known = {} -- what layouts can say
for _, word in ipairs(Layout.words) do known[word] = true end

local lua_words = {}
for _, word in ipairs {
  "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil", "not",
  "or", "repeat", "return", "then", "true", "until", "while",
} do lua_words[word] = true end

-- A name as text of Lua, and in a comment.
local function quoted(name)
  return '"' .. name:gsub('[%c"\\]', function(c) return string.format("\\%03d", c:byte()) end) .. '"'
end
local function shown(name) return (name:gsub("%c", "?")) end
local function key(name)
  return name:match("^[%a_][%w_]*$") and not lua_words[name] and name or "[" .. quoted(name) .. "]"
end

-- The shortest decimal that is the number.
local function number(x)
  if x == 0 then return "0" end
  for digits = 1, 17 do
    local text = string.format("%." .. digits .. "g", x)
    if tonumber(text) == x then return text end
  end
end

-- The same to ten digits: what was computed on the way has rounding errors behind.
local function short(x) return number(tonumber(string.format("%.10g", x))) end

local function mapped(list, f)
  local r = {}
  for k, v in ipairs(list) do r[k] = f(v) end
  return r
end

-- Items with commas between, on as many lines as it takes.
local function wrapped(items, indent, width)
  local lines, line = {}, ""
  for k, item in ipairs(items) do
    local more = item .. (k < #items and "," or "")
    if #line > 0 and #line + 1 + #more > width then
      lines[#lines + 1], line = line, ""
    end
    line = line .. (#line > 0 and " " or "") .. more
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n" .. indent)
end

-- What a line of the layout says, and behind it what that is.
local comment_column = 60
local function line(out, text, comment)
  local last = text:match("[^\n]*$")
  if not comment then
    out[#out + 1] = text
  elseif #last < comment_column then
    out[#out + 1] = text .. string.rep(" ", comment_column - #last) .. "-- " .. comment
  else
    out[#out + 1] = text .. " -- " .. comment
  end
end

local Robot = {}
Robot.__index = Robot

local function reduce(base, locked)
  return Frames.reduce {
    root = 1, base = base, tips = {}, locked = locked, own_inertia = {}, armature = {},
    line = function() return 0, 0 end,
  }
end

-- The robot as it moves: bodies with links and joints, limbs, what is locked.
local function open(model)
  local links = model.links
  local first = #links > 1 and links[2].joint.type or "fixed"
  local base = (first == "planar" or first == "floating") and first or "fixed"
  local r = setmetatable({model = model, links = links, base = base}, Robot)
  local reduced = reduce(r.base, {})
  r.reduced, r.n = reduced, #reduced.bodies
  local function parent(i) return reduced.bodies[i].parent end
  r.limbs, r.left_out = Limbs.find(links, reduced.frames, parent, r.n)
  local joints = {}
  for i = 1, r.n do joints[r:joint(i).id:upper()] = true end
  r.names, r.rows = Limbs.names(links, r.limbs, joints), Limbs.rows(r.limbs, {
    bodies = reduced.bodies, frames = reduced.frames, nb = ({planar = 3, floating = 6})[r.base] or 0,
    joint = function(i) return r:joint(i) end, ties = FileTies.within(model, reduced.frames),
  })
  -- grippers: the fingers' joints, at 0 or the nearest that their limits allow; what mimics them follows
  r.locked, r.lock, r.gripper = {}, {}, {}
  for k, limb in ipairs(r.limbs) do
    for _, i in ipairs(limb.fingers) do
      r.gripper[i] = k
      local joint = r:joint(i)
      if not reduced.bodies[i].mimic and not joint.ball then
        local q = math.max(joint.lower or 0, math.min(joint.upper or 0, 0))
        r.locked[#r.locked + 1], r.lock[reduced.bodies[i].link] = {i = i, q = q}, q
      end
    end
  end
  if #r.locked > 0 then r.after = reduce(r.base, r.lock) else r.after = reduced end
  r.fault = r.after.inertia_fault or r.after.pivot_fault
  r.mass = r.base == "fixed" and 0 or reduced.base.m
  for i = 1, r.n do r.mass = r.mass + reduced.bodies[i].inertia.m end
  return r
end

function Robot:link(i) return self.links[self.reduced.bodies[i].link] end
function Robot:joint(i) return self:link(i).joint end

function Robot:is_locked(i)
  local body = self.reduced.bodies[i]
  return self.lock[body.link] ~= nil or body.mimic and self.lock[self.reduced.bodies[body.mimic].link] ~= nil
end

-- Joints that a layout can name: they move, lead, and are not locked.
function Robot:own_joints()
  local list = {}
  for i = 1, self.n do
    if not self.reduced.bodies[i].mimic and not self:is_locked(i) then list[#list + 1] = i end
  end
  return list
end

local function count(n, what) return n .. " " .. what .. (n == 1 and "" or "s") end

function Robot:describe_limb(out, k)
  local limb = self.limbs[k]
  local way = mapped(limb.joints, function(i) return shown(self:joint(i).name) end)
  line(out, "--   " .. self.names[k] .. ": " .. count(#way, "joint") .. ", ends at " ..
    shown(self.links[limb.link].name) .. (limb.leg and " (a leg)" or ""))
  line(out, "--     " .. wrapped(way, "--     ", 108))
  local fingers = mapped(limb.fingers, function(i) return shown(self:joint(i).name) end)
  if #fingers > 0 then line(out, "--     gripper: " .. wrapped(fingers, "--     ", 100)) end
end

function Robot:describe_joints(out)
  local longest = 5
  for i = 1, self.n do longest = math.max(longest, math.min(40, #self:joint(i).name)) end
  for i = 1, self.n do
    local joint, body = self:joint(i), self.reduced.bodies[i]
    local slides = joint.type == "prismatic"
    local text = string.format("--   %-" .. longest .. "s  %-10s", shown(joint.name), joint.type)
    if joint.lower and joint.upper then
      text = text .. string.format("  %g to %g %s", joint.lower, joint.upper, slides and "m" or "rad")
    elseif joint.type ~= "continuous" then
      text = text .. "  no limits"
    end
    if joint.velocity then text = text .. string.format(", %g %s", joint.velocity, slides and "m/s" or "rad/s") end
    if joint.effort then text = text .. string.format(", %g %s", joint.effort, slides and "N" or "N m") end
    if body.mimic then
      text = text .. string.format("; mimics %s: %g q %+g", shown(self:joint(body.mimic).name), joint.multiplier,
        joint.offset)
    end
    line(out, text)
  end
end

function Robot:describe_frames(out)
  local on = {}
  for i = 0, self.n do on[i] = {} end
  for _, f in ipairs(self.reduced.frames) do table.insert(on[f.body], shown(self.links[f.link].name)) end
  line(out, "--   base: " .. wrapped(on[0], "--     ", 100))
  for i = 1, self.n do
    if #on[i] > 1 then line(out, "--   " .. wrapped(on[i], "--     ", 104)) end
  end
end

function Robot:describe(out, file)
  local id, base = self.model.id, shown(self.links[self.reduced.frames[1].link].name)
  line(out, "-- A layout of " .. shown(file) .. " to begin with, printed by achdgen --init.")
  line(out, "--")
  line(out, "-- Save it as " .. id .. ".lua, change it as you like, and run")
  local command = "--     achdgen " .. shown(file) .. " --layout " .. id .. ".lua"
  line(out, self.fault and command .. " --functions fk,fvk,jac" or command)
  if self.fault then
    line(out, "-- (kinematics only: dynamics needs what the URDF lacks, see inertials below:")
    line(out, "--  " .. shown(self.fault.what) .. ")")
  end
  line(out, "-- A line with dashes before a word says what that word could ask for: remove the dashes to use it.")
  line(out, "--")
  line(out, "-- " .. shown(self.model.name) .. ": " .. count(self.n, "moving joint") ..
    string.format(", %.4g kg", self.mass) .. ", base " .. base ..
    (self.base == "fixed" and ", which stands still" or ", " .. self.base))
  line(out, "-- Limbs:" .. (#self.limbs == 0 and " none" or ""))
  for k = 1, #self.limbs do self:describe_limb(out, k) end
  if #self.left_out > 0 then
    local names = mapped(self.left_out, function(i) return shown(self:joint(i).name) end)
    line(out, "-- Taken for no limbs, and what hangs on them: " .. wrapped(names, "--   ", 100))
  end
  line(out, "-- Joints:")
  self:describe_joints(out)
  line(out, "-- Frames that groups, wrenches and outputs can name, by the body that they are fixed to:")
  self:describe_frames(out)
end

function Robot:write_tree(out)
  line(out, "  -- The robot.")
  local id = self.model.id
  if not ag.reserved(id) and #id <= 63 and id:match("^%a") and not id:match("__") and not id:match("^M_%u") and
      not id:match("^FP_") and not id:match("^HUGE_VAL") and not id:match("^MATH_ERR") then
    line(out, "  name = " .. quoted(id) .. ",", "prefix of all generated names")
  else
    line(out, '  name = "robot",', "prefix of all generated names")
  end
  line(out, "  -- root = " .. quoted(self.links[1].name) .. ",", "only the part of the tree from here ...")
  local tips = self:tips()
  if tips then
    line(out, "  -- tips = { " .. wrapped(tips, "  --   ", 100) .. " },",
      "... to here; what else moves is left out, with its mass")
  end
  if #self.locked > 0 then
    local items = mapped(self.locked, function(l) return key(self:joint(l.i).name) .. " = " .. number(l.q) end)
    line(out, "  locked = { " .. wrapped(items, "    ", 100) .. " },",
      "grippers, fixed at these positions; without this line they move")
  else
    local own, joint = self:own_joints(), nil
    for _, i in ipairs(own) do
      if not joint and not self:joint(i).ball then joint = self:joint(i) end -- a ball cannot be locked
    end
    if #own > 1 and joint then
      local q = math.max(joint.lower or 0, math.min(joint.upper or 0, 0))
      line(out, "  -- locked = { " .. key(joint.name) .. " = " .. number(q) .. " },",
        "joints fixed at a position, as if welded [rad, m]")
    end
  end
  local own = self:own_joints()
  local last, free = own[#own], {}
  for _, i in ipairs(own) do
    if self:joint(i).name:lower():match("cast[eo]r") or self:joint(i).name:lower():match("passive") then
      free[#free + 1] = quoted(self:joint(i).name)
    end
  end
  line(out, "  -- passive = { " .. (#free > 0 and wrapped(free, "  --   ", 100) or quoted(self:joint(last).name)) ..
    " },", "joints without a motor")
  if self.base ~= "fixed" then
    line(out, "  base = " .. quoted(self.base) .. ",", "as the URDF's root joint has it")
    if self.base == "floating" then
      line(out, '  -- orientation = "matrix",', 'how the base\'s comes in; default "quaternion"')
    end
  elseif not self.fault and not reduce("floating", self.lock).pivot_fault and
      not reduce("floating", self.lock).inertia_fault then
    line(out, '  -- base = "floating",', 'the base moves; or "planar"; default "fixed"')
  end
  line(out, "  -- armature = { " .. key(self:joint(last).name) .. " = 0.1 },",
    "rotor inertias at the joints' side [kg m^2, kg], or \"input\"")
  self:write_motors(out, last)
  self:write_numbers(out, last)
end

-- Gears of motors, and a motor's numbers.
function Robot:write_motors(out, i)
  local joint = self:joint(i)
  local of_file = #self.model.gears + #self.model.motors > 0 and '; "file": those of the robot\'s file' or ""
  line(out, '  -- transmissions = { { motor = "gear_motor", joint = ' .. quoted(joint.name) .. ", ratio = 100 } },",
    "motors that are not joints: gears, differentials, belts" .. of_file)
  line(out, "  -- motors = { " .. joint.id .. " = { inertia = 0.1 } },",
    "motors' numbers: inertia, viscous, effort, velocity")
end

-- Limits and inertials, with the URDF's numbers.
function Robot:write_numbers(out, i)
  local joint = self:joint(i)
  local limits = {}
  for _, word in ipairs {"lower", "upper", "velocity", "effort"} do
    if joint[word] then limits[#limits + 1] = word .. " = " .. number(joint[word]) end
  end
  if #limits == 0 then limits = {"velocity = 1"} end
  line(out, "  -- effort = { " .. key(joint.name) .. " = " .. number(joint.effort or 50) .. " },",
    "largest torque or force [N m, N], in place of the URDF's")
  line(out, "  -- joint_limits = { " .. key(joint.name) .. " = { " .. table.concat(limits, ", ") .. " } },",
    "in place of the URDF's; false removes one")
  local link -- the last one with a mass that moves, rather none of a gripper
  for _, hand in ipairs {true, false} do
    for _, f in ipairs(self.reduced.frames) do
      if f.body > 0 and self.links[f.link].mass > 0 and (hand or not self.gripper[f.body]) then
        link = self.links[f.link]
      end
    end
  end
  if link and not self.after.inertia_fault then
    line(out, "  -- inertials = { " .. key(link.name) .. " = {", "in place of the URDF's <inertial>")
    line(out, "  --   mass = " .. short(link.mass) .. ", com = { " .. table.concat(mapped(link.com, short), ", ") ..
      " },", "[kg], [m] in the link's frame")
    local names, list = {"xx", "xy", "xz", "yy", "yz", "zz"}, {}
    for k, name in ipairs(names) do list[k] = name .. " = " .. short(link.central[k]) end
    line(out, "  --   inertia = { " .. table.concat(list, ", ") .. " } } },", "about com [kg m^2]")
  else
    link = link or self:link(i)
    line(out, "  -- inertials = { " .. key(link.name) ..
      " = { mass = 1, com = { 0, 0, 0 }, inertia = { xx = 0.001, yy = 0.001, zz = 0.001 } } },",
      "in place of the URDF's <inertial>")
  end
  local far = quoted(self.links[self.limbs[1] and self.limbs[1].link or self.reduced.bodies[i].link].name)
  line(out, "  -- inertia_inputs = { " .. far .. " },", "links whose inertia is given at run time")
  line(out, '  -- regressor = { "armature", "viscous", "coulomb", "offset" },', "columns of joints in regressors")
  if known.payload then
    line(out, "  -- payload = { frame = " .. far .. ", mass = 1, com = { 0, 0, 0.05 } },",
      "a load in addition to the URDF's masses [kg, m]; \"input\": given at run time")
  end
end

-- The ends of the limbs, where nothing on the way follows what is not; nil: there is no use for tips.
function Robot:tips()
  if #self.limbs == 0 then return nil end
  local kept = {}
  for _, limb in ipairs(self.limbs) do
    for _, i in ipairs(limb.joints) do kept[i] = true end
  end
  for i in pairs(kept) do
    local leader = self.reduced.bodies[i].mimic
    if leader and not kept[leader] then return nil end
  end
  return mapped(self.limbs, function(limb) return quoted(self.links[limb.link].name) end)
end

-- The link at the end of the first limb, quoted; without limbs that of the last body.
function Robot:first_end()
  return quoted(self.links[self.limbs[1] and self.limbs[1].link or self.reduced.bodies[self.n].link].name)
end

function Robot:write_actions(out)
  local frame = self:first_end()
  line(out, "")
  line(out, "  -- What acts on the robot.")
  line(out, "  -- gravity = { 0, 0, -9.81 },",
    'a constant makes shorter code [m/s^2]; default "input": a field of the struct')
  if self.base == "fixed" then
    line(out, '  -- root_acceleration = "input",',
      "what carries the base: its linear and angular acceleration, root_acc")
  end
  line(out, "  -- torques = { physical = true, artificial = true },",
    "adds the inputs tau_phys (friction, springs) and tau_art (feed-forward)")
  line(out, "  -- saturate = true,",
    "tau_ctrl stays within the effort limits; \"scale\": set-points are shortened for it")
  line(out, '  -- wrenches = { { name = "push", frame = ' .. frame .. ', kind = "physical" } },',
    'or "artificial": the motors exert it')
end

function Robot:write_rows(out)
  line(out, "")
  line(out, "  -- Where accelerations are prescribed: one group per frame, its rows along axes of the base.")
  local function group(k, rows)
    local limb = self.limbs[k]
    local kind = self.base ~= "fixed" and limb.leg and #self.limbs > 1 and "physical" or "artificial"
    local list = table.concat(mapped(rows, quoted), ", ")
    return "{ name = " .. quoted(self.names[k]) .. ", frame = " .. quoted(self.links[limb.link].name) ..
      ",\n      rows = { " .. list ..
      " },\n      kind = " .. quoted(kind) .. ", maskable = true },"
  end
  if self.rows then
    line(out, "  groups = {")
    for k = 1, #self.limbs do
      if #self.rows[k] > 0 then line(out, "    " .. group(k, self.rows[k])) end
    end
    line(out, "  },")
  elseif #self.limbs > 0 then
    line(out, "  groups = {},", #self.limbs .. " limbs are too many to have rows each: choose some")
    line(out, "  -- groups = { " .. group(1, {"lin_x", "lin_y", "lin_z"}):gsub("\n    ", "\n  --  ") .. " },")
  else
    line(out, "  groups = {},", "nothing is prescribed: wheels and rotors only")
  end
  if #self.model.ties > 0 then
    line(out, "  -- ties = false,", "without the " .. count(#self.model.ties, "closed loop") .. " of the robot's file")
    line(out, "  -- (With ties = false, linkages can have the loops instead: you say which joints are independent, the")
    line(out, "  -- others follow, and there are no rows: docs/layouts.md, Linkages.)")
  end
  line(out, '  -- (The motors hold rows of kind "artificial", the environment those of kind "physical": contacts. ' ..
    'Maskable rows can')
  line(out, '  -- be switched off at run time. With axes = "link" rows are along the frame\'s own axes, with rows = ' ..
    '2 along two')
  line(out, "  -- directions given at run time; to = ANOTHER_FRAME ties both frames together; bounds = { 0, " ..
    "math.huge } only push,")
  line(out, "  -- and with compliance = 0.01 they are soft: A^T a - b = -c nu.)")
  line(out, '  -- singularity = "drop",',
    'what is done about rows that depend on others; or "damp" (default), "truncate"')
  line(out, "  -- singular_threshold = 1e-6,", "the relative pivot below which it is done")
  line(out, '  -- realise = "motors",',
    "motors and contacts alone produce the rows' forces; default: also joints and bases without a motor")
  line(out, '  -- realise = "optimum",', "the same within the limits of motors and contacts, by priority (function qp)")
  local own, with_friction, limited, rows = self:own_joints(), 0, nil, 0
  for _, list in ipairs(self.rows or {}) do rows = rows + #list end
  for _, i in ipairs(own) do
    local joint = self:joint(i)
    if (joint.friction or 0) > 0 then with_friction = with_friction + 1 end
    if not limited and joint.lower and joint.upper and joint.lower < joint.upper then limited = joint end
  end
  if with_friction > 0 and with_friction + rows <= 32 then
    line(out, '  -- friction = "urdf",', "static friction of joints, as bounded rows; or \"input\", or { joint = 0.5 }")
  else
    line(out, "  -- friction = { " .. key(self:joint(own[1]).name) .. " = 0.5 },",
      "static friction of joints [N m, N], as bounded rows")
  end
  if limited then
    line(out, "  -- limits = { margin = 0.1, joints = { " .. quoted(limited.name) .. " } },",
      "joint limits as bounded rows; without joints: all")
  end
  line(out, "  -- least_torque = false,",
    "true, with friction or other bounded rows: of all answers that of least motor torque")
end

-- A simulator's step, and where surfaces push the robot in it.
function Robot:write_step(out)
  local frame = self:first_end()
  line(out, "  -- step = { time_step = 1e-3 },", "a step of a simulator of the robot (function step)")
  line(out, '  -- contacts = { { name = "tip", frame = ' .. frame .. ", radius = 0.02 } },",
    "surfaces that push it there (function step_begin)")
end

function Robot:write_outputs(out)
  local frame = self:first_end()
  line(out, "")
  line(out, "  -- What comes out: these four by default.")
  line(out, '  -- outputs = { "qdd", "nu", "tau_ctrl", "pivot_min", pose = { ' .. frame .. " }, twist = { " .. frame ..
    " }, acc = { " .. frame .. " } },")
end

-- Of a single body without joints: what of the words there is a use for.
function Robot:write_body(out)
  local frame = quoted(self.links[self.reduced.frames[1].link].name)
  line(out, "  base = " .. quoted(self.base) .. ",", "as the URDF's root joint has it")
  if self.base == "floating" then
    line(out, '  -- orientation = "matrix",', 'how the base\'s comes in; default "quaternion"')
  end
  line(out, "  -- gravity = { 0, 0, -9.81 },", 'a constant; default "input"')
  line(out, "  -- payload = { frame = " .. frame .. ', mass = "input", com = "input" },',
    "a load that comes at run time")
  line(out, "  -- wrenches = { { name = \"push\", frame = " .. frame .. ', kind = "physical" } },', "what acts besides")
  line(out, "  groups = { { name = \"tool\", frame = " .. frame .. ", maskable = true } },",
    "what they need is put out as base.wrench_ctrl")
  line(out, "  -- outputs = { \"nu\", \"pivot_min\", pose = { " .. frame .. " } },",
    "base.acc and base.wrench_ctrl always are")
end

-- The text of a first layout; path: the URDF's.
function First.text(model, path)
  local robot, out = open(model), {}
  robot:describe(out, path == "standard input" and "robot.urdf" or path:match("[^/]*$"))
  line(out, "")
  line(out, "return {")
  if robot.n == 0 then
    robot:write_body(out)
  else
    robot:write_tree(out)
    robot:write_actions(out)
    robot:write_rows(out)
    robot:write_step(out)
    robot:write_outputs(out)
  end
  line(out, "}")
  return table.concat(out, "\n") .. "\n"
end

-- What first_loop.lua prints, too.
First.open, First.key, First.number, First.shown, First.quoted = open, key, number, shown, quoted

return First
