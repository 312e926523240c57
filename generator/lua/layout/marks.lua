-- SPDX-License-Identifier: MIT
-- marks.lua: what a layout attaches to links and to the joints that carry them, for drawings and checks:
-- ag.mark{kind, link, name, text, axes, to, physical, spatial, yields} (ag_mark in program.h).

local function number(x) return string.format("%.6g", x) end

-- Of rows on joints: a mark at the first joint's link, and at every joint which row is its own.
local function joint_group(chain, g)
  local links = {}
  for k, j in ipairs(g.joints) do links[k] = chain.bodies[chain.leader[j]].link_index end
  ag.mark{kind = "group", link = links[1], name = g.name, text = "along " .. table.concat(g.called, ", "),
    axes = "joint",
          physical = g.kind == "physical", yields = g.over == "yields"}
  for k, link in ipairs(links) do ag.mark{kind = "joint", link = link, text = "row " .. k .. " of " .. g.name} end
end

local function groups(layout, chain, base_name)
  for _, g in ipairs(layout.groups) do
    if g.joints then
      joint_group(chain, g)
      goto continue
    end
    local axes = g.free and "free" or g.axes
    local text = g.to and "tie of {" .. g.to_name .. "} to it" or ({
      base = "axes of " .. base_name, link = "axes of {" .. g.frame_name .. "}",
      input = "axes given at run time", free = "directions given at run time",
    })[axes] .. ", " .. g.acceleration
    ag.mark{kind = "group", link = g.frame.link, name = g.name, text = text, axes = axes, to = g.to and g.to.link,
            physical = g.kind == "physical", spatial = g.acceleration == "spatial", yields = g.over == "yields"}
    ::continue::
  end
end

local function wrenches(layout)
  for _, w in ipairs(layout.wrenches) do
    local physical = w.kind == "physical"
    ag.mark{kind = "wrench", link = w.frame.link, name = w.name, physical = physical,
            text = physical and "acts" or "the motors exert it"}
  end
end

local function joints(model, selection, chain, layout)
  for k, link in ipairs(model.links) do
    if selection.locked[k] then
      local unit = link.joint.type == "prismatic" and " m" or " rad"
      ag.mark{kind = "joint", link = k, text = "locked at " .. number(selection.locked[k]) .. unit}
    end
  end
  for i, b in ipairs(chain.bodies) do
    local function mark(text) ag.mark{kind = "joint", link = b.link_index, text = text} end
    local j = chain.joint_of[i]
    local leads = chain.leader[j] == i
    if chain.dependent[i] then
      mark("dependent: its linkage moves it")
    elseif not leads then
      mark(string.format("= %s %s %+g", number(chain.ratio[i]), chain.joint_names[j], chain.offset[i]))
    end
    if leads and layout.passive[j] then mark("passive: no motor") end
    if leads and layout.effort[j] and layout.effort[j] ~= b.link.joint.effort then
      mark("effort by the layout: " .. number(layout.effort[j]) .. (b.prismatic and " N" or " N m"))
    end
    local d = layout.armature ~= "input" and layout.armature[i] or 0
    if d ~= 0 then mark("armature " .. number(d) .. (b.prismatic and " kg" or " kg m^2")) end
  end
end

local function frames(layout)
  for _, g in ipairs(layout.groups) do
    if g.to then ag.mark{kind = "frame", link = g.to.link, text = "tied by " .. g.name} end
  end
  for _, l in ipairs(layout.inertia_inputs) do
    ag.mark{kind = "frame", link = l.frame.link, text = "inertia at run time"}
  end
  for _, p in ipairs(layout.payloads) do
    local mass = p.mass == "input" and "at run time" or number(p.mass) .. " kg"
    ag.mark{kind = "frame", link = p.link,
      text = (p.name == "payload" and "payload " or "payload " .. p.name .. " ") .. mass}
  end
  for _, word in ipairs {"pose", "twist", "acc"} do
    for _, f in ipairs(layout.frame_outputs[word]) do
      ag.mark{kind = "frame", link = f.frame.link, text = word .. " put out"}
    end
  end
end

return function(model, selection, chain, layout)
  groups(layout, chain, chain.nb > 0 and "the world" or "{" .. model.links[chain.frames[1].link].name .. "}")
  wrenches(layout)
  joints(model, selection, chain, layout)
  frames(layout)
end
