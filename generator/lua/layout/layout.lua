-- layout.lua: what a layout asks for, checked and completed. Every word is known here;
-- whatever does not fit is an error with the layout's line and the remedy.

local spatial = require "spatial"
local Locate = require "locate"
local Tie = require "ties"
local Bounds = require "bounds"
local Optimum = require "optimum"
local Payload = require "payload"
local Limbs = require "limbs"
local Derivatives = require "derivative_words"

local Layout = {}

local row_names = {"lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"}
local output_names = {"qdd", "nu", "tau_ctrl", "tau_total", "tau_apparent", "tau_friction", "pivot_min", "pivot", "residual", "bound", "scale"}
-- Names of fields that a wrench's name must not take.
local taken = {
  q = true, qd = true, qdd = true, gravity = true, tau_phys = true, tau_art = true, armature = true, b = true,
  mask = true, axes = true, dir = true, inertia = true, base = true, trig = true,
  tau = true, lo = true, hi = true, compliance = true, normal = true, mu = true, friction = true, viscous = true,
}

local function set(list)
  local s = {}
  for _, v in ipairs(list) do s[v] = true end
  return s
end

-- Numbers, then text, then what no table here has (true, a table, ...): of that one, it is an error anyhow, and
-- always of the same kind.
local rank = {number = 1, string = 2, boolean = 3}
local function sorted_keys(t)
  local keys, other = {}, nil
  for k in pairs(t) do
    if rank[type(k)] then keys[#keys + 1] = k elseif other == nil or type(k) > type(other) then other = k end
  end
  table.sort(keys, function(a, b)
    local ka, kb = rank[type(a)], rank[type(b)]
    if ka ~= kb then return ka < kb end
    if ka == 3 then return not a and b end
    return a < b
  end)
  if other ~= nil then keys[#keys + 1] = other end
  return keys
end

-- A key or a value in a message: without its address.
local function shown(v)
  local kind = type(v)
  return (kind == "string" or kind == "number" or kind == "boolean") and tostring(v) or "a " .. kind
end

-- `did you mean "a" or "b"?` of the names near a wrong one, or the first names of the list.
local function suggestion(name, names)
  local quoted = {}
  for k = 1, math.min(12, #names) do quoted[k] = '"' .. names[k] .. '"' end
  local all = "there is " .. table.concat(quoted, ", ") .. (#names > 12 and ", ..." or "")
  return ag.near(shown(name), names, all)
end

local function article(kind)
  local names = {
    string = "text", number = "a number", boolean = "true or false", table = "a table", ["nil"] = "nothing",
    ["function"] = "a function",
  }
  return names[kind] or kind
end

-- The layout under examination: its texts, line index, model.
local Reader = {what = "the layout"}
Reader.__index = Reader

function Reader:fail(path, what, remedy)
  self.line = self.line or Locate.index(self.sources)
  local line, source = self.line(table.unpack(path))
  ag.fail(line, source, (what:gsub("%c", "?")), (remedy:gsub("%c", "?")))
end

local function join(path, ...)
  local r = {table.unpack(path)}
  for _, k in ipairs {...} do r[#r + 1] = k end
  return r
end

local function spelled(path)
  local s = ""
  for _, k in ipairs(path) do
    s = s .. (type(k) == "number" and "[" .. k .. "]" or (s == "" and "" or ".") .. shown(k))
  end
  return s
end

-- The value, which must be of this kind.
function Reader:expect(value, kind, path, what)
  if math.type(value) == "integer" and kind == "number" then return value + 0.0 end
  if type(value) ~= kind then
    self:fail(path, '"' .. spelled(path) .. '" is ' .. article(type(value)) .. ", not " .. (what or article(kind)),
      "write " .. (what or article(kind)) .. " there")
  end
  if kind == "number" and (value ~= value or math.abs(value) == math.huge) then
    self:fail(path, '"' .. spelled(path) .. '" is not finite', "write a finite number there")
  end
  return value
end

-- What is odd, but may be meant.
function Reader:warn(path, what)
  self.line = self.line or Locate.index(self.sources)
  local line, source = self.line(table.unpack(path))
  ag.warn_layout(line, source, (what:gsub("%c", "?")))
end

function Reader:known(t, words, path)
  for _, k in ipairs(sorted_keys(t)) do
    if not set(words)[k] then
      local p = join(path, k)
      if type(k) == "number" then
        self:fail(p, "there is a value without a name in " .. (#path == 0 and self.what or '"' .. spelled(path) .. '"'), "name it: " .. suggestion(k, words))
      end
      self:fail(p, 'unknown word "' .. shown(k) .. '"' .. (#path == 0 and "" or ' in "' .. spelled(path) .. '"'), suggestion(k, words))
    end
  end
end

-- A list of no more than `most` values; as long as a robot may have links.
local longest_list = 10000
-- Work grows with the cube of the rows.
local most_rows, most_wrenches = 200, 200

function Reader:list(value, path, what, most)
  self:expect(value, "table", path, "a list of " .. what)
  most = most or longest_list
  if #value > most then
    self:fail(path, '"' .. spelled(path) .. '" is a list of ' .. #value .. ", which is too long", "write " .. most .. " at most")
  end
  for k = 1, #value do
    if value[k] == nil then
      self:fail(join(path, k), "value " .. k .. ' of "' .. spelled(path) .. '" is nothing', "a variable there, or a field of a table, is nil: give it a value")
    end
  end
  for _, k in ipairs(sorted_keys(value)) do
    if math.type(k) ~= "integer" or k < 1 or k > #value then
      self:fail(join(path, k), '"' .. spelled(path) .. '" is a list of ' .. what .. ', but has a key "' .. shown(k) .. '"', (what == "groups" or what == "wrenches") and "put each into braces of its own: " .. spelled(path) .. " = { { name = ... } }"
          or "write the values one after the other: { a, b }")
    end
  end
  return value
end

function Reader:one_of(value, choices, path)
  local quoted = {}
  for k, c in ipairs(choices) do quoted[k] = '"' .. c .. '"' end
  self:expect(value, "string", path, table.concat(quoted, " or "))
  if not set(choices)[value] then
    self:fail(path, '"' .. spelled(path) .. '" is "' .. value .. '"', "write " .. table.concat(quoted, " or "))
  end
  return value
end

-- C99 tells names apart by 63 letters.
local longest_name = 63

function Reader:identifier(value, path)
  self:expect(value, "string", path, "a name")
  if #value > longest_name then
    self:fail(path, '"' .. spelled(path) .. '" has ' .. #value .. " letters", "give a name of " .. longest_name .. " at most")
  end
  if not value:match("^[%a_][%w_]*$") then
    self:fail(path, '"' .. value .. '" is not a C identifier', "use letters, digits and _, no digit first")
  end
  if ag.reserved(value) or value:match("^_%u") or value:match("__") or value:match("^M_%u") or value:match("^FP_") or
    value:match("^HUGE_VAL") or value:match("^MATH_ERR") then
    self:fail(path, '"' .. value .. '" is a word of C or C++', "choose another name")
  end
  return value
end

-- A list of names, none of them twice; nil: none. read(value, path) makes of each what it stands for.
function Reader:each_once(value, path, what, read)
  local r, seen = {}, {}
  if value == nil then return r end
  for k, name in ipairs(self:list(value, path, what)) do
    local at = join(path, k)
    r[k] = read(name, at)
    if seen[name] then self:fail(at, '"' .. name .. '" is listed twice in "' .. spelled(path) .. '"', "leave one out") end
    seen[name] = true
  end
  return r
end

function Reader:link(value, path)
  self:expect(value, "string", path, "the name of a link")
  for k, link in ipairs(self.model.links) do
    if link.name == value then return k, link end
  end
  local names = {}
  for k, link in ipairs(self.model.links) do names[k] = link.name end
  for _, link in ipairs(self.model.links) do
    if link.joint.name == value then
      self:fail(path, '"' .. value .. '" is a joint, not a link', 'write "' .. link.name .. '", the link that it carries')
    end
  end
  self:fail(path, 'the robot has no link "' .. value .. '"', suggestion(value, names))
end

function Reader:joint(value, path)
  self:expect(value, "string", path, "the name of a joint")
  local names = {}
  for k, link in ipairs(self.model.links) do
    if link.joint.name == value then
      if link.joint.type == "fixed" then
        self:fail(path, 'joint "' .. value .. '" is fixed', "name a joint that moves, or leave it out")
      end
      return k
    end
    if link.joint.name and link.joint.type ~= "fixed" then names[#names + 1] = link.joint.name end
  end
  for _, link in ipairs(self.model.links) do
    if link.name == value and link.joint.name then
      self:fail(path, '"' .. value .. '" is a link, not a joint', link.joint.type == "fixed"
        and 'name a joint that moves; "' .. link.joint.name .. '", which carries this link, is fixed'
        or 'write "' .. link.joint.name .. '", the joint that carries it')
    end
  end
  self:fail(path, 'the robot has no moving joint "' .. value .. '"', suggestion(value, names))
end

-- {joint = number}, as {[link index] = number}; nil: none.
function Reader:joint_numbers(value, path)
  local r = {}
  if value == nil then return r end
  self:expect(value, "table", path, "a table of joints and numbers: { joint_1 = 0.5 }")
  for _, name in ipairs(sorted_keys(value)) do
    if type(name) ~= "string" then
      self:fail(join(path, name), 'there is a value without a joint in "' .. spelled(path) .. '"', "name its joint: " .. spelled(path) .. " = { joint_1 = 0.5 }")
    end
    local k = self:joint(name, join(path, name))
    r[k] = self:expect(value[name], "number", join(path, name))
  end
  return r
end

local words = {
  "name", "root", "tips", "locked", "passive", "base", "orientation", "gravity", "armature", "effort",
  "inertials", "joint_limits", "inertia_inputs", "torques", "saturate", "realise", "wrenches", "groups", "friction", "limits", "singularity", "singular_threshold",
  "outputs", "payload",
}

Layout.words = words -- for a layout to begin with (first_layout.lua)

-- A list of `count` numbers.
local function read_numbers(self, value, path, count, what)
  self:list(value, path, what)
  if #value ~= count then self:fail(path, '"' .. spelled(path) .. '" has ' .. #value .. " numbers", "write " .. what) end
  local r = {}
  for k = 1, count do r[k] = self:expect(value[k], "number", join(path, k)) end
  return r
end

local tensor = {"xx", "xy", "xz", "yy", "yz", "zz"}
local urdf_tensor = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}

-- inertia = { xx = , yy = , zz = , xy = , xz = , yz = }, with the URDF's names ixx .. izz, or the six in its order
local function read_tensor(self, value, path)
  self:expect(value, "table", path, "a rotational inertia: { xx = 0.1, yy = 0.1, zz = 0.1 }")
  if #value > 0 then return read_numbers(self, value, path, 6, "six numbers: xx, xy, xz, yy, yz, zz") end
  local names = value.ixx ~= nil and urdf_tensor or tensor
  self:known(value, names, path)
  local r = {}
  for k, name in ipairs(names) do
    if value[name] == nil and (k == 1 or k == 4 or k == 6) then
      self:fail(path, '"' .. spelled(path) .. '" has no ' .. name, "write xx, yy and zz; xy, xz and yz are 0 unless you name them")
    end
    r[k] = value[name] == nil and 0 or self:expect(value[name], "number", join(path, name))
  end
  return r
end

-- inertials = { link = { mass = , com = , inertia = } }: over the URDF's; what is not named stays.
local function read_inertials(self)
  local raw = self.raw.inertials
  if raw == nil then return end
  self:expect(raw, "table", {"inertials"}, 'a table of links: { link = { mass = 1 } }')
  for _, name in ipairs(sorted_keys(raw)) do
    local path = {"inertials", name}
    local k = self:link(name, path)
    local value = self:expect(raw[name], "table", path, "a table: { mass = 1, com = { 0, 0, 0 } }")
    self:known(value, {"mass", "com", "inertia"}, path)
    local wrong = ag.inertial(k, {
      mass = value.mass ~= nil and self:expect(value.mass, "number", join(path, "mass")) or nil,
      com = value.com ~= nil and read_numbers(self, value.com, join(path, "com"), 3, "three numbers: { 0, 0, 0.1 }") or nil,
      inertia = value.inertia ~= nil and read_tensor(self, value.inertia, join(path, "inertia")) or nil,
    })
    if wrong then self:fail(path, 'inertial of link "' .. name .. '": ' .. wrong, "no body has such an inertia: check signs and digits") end
  end
end

-- joint_limits = { joint = { lower = , upper = , velocity = , effort = } }: over the URDF's; false takes one away.
local function read_joint_limits(self)
  local raw = self.raw.joint_limits
  if raw == nil then return end
  self:expect(raw, "table", {"joint_limits"}, "a table of joints: { joint_1 = { lower = -1, upper = 1 } }")
  for _, name in ipairs(sorted_keys(raw)) do
    local path = {"joint_limits", name}
    local joint = self.model.links[self:joint(name, path)].joint
    local value = self:expect(raw[name], "table", path, "a table: { lower = -1, upper = 1, velocity = 2, effort = 50 }")
    self:known(value, {"lower", "upper", "velocity", "effort"}, path)
    for _, word in ipairs(sorted_keys(value)) do
      local at = join(path, word)
      if value[word] == false then
        joint[word] = nil
      else
        joint[word] = self:expect(value[word], "number", at, "a number, or false for none")
        if (word == "velocity" or word == "effort") and joint[word] <= 0 then
          self:fail(at, "the " .. word .. ' limit of joint "' .. name .. '" is not positive', "give the largest one, or false for none")
        end
      end
    end
    if joint.lower and joint.upper and joint.lower > joint.upper then
      self:fail(path, 'the lower limit of joint "' .. name .. '" is above its upper limit', "write the smaller one as lower")
    end
    ag.limits(self:joint(name, path), joint)
  end
end

-- The largest planet's is 25 m/s^2.
local largest_gravity = 30

local function check_gravity(self, g)
  local size = math.sqrt(g[1] ^ 2 + g[2] ^ 2 + g[3] ^ 2)
  if size > largest_gravity then
    self:warn({"gravity"}, string.format('"gravity" is %.6g m/s^2; the earth\'s is 9.81', size))
  end
  if g[3] > 0 and g[3] >= 0.5 * size then
    self:warn({"gravity"}, '"gravity" points upwards, along z of the base: that is right where the robot hangs from a ceiling')
  end
end

-- "fixed", "planar" or "floating": the layout's word, or that of the URDF's root joint.
local function base_type(self, root)
  local links = self.model.links
  local first = links[root == 1 and #links > 1 and 2 or root].joint
  local urdf = (first.type == "planar" or first.type == "floating") and first.type or "fixed"
  if self.raw.base == nil then return urdf end
  local said = self:one_of(self.raw.base, {"fixed", "planar", "floating"}, {"base"})
  if urdf ~= "fixed" and said ~= urdf then
    self:fail({"base"}, '"base" is "' .. said .. '", but joint "' .. first.name .. '" of the URDF (line ' .. first.line .. ") is " .. urdf, 'write base = "' .. urdf .. '"')
  end
  return said
end

-- What the layout says about the tree, before it is cut to size: {name, root, tips, locked, own_inertia,
-- armature_links}; and the reader for the second part.
function Layout.select(model, raw, sources)
  local self = setmetatable({model = model, raw = raw, sources = sources}, Reader)
  if type(raw) ~= "table" then
    self:fail({}, "the layout returns " .. article(type(raw)) .. ", not a table", "end it with: return { ... }")
  end
  self:known(raw, words, {})
  local s = {root = 1, tips = {}, locked = {}, own_inertia = {}, armature = {}}
  if raw.name ~= nil then s.name = self:identifier(raw.name, {"name"}) end
  if raw.root ~= nil then s.root = self:link(raw.root, {"root"}) end
  s.tips = self:each_once(raw.tips, {"tips"}, "links", function(name, at)
    local tip = self:link(name, at)
    local above = tip
    while above > s.root do above = model.links[above].parent end -- parents come first
    if above ~= s.root then
      self:fail(at, 'tip "' .. name .. '" is not below root "' .. model.links[s.root].name .. '"', "name tips below the root, or another root")
    end
    return tip
  end)
  s.locked = self:joint_numbers(raw.locked, {"locked"})
  for _, k in ipairs(sorted_keys(s.locked)) do
    if math.abs(s.locked[k]) > ag.largest_angle() then
      local name = model.links[k].joint.name
      self:fail({"locked", name}, 'joint "' .. name .. '" is locked at ' .. s.locked[k], "write its position in rad or m")
    end
  end
  for _, link in ipairs(self:each_once(raw.inertia_inputs, {"inertia_inputs"}, "links", function(name, at) return (self:link(name, at)) end)) do
    s.own_inertia[link] = true
  end
  s.payload, s.carries, s.payloads = {}, {}, Payload.read(self, raw.payload)
  for _, p in ipairs(s.payloads) do
    if p.at_run_time then
      s.carries[p.link] = true
    else
      local own = spatial.about_origin(p.mass, p.com, p.inertia)
      s.payload[p.link] = s.payload[p.link] and spatial.add_inertia(s.payload[p.link], own) or own
    end
  end
  s.line = function() -- to blame for a selection that leaves nothing
    self.line = self.line or Locate.index(sources)
    return self.line(raw.locked and "locked" or raw.tips and "tips" or "root")
  end
  s.base = base_type(self, s.root)
  read_inertials(self)
  read_joint_limits(self)
  if raw.orientation ~= nil then self:one_of(raw.orientation, {"quaternion", "matrix"}, {"orientation"}) end

  if raw.armature == "input" then
    for k, link in ipairs(model.links) do s.armature[k] = link.joint.type ~= "fixed" end
  elseif raw.armature ~= nil then
    s.armature_values = self:joint_numbers(raw.armature, {"armature"})
    for _, k in ipairs(sorted_keys(s.armature_values)) do
      if s.armature_values[k] > ag.largest_inertia then
        self:fail({"armature", model.links[k].joint.name}, 'the armature of joint "' .. model.links[k].joint.name .. '" is larger than ' .. ("%g"):format(ag.largest_inertia):gsub("%+", ""), "give the rotor inertia at the joint side in kg m^2 (kg for a prismatic joint)")
      end
      if s.armature_values[k] < 0 then
        self:fail({"armature", model.links[k].joint.name}, 'the armature of joint "' .. model.links[k].joint.name .. '" is negative', "give a rotor inertia of zero or more [kg m^2]")
      end
      s.armature[k] = s.armature_values[k] > 0
    end
  end
  self.base = s.base
  s.reader = self
  return s
end

-- Groups where the layout names none: at the ends of the limbs (limbs.lua). L.tell_choice warns of what
-- was chosen, where another choice was possible.
local function default_groups(self, chain, frame_of, L)
  if chain.n == 0 then -- the base is all there is
    local f = chain.frames[1]
    L.default_frames = {f}
    return {{
      name = "tool", frame = f, frame_name = self.model.links[f.link].name, axes = "base", rows = row_names,
      kind = "artificial", priority = 1, over = "wrenches", acceleration = "classical", maskable = true,
    }}
  end
  local links, joints, groups, quoted = self.model.links, {}, {}, {}
  local function parent(i) return chain.bodies[i].parent end
  local limbs = Limbs.find(links, chain.frames, parent, chain.n)
  for i = 1, chain.n do joints[chain.bodies[i].link.joint.id:upper()] = true end
  local rows, names = Limbs.rows(limbs), Limbs.names(links, limbs, joints)
  L.default_frames = {}
  local contacts, legs = 0, 0
  for k, limb in ipairs(limbs) do
    local foot = chain.nb > 0 and limb.leg and #limbs > 1
    if foot then contacts = contacts + 1 end
    if limb.leg then legs = legs + 1 end
    L.default_frames[k] = frame_of(limb.link)
    if k <= 8 then quoted[k] = '"' .. links[limb.link].name .. '"' end
    if rows then
      groups[k] = {
        name = names[k], frame = frame_of(limb.link), frame_name = links[limb.link].name, axes = "base", rows = rows[k],
        kind = foot and "physical" or "artificial", priority = not foot and 1 or nil, over = "wrenches", acceleration = "classical", maskable = true,
      }
    end
  end
  if Limbs.leaves(links, chain.frames) > 1 then
    local where = table.concat(quoted, ", ") .. (#limbs > 8 and " and " .. #limbs - 8 .. " more" or "")
    local ends = #limbs == 1 and "the end of the limb, " or "the ends of the limbs, "
    local what
    if #limbs == 0 then
      what = "there are no constraint rows: the joints turn wheels or rotors only"
    elseif not rows then
      what = "there are no constraint rows, as " .. #limbs .. " limbs are too many; kinematics are those of " .. ends .. where
    else
      what = "constraint rows (" .. Limbs.count_rows(rows) .. ", maskable" ..
        (contacts == 0 and "" or contacts == #limbs and ", physical" or ", physical at the feet") .. ") and kinematics are at " .. ends .. where
    end
    if legs > 1 and chain.nb == 0 then what = what .. "; the base is fixed, as in the URDF (base = \"floating\" frees it)" end
    local said = next(self.raw) and "the layout has no groups: " or "without a layout, "
    local choice = said .. what .. "; to choose, name frames in groups of a layout: achdgen --init prints one to begin with"
    function L.tell_choice()
      if next(self.raw) then self:warn({}, choice) else ag.warn(0, choice) end
      L.tell_choice = nil
    end
  end
  return groups
end

-- A group with `to` is a tie: rows of the motion of `to` relative to `frame`.
local function read_tie(self, g, group, frame_of, path)
  local named = 'tie "' .. group.name .. '"'
  group.to, group.to_name = frame_of(self:link(g.to, join(path, "to")), join(path, "to")), g.to
  if group.to.body == group.frame.body then
    self:fail(join(path, "to"), named .. ' is between "' .. g.frame .. '" and "' .. g.to .. '", which are rigidly connected', "tie links with a moving joint between them")
  end
  if g.axes ~= nil then
    self:fail(join(path, "axes"), named .. " has its rows along the axes of its frame", "leave axes out, and name as frame the link whose axes are meant")
  end
  if g.acceleration ~= nil then
    self:fail(join(path, "acceleration"), named .. " always has the second derivative of the residual as b", "leave acceleration out")
  end
  if type(g.rows) == "number" then
    self:fail(join(path, "rows"), named .. " has no free directions", 'name its rows: rows = { "lin_x", "lin_y" }')
  end
end

-- What b is of: the "classical" or the "spatial" acceleration; or "rate", that of the velocity along the row, whose axis
-- y may turn with the link:
--   d/dt (y . v) = y . a + (w x y) . v = y . (a - w x v)
-- which is the spatial acceleration along axes of the link, and the classical one along axes that do not turn.
local function read_acceleration(self, g, group, path)
  local linked, at = group.axes == "link", join(path, "acceleration")
  if g.acceleration == nil then return g.contact and linked and "spatial" or "classical" end
  local said = self:one_of(g.acceleration, {"classical", "spatial", "rate"}, at)
  if said ~= "rate" then return said end
  if group.axes == "input" then
    self:fail(at, 'group "' .. group.name .. '" has axes that come at run time: how they turn is not known', 'write axes = "link" or "base", or add -(w x y) . v of row y, whose axes turn with w, to b')
  end
  return linked and "spatial" or "classical"
end

-- A group with `joint` or `joints`: a row along each joint's axis, whose b is the joint's acceleration and whose nu
-- is a joint torque (force). own_joint(name, path): the joint's number.
local function read_joint_group(self, chain, g, group, own_joint, path)
  local named = 'group "' .. group.name .. '"'
  if g.joint ~= nil and g.joints ~= nil then
    self:fail(join(path, "joints"), named .. " has joint and joints", "put all into joints")
  end
  for _, word in ipairs {"frame", "to", "rows", "axes", "acceleration", "friction", "threshold", "contact"} do
    if g[word] ~= nil then
      self:fail(join(path, word), '"' .. word .. '" does not go with rows on joints, which ' .. named .. " has",
        (word == "friction" or word == "threshold") and "leave it out; friction of joints is a word of the layout: friction = { joint_1 = 2.5 }"
          or "leave it out: the rows are along the joints' axes, or make a second group")
    end
  end
  group.joints = g.joint ~= nil and {own_joint(self:expect(g.joint, "string", join(path, "joint"), "the name of a joint"), join(path, "joint"))}
    or self:each_once(g.joints, join(path, "joints"), "joints", own_joint)
  if #group.joints == 0 then self:fail(join(path, "joints"), named .. " has no joints", "name some, or leave the group out") end
  group.rows, group.axes, group.acceleration, group.called = {}, "joint", "joint", {}
  for k, j in ipairs(group.joints) do
    local joint = chain.bodies[chain.leader[j]].link.joint
    group.rows[k], group.called[k] = joint.id, joint.name
  end
end

-- How soft the rows of a group are, A^T a - b = -c nu: c of all, of rows by name, or "input"; nil: all are rigid.
local function read_compliance(self, g, group, path)
  if g.compliance == nil then return nil end
  local at, list, soft = join(path, "compliance"), {}, false
  local function one(value, where)
    if value == "input" then return value end
    self:expect(value, "number", where, 'a number [1/kg, 1/(kg m^2)], or "input"')
    if value < 0 then
      self:fail(where, "the compliance of " .. 'group "' .. group.name .. '" is negative', "give a number of zero (rigid) or more")
    end
    return value + 0.0
  end
  local named = type(g.compliance) == "table"
  local names = group.called or group.rows -- joints by the URDF's names
  if named then self:known(g.compliance, names, at) end
  for k, row in ipairs(names) do
    local value, where = g.compliance, at
    if named then value, where = g.compliance[row], join(at, row) end
    list[k] = value == nil and 0 or one(value, where)
    soft = soft or list[k] ~= 0
  end
  return soft and list or nil
end

local function read_groups(self, chain, frame_of, own_joint, L)
  local raw, groups, names = self.raw.groups, {}, {}
  if raw == nil then return default_groups(self, chain, frame_of, L) end
  for i, g in ipairs(self:list(raw, {"groups"}, "groups", most_rows)) do
    local path = {"groups", i}
    self:expect(g, "table", path, "a group: { name = ..., frame = ..., rows = ... }")
    self:known(g, {"name", "frame", "to", "axes", "rows", "kind", "acceleration", "maskable", "over", "compliance", "joint", "joints", "priority", "wanted", "weight", table.unpack(Bounds.group_words)}, path)
    if g.name == nil then self:fail(path, "group " .. i .. " has no name", 'give it one: name = "tool"') end
    local group = {name = self:identifier(g.name, join(path, "name"))}
    if names[group.name:upper()] then self:fail(join(path, "name"), 'two groups are named "' .. group.name .. '"', "give each its own name") end
    names[group.name:upper()] = true
    local on_joints = g.joint ~= nil or g.joints ~= nil
    if on_joints then
      read_joint_group(self, chain, g, group, own_joint, path)
    elseif g.frame == nil then
      self:fail(path, 'group "' .. group.name .. '" has no frame', 'name a link: frame = "' .. self.model.links[#self.model.links].name .. '"')
    else
      local link = self:link(g.frame, join(path, "frame"))
      group.frame, group.frame_name = frame_of(link, join(path, "frame")), g.frame
    end
    if on_joints then
      -- nothing that is about a frame
    elseif g.to ~= nil then
      read_tie(self, g, group, frame_of, path)
    elseif group.frame.body == 0 and self.base == "fixed" then
      self:fail(join(path, "frame"), 'frame "' .. g.frame .. '" of group "' .. group.name .. '" does not move: it is fixed to the base', 'name a link that a joint moves, or let the base move: base = "floating" or "planar"')
    end
    group.axes = group.axes or g.to ~= nil and "link" or g.axes == nil and "base"
      or self:one_of(g.axes, {"base", "link", "input"}, join(path, "axes"))
    group.kind = g.kind == nil and ((g.to or g.contact) and "physical" or "artificial")
      or self:one_of(g.kind, {"artificial", "physical"}, join(path, "kind"))
    group.over = g.over == nil and "wrenches" or self:one_of(g.over, {"wrenches", "yields"}, join(path, "over"))
    group.acceleration = group.acceleration or read_acceleration(self, g, group, path)
    group.maskable = g.maskable ~= nil and self:expect(g.maskable, "boolean", join(path, "maskable"))
    local rows = g.rows
    local at_point = g.contact and not (L.realise == "optimum" and type(g.contact) == "table" and g.contact.points)
    if rows == nil then rows = at_point and {"lin_x", "lin_y", "lin_z"} or row_names end
    if on_joints then
      -- they are the joints
    elseif type(rows) == "number" then
      self:expect(rows, "number", join(path, "rows"))
      if rows ~= math.floor(rows) or rows < 1 or rows > 6 then
        self:fail(join(path, "rows"), 'group "' .. group.name .. '" asks for ' .. rows .. " free directions", "write 1 to 6, or make a second group")
      end
      if g.axes ~= nil then
        self:fail(join(path, "axes"), 'group "' .. group.name .. '" has free directions, which are given along the axes of the base', "leave axes out")
      end
      group.free, group.rows = true, {}
      for k = 1, math.tointeger(rows) do group.rows[k] = tostring(k) end
    else
      self:list(rows, join(path, "rows"), "rows, or a number of free directions")
      if #rows > 6 then self:fail(join(path, "rows"), 'group "' .. group.name .. '" has ' .. #rows .. " rows", "at most 6 per group: make a second group") end
      if #rows == 0 then self:fail(join(path, "rows"), 'group "' .. group.name .. '" has no rows', "name some, or leave the group out") end
      local seen = {}
      group.rows = {}
      for k, row in ipairs(rows) do
        local at = join(path, "rows", k)
        self:expect(row, "string", at, 'a row: "lin_x" .. "ang_z"')
        if not set(row_names)[row] then self:fail(at, 'unknown row "' .. row .. '"', suggestion(row, row_names)) end
        if seen[row] then self:fail(at, 'row "' .. row .. '" is listed twice in group "' .. group.name .. '"', "leave one out") end
        seen[row], group.rows[k] = true, row
      end
    end
    if L.realise == "optimum" then
      Optimum.read_group(self, g, group, path)
    else
      Optimum.refuse_group(self, g, path)
      group.compliance = read_compliance(self, g, group, path)
      Bounds.read_group(self, g, group, path)
    end
    groups[i] = group
  end
  return groups
end

-- What becomes of torques beyond the effort limits: "clamp" (true), "scale", or false: nothing.
local function read_saturate(self)
  local said = self.raw.saturate
  if said == nil then return false end
  if type(said) == "boolean" then return said and "clamp" end
  if type(said) ~= "string" then self:expect(said, "boolean", {"saturate"}, 'true, false, "clamp" or "scale"') end
  return self:one_of(said, {"clamp", "scale"}, {"saturate"})
end

-- Rows that the environment holds by giving way have forces that cannot be had without motion.
local function check_soft_contacts(self, chain, L)
  if L.realise ~= "motors" or (chain.nb == 0 and next(L.passive) == nil) then return end
  for i, g in ipairs(L.groups) do
    if g.compliance and g.kind == "physical" then
      self:fail({"groups", i, "compliance"}, 'physical group "' .. g.name .. '" is soft, and with realise = "motors" contacts must be rigid', 'leave compliance out there, or write realise = "anything"')
    end
  end
end

-- Limits that the layout asks for and neither it nor the URDF gives.
local function check_efforts(self, chain, L)
  local word = L.saturate and "saturate" or L.optimum and "realise"
  if not word then return end
  local without = {}
  for j = 1, chain.nj do
    if not L.effort[j] and not L.passive[j] then without[#without + 1] = '"' .. chain.joint_names[j] .. '"' end
  end
  if #without == 0 then return end
  local names = table.concat(without, ", ", 1, math.min(#without, 8)) .. (#without > 8 and " and " .. #without - 8 .. " more" or "")
  self:warn({word}, '"' .. word .. '" cannot limit the torques of ' .. (#without == 1 and "joint " or "joints ") .. names ..
    ": neither the URDF nor effort in the layout gives a limit")
end

-- Feet that nothing holds: groups of which kind is not said, at the ends of legs of a base that moves.
local function check_feet(self, chain, L)
  if chain.nb == 0 or chain.n == 0 then return end
  local legs, at, names = {}, nil, {}
  for _, limb in ipairs(Limbs.find(self.model.links, chain.frames, function(i) return chain.bodies[i].parent end, chain.n)) do
    for _, f in ipairs(limb.leg and chain.frames or {}) do
      if f.link == limb.link then legs[f.body] = true end
    end
  end
  for i, g in ipairs(L.groups) do
    if g.kind == "physical" then return end -- the author knows the word
    local said = self.raw.groups and self.raw.groups[i]
    if said and said.kind == nil and g.frame and legs[g.frame.body] then
      at = at or i
      names[#names + 1] = '"' .. g.name .. '"'
    end
  end
  if not at then return end
  local one = #names == 1
  self:warn({"groups", at}, (one and "group " or "groups ") .. table.concat(names, ", ", 1, math.min(#names, 8)) ..
    (#names > 8 and " and " .. #names - 8 .. " more" or "") .. (one and " is" or " are") ..
    ' at the end of a leg and artificial, as no kind is given: the base moves, and motors alone cannot hold feet there (the status will say UNACTUATED); ' ..
    'write kind = "physical" for a foot that stands on something, kind = "artificial" for one that swings')
end

local function read_wrenches(self, frame_of)
  local wrenches, names = {}, {}
  if self.raw.wrenches == nil then return wrenches end
  for i, w in ipairs(self:list(self.raw.wrenches, {"wrenches"}, "wrenches", most_wrenches)) do
    local path = {"wrenches", i}
    self:expect(w, "table", path, "a wrench: { name = ..., frame = ..., kind = ... }")
    self:known(w, {"name", "frame", "kind"}, path)
    if w.name == nil then self:fail(path, "wrench " .. i .. " has no name", 'give it one: name = "push"') end
    local name = self:identifier(w.name, join(path, "name"))
    if taken[name] then self:fail(join(path, "name"), 'a wrench cannot be named "' .. name .. '": another field is', "choose another name") end
    if names[name] then self:fail(join(path, "name"), 'two wrenches are named "' .. name .. '"', "give each its own name") end
    names[name] = true
    if w.frame == nil then self:fail(path, 'wrench "' .. name .. '" has no frame', "name the link it acts on: frame = ...") end
    local link = self:link(w.frame, join(path, "frame"))
    if w.kind == nil then self:fail(path, 'wrench "' .. name .. '" has no kind', 'kind = "physical" (the environment exerts it) or "artificial" (the motors shall exert it)') end
    wrenches[i] = {
      name = name, frame = frame_of(link, join(path, "frame")), frame_name = w.frame,
      kind = self:one_of(w.kind, {"physical", "artificial"}, join(path, "kind")),
    }
  end
  return wrenches
end

local function no_frames() return {acc = {}, twist = {}, pose = {}, jac = {}, acceleration = "classical"} end

local function read_outputs(self, frame_of, L)
  local raw = self.raw.outputs
  if raw == nil then return {"qdd", "nu", "tau_ctrl", "pivot_min"}, no_frames() end
  self:expect(raw, "table", {"outputs"}, "a table of outputs")
  local asked, frames, contributions, derivatives = {}, no_frames(), nil, nil
  local known = Derivatives.names(L.wrenches)
  for _, k in ipairs(sorted_keys(raw)) do
    local path = {"outputs", k}
    if type(k) == "number" then
      local name = self:expect(raw[k], "string", path, "the name of an output")
      if set(known)[name] then
        local why, remedy = Derivatives.missing(name, L)
        if why then self:fail(path, 'output "' .. name .. '" cannot be made: ' .. why, remedy) end
        derivatives = derivatives or {}
        derivatives[name] = true
      elseif not set(output_names)[name] then
        if name ~= "acceleration" and frames[name] then self:fail(path, 'output "' .. name .. '" needs frames', name .. ' = { "' .. self.model.links[#self.model.links].name .. '" }') end
        self:fail(path, 'unknown output "' .. name .. '"', suggestion(name, table.move(known, 1, #known, #output_names + 1, table.move(output_names, 1, #output_names, 1, {}))))
      end
      if asked[name] then self:fail(path, 'output "' .. name .. '" is listed twice', "leave one out") end
      asked[name] = true
    elseif k == "contributions" then
      contributions = {}
      for _, name in ipairs(self:each_once(raw[k], path, "outputs", function(name, at) return self:one_of(name, {"qdd", "nu", "tau_ctrl"}, at) end)) do
        contributions[name] = true
      end
    elseif k == "acceleration" then
      frames.acceleration = self:one_of(raw[k], {"classical", "spatial"}, path)
    elseif frames[k] then
      frames[k] = self:each_once(raw[k], path, "frames", function(name, at)
        local link, l = self:link(name, at)
        return {name = name, id = l.id, frame = frame_of(link, at)}
      end)
    else
      self:known({[k] = true}, {"acc", "twist", "pose", "jac", "acceleration", "contributions"}, {"outputs"})
    end
  end
  local list = {} -- in one order, whatever the layout's
  for _, name in ipairs(output_names) do
    if asked[name] then list[#list + 1] = name end
  end
  return list, frames, contributions, derivatives
end

-- The output "bound" is for solves whose exact answer is that of the equations of motion with what comes in, and of a robot whose
-- inertias are known.
local function check_bound(self, L)
  local at
  for k, name in pairs(self.raw.outputs or {}) do
    if name == "bound" then at = {"outputs", k} end
  end
  if not at then return end
  local function refuse(what, remedy) self:fail(at, '"bound" ' .. what, remedy) end
  local alone = "leave one of them out"
  if L.bounded then refuse("cannot be used with bounded rows", "leave it out: achd_mclp_check tells how good nu is") end
  if L.saturate then refuse("cannot be used with saturate: it bounds the errors of the motion that is asked for, and clamped torques cause another one", alone) end
  if L.realise ~= "anything" then refuse('cannot be used with realise = "' .. L.realise .. '"', "leave one of them out") end
  for _, g in ipairs(L.groups) do
    if g.over == "yields" then refuse('cannot be used with rows that yield: what they ask for is itself a result', alone) end
    if g.to then refuse("cannot be used with rows between two frames", alone) end
    if g.compliance then refuse("cannot be used with soft rows", alone) end
  end
  if #L.inertia_inputs > 0 then refuse("needs inertias that are known when the header is made, and inertia_inputs gives some at run time", alone) end
  for _, p in ipairs(L.payloads) do
    if p.at_run_time then refuse("needs inertias that are known when the header is made, and the payload comes at run time", alone) end
  end
end

-- The frames of fk (pose), fvk (twist), fak (acc), jac and jdqd (jac): those that `outputs` names, else
-- those of the groups, else the ends of the limbs, else the leaves.
local function family_frames(self, chain, L)
  local default, seen, has_child = {}, {}, {}
  for _, g in ipairs(L.groups) do
    if g.frame and not seen[g.frame.link] then
      default[#default + 1] = g.frame
      seen[g.frame.link] = true
    end
  end
  for _, f in ipairs(chain.frames) do has_child[self.model.links[f.link].parent] = true end
  for _, f in ipairs(#L.groups == 0 and L.default_frames or {}) do default[#default + 1] = f end
  for _, f in ipairs(#default == 0 and chain.frames or {}) do
    if not has_child[f.link] and (f.body > 0 or chain.n == 0) then default[#default + 1] = f end
  end
  for k, f in ipairs(default) do
    local link = self.model.links[f.link]
    default[k] = {name = link.name, id = link.id, frame = f}
  end
  local family = {acceleration = L.frame_outputs.acceleration}
  for _, word in ipairs {"pose", "twist", "acc", "jac"} do
    family[word] = #L.frame_outputs[word] > 0 and L.frame_outputs[word] or default
  end
  return family
end

-- What a check of the numbers (check.c) needs beside what the layout asks for: the outputs that make the
-- equations, and the frames of groups and wrenches throughout the family.
function Layout.widen(s, chain, L)
  local asked, all = set(L.outputs), {}
  for _, name in ipairs {"qdd", "nu", "tau_ctrl", "pivot_min"} do asked[name] = true end
  if #L.joint_groups > 0 then asked.tau_friction = true end -- viscous friction
  for _, name in ipairs(output_names) do
    if asked[name] then all[#all + 1] = name end
  end
  L.outputs = all
  local users = {}
  for _, g in ipairs(L.groups) do
    if g.frame then users[#users + 1] = g end
    if g.to then users[#users + 1] = {frame = g.to} end
  end
  for _, w in ipairs(L.wrenches) do
    if w.frame.body > 0 or chain.nb > 0 then users[#users + 1] = w end
  end
  L.family = family_frames(s.reader, chain, {groups = users, frame_outputs = no_frames()})
end

-- {m, h, I} of a link's own inertial, as a flat list.
local function own_inertia(link)
  local own = spatial.about_origin(link.mass, link.com, link.central)
  return {own.m, own.h[1], own.h[2], own.h[3], table.unpack(own.I)}
end

-- Joints and rows share one name space in C with what the header defines itself: NAME_JOINT, NAME_GROUP_ROW.
local own_enumerators = {
  "NJ", "NR", "OK", "DO_NOT_COMMAND", "VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "JOINT_NAMES", "IMPLEMENTATION", "LIBM", "ANGLES", "IN_RANGE", "SIZE", "K", "LOAD", "STORE", "SELECT", "PROBE", "PROBE_EXP",
  table.unpack(ag.status_names),
}
for _, name in ipairs(ag.functions) do
  for _, macro in ipairs {"_H", "_IMPLEMENTED", "_SHAPE", "_IN_DEFAULT", "_SPARSITY"} do own_enumerators[#own_enumerators + 1] = (name .. macro):upper() end
end
local of_moving_base = {
  "NB", "NV", "BASE_X", "BASE_Y", "BASE_YAW", "BASE_LIN_X", "BASE_LIN_Y", "BASE_LIN_Z", "BASE_ANG_X", "BASE_ANG_Y", "BASE_ANG_Z",
}
local function check_enumerators(self, chain, L)
  local own, joints = set(own_enumerators), {}
  for _, name in ipairs(chain.nb > 0 and of_moving_base or {}) do own[name] = true end
  for _, i in ipairs(chain.leader) do
    local upper = chain.bodies[i].link.joint.id:upper()
    for _, limit in ipairs {"LOWER_", "UPPER_", "VELOCITY_", "EFFORT_"} do own[limit .. upper] = true end
  end
  for _, i in ipairs(chain.leader) do
    local joint = chain.bodies[i].link.joint
    local upper = joint.id:upper()
    if own[upper] then
      ag.fail_model(joint.line, 'the name of joint "' .. joint.name .. '" becomes ' .. upper .. ", which the headers use for themselves", "rename the joint")
    end
    joints[upper] = joint.name
  end
  for _, g in ipairs(L.joint_groups) do
    for _, row in ipairs(g.rows) do
      local upper = (g.name .. "_" .. row):upper()
      if joints[upper] then ag.fail_model(0, 'joint "' .. joints[upper] .. '" and row "' .. row .. '" of ' .. g.name .. " both become " .. upper, "rename the joint") end
    end
  end
  for i, g in ipairs(L.groups) do
    for _, row in ipairs(g.rows) do
      local upper = (g.name .. "_" .. row):upper()
      if joints[upper] then
        self:fail({"groups", i, "name"}, 'row "' .. row .. '" of group "' .. g.name .. '" and joint "' .. joints[upper] .. '" both become ' .. upper, "give the group another name")
      end
    end
  end
end

local function check_ties(self, chain, groups)
  local row = Tie.redundant(chain, groups)
  if not row then return end
  local at
  for i, g in ipairs(groups) do
    if g == row.group then at = i end
  end
  local g, name = row.group, row.group.rows[row.k]
  local why = row.alone and "no joint moves \"" .. g.to_name .. '" relative to "' .. g.frame_name .. '" along it'
    or "it follows from the rows before it"
  self:fail({"groups", at, "rows", row.k}, 'row "' .. name .. '" of tie "' .. g.name .. '" is redundant: ' .. why, "leave the row out")
end

-- The names of what has a contribution of its own (contributions.lua), in order.
local function source_names(L)
  local names = {"gravity", "velocity", "feed_forward"}
  for _, w in ipairs(L.wrenches) do names[#names + 1] = w.name end
  for _, g in ipairs(L.groups) do names[#names + 1] = g.name end
  return names
end

-- They are fields that need names of their own.
local function check_sources(self, L)
  local seen = {}
  for _, name in ipairs(source_names(L)) do
    if seen[name] then
      self:fail({"outputs", "contributions"}, 'two sources of contributions are named "' .. name .. '"', "give groups and wrenches names of their own, other than gravity, velocity, feed_forward")
    end
    seen[name] = true
  end
end

-- The rest, with the tree in the generator's frames.
function Layout.resolve(s, chain)
  local self, raw, model = s.reader, s.reader.raw, s.reader.model
  local by_link, body_of = {}, {}
  for _, f in ipairs(chain.frames) do by_link[f.link] = f end
  for i = 1, chain.n do body_of[chain.bodies[i].link_index] = i end
  local function frame_of(link, path)
    local f = by_link[link]
    if not f then
      self:fail(path or {}, 'link "' .. model.links[link].name .. '" is not in the part of the robot that root and tips select', "select it, or name another")
    end
    return f
  end
  -- {[link] = number} to {[body] = number}
  local function by_body(numbers, word)
    local r = {}
    for _, link in ipairs(sorted_keys(numbers or {})) do
      local i = body_of[link]
      if not i then
        self:fail({word, model.links[link].joint.name}, 'joint "' .. model.links[link].joint.name .. '" of "' .. word .. '" does not move in this layout', "leave it out, or select it")
      end
      r[i] = numbers[link]
    end
    return r
  end

  local L = {gravity = "input", torques = {}, passive = {}, effort = {}, inertia_inputs = {}}
  if raw.gravity ~= nil and raw.gravity ~= "input" then
    self:list(raw.gravity, {"gravity"}, 'three numbers, or "input"')
    if #raw.gravity ~= 3 then self:fail({"gravity"}, '"gravity" has ' .. #raw.gravity .. " components", "write three: { 0, 0, -9.81 }") end
    L.gravity = {}
    for k = 1, 3 do L.gravity[k] = self:expect(raw.gravity[k], "number", {"gravity", k}) end
    check_gravity(self, L.gravity)
  end
  L.armature = raw.armature == "input" and "input" or by_body(s.armature_values, "armature")
  -- a joint that mimics another has no motor of its own: which joint body i is of
  local function own_joint(i, path)
    local name = chain.bodies[i].link.joint.name
    if chain.leader[chain.joint_of[i]] ~= i then
      self:fail(path, 'joint "' .. name .. '" mimics another', 'name the joint that leads, "' .. chain.joint_names[chain.joint_of[i]] .. '"')
    end
    return chain.joint_of[i]
  end
  for j = 1, chain.nj do L.effort[j] = chain.bodies[chain.leader[j]].link.joint.effort end
  local effort = by_body(self:joint_numbers(raw.effort, {"effort"}), "effort")
  for _, i in ipairs(sorted_keys(effort)) do
    local name = chain.bodies[i].link.joint.name
    if effort[i] <= 0 then
      self:fail({"effort", name}, 'the effort limit of joint "' .. name .. '" is not positive', "give the joint's largest torque or force, or leave it out for none")
    end
    L.effort[own_joint(i, {"effort", name})] = effort[i]
  end
  local function named_joint(name, at)
    local i = body_of[self:joint(name, at)]
    if not i then self:fail(at, 'joint "' .. name .. '" does not move in this layout', "leave it out") end
    return own_joint(i, at)
  end
  for _, j in ipairs(self:each_once(raw.passive, {"passive"}, "joints", named_joint)) do L.passive[j] = true end
  for k, name in ipairs(raw.inertia_inputs or {}) do
    local link, l = self:link(name, {"inertia_inputs", k})
    L.inertia_inputs[k] = {name = name, id = l.id, frame = frame_of(link, {"inertia_inputs", k}), default = own_inertia(l)}
  end
  if raw.torques ~= nil then
    self:expect(raw.torques, "table", {"torques"}, "a table: { physical = true, artificial = true }")
    self:known(raw.torques, {"physical", "artificial"}, {"torques"})
    for _, k in ipairs {"physical", "artificial"} do
      if raw.torques[k] ~= nil then L.torques[k] = self:expect(raw.torques[k], "boolean", {"torques", k}) end
    end
  end
  L.payloads = s.payloads
  for _, p in ipairs(L.payloads) do
    p.frame = frame_of(p.link, join(p.path, "frame"))
    if p.frame.body == 0 and s.base == "fixed" then
      self:fail(join(p.path, "frame"), 'payload "' .. p.name .. '" is fixed to "' .. p.frame_name .. '", which does not move', "name a link that a joint moves, or leave it out")
    end
  end
  L.saturate = read_saturate(self)
  L.realise = raw.realise == nil and "anything" or self:one_of(raw.realise, {"anything", "motors", "optimum"}, {"realise"})
  L.optimum = L.realise == "optimum"
  check_efforts(self, chain, L)
  L.wrenches = read_wrenches(self, frame_of)
  for _, p in ipairs(L.payloads) do
    for i, w in ipairs(L.wrenches) do
      if w.name == p.name then self:fail({"wrenches", i, "name"}, 'a wrench and a payload are named "' .. w.name .. '"', "give each its own name") end
    end
  end
  L.groups = read_groups(self, chain, frame_of, named_joint, L)
  Bounds.read(self, chain, L, named_joint)
  check_soft_contacts(self, chain, L)
  check_feet(self, chain, L)
  L.singularity = raw.singularity == nil and "damp" or self:one_of(raw.singularity, {"damp", "drop", "truncate"}, {"singularity"})
  local nrows = 0
  for _, g in ipairs(L.groups) do nrows = nrows + #g.rows end
  if nrows > most_rows then
    self:fail({"groups"}, nrows .. " rows are too many for straight-line code", "ask for " .. most_rows .. " at most")
  end
  check_enumerators(self, chain, L)
  check_ties(self, chain, L.groups)
  if L.singularity == "truncate" and nrows > 6 then
    self:fail({"singularity"}, '"truncate" can be used with at most 6 rows, and there are ' .. nrows, 'use singularity = "damp" or "drop", or fewer rows')
  end
  L.default_threshold = raw.singular_threshold == nil
  if raw.singular_threshold ~= nil then
    L.singular_threshold = self:expect(raw.singular_threshold, "number", {"singular_threshold"})
    if L.singular_threshold <= 0 or L.singular_threshold >= 1 then
      self:fail({"singular_threshold"}, '"singular_threshold" is ' .. raw.singular_threshold, "give a relative pivot between 0 and 1: 1e-6")
    end
  end
  L.outputs, L.frame_outputs, L.contributions, L.derivatives = read_outputs(self, frame_of, L)
  if L.saturate == "scale" then
    if raw.outputs == nil then L.outputs[#L.outputs + 1] = "scale" end
  else
    for k, o in pairs(raw.outputs or {}) do
      if o == "scale" then self:fail({"outputs", k}, 'the output "scale" is only there with saturate = "scale"', 'write saturate = "scale", or leave it out') end
    end
  end
  L.orientation = raw.orientation or "quaternion"
  if L.contributions then check_sources(self, L) end
  Bounds.check_outputs(self, L)
  check_bound(self, L)
  L.family = family_frames(self, chain, L)
  function L.fail(what, remedy) self:fail({}, what, remedy) end
  -- A struct without a field is no C.
  function L.no_output()
    self:fail({"outputs"}, '"outputs" names no output', 'name some: outputs = { "qdd", "tau_ctrl" }')
  end
  return L
end

-- For descriptions of other things (machine.lua).
Reader.join, Reader.suggestion, Reader.spelled, Reader.taken = join, suggestion, spelled, taken
Layout.Reader = Reader

return Layout
