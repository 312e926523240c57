-- SPDX-License-Identifier: MIT
-- exact.lua: what the rounded numbers of a robot stand for, exactly (base/field.h). Here the exact robot begins: it is
-- the robot in the generator's own frames, to the rounding of the doubles that were computed for these.
--
-- Masses, lengths, inertias are the dyadic rationals that their doubles are. Angles are exact points of the circle, so
-- rotations are exactly orthogonal. Of a body's offset and arm, p = Rz(gamma) Rx(alpha) arm, one follows from the
-- other: the one that keeps the zeros of both.

local scalar = require "scalar"
local spatial = require "spatial"
local Gears = require "gears"

local Exact = {}

-- Numbers of a list, or of a table, by the keys given.
function Exact.list(list)
  local r = {}
  for k, x in pairs(list) do r[k] = scalar.exact(x) end
  return r
end

function Exact.vector(v) return spatial.vector(Exact.list(v)) end

local function zeros_agree(rounded, exact)
  for k = 1, 3 do
    if rounded[k] == 0 and not scalar.is_zero(ag.rounded(rounded[k], exact[k])) then return false end
  end
  return true
end

local function round_to(rounded, exact)
  local r = {}
  for k = 1, 3 do r[k] = ag.rounded(rounded[k], exact[k]) end
  return spatial.vector(r)
end

-- Rotations of the axes x y z -> y z x; a rotation stays one where rows or columns are so exchanged.
local function next_of(k, by) return (k - 1 + by) % 3 + 1 end

-- An exact rotation for a rounded one, R = Rz(gamma) Rx(alpha) Rz(theta) after an exchange of axes that brings an
-- element 1 or -1, else a 0, to row and column 3: so what is 0 or 1 stays so.
function Exact.rotation(R)
  local row, column
  for _, wanted in ipairs {1, 0} do
    for i = 1, 3 do
      for j = 1, 3 do
        if not row and math.abs(R[i][j]) == wanted then row, column = i, j end
      end
    end
  end
  row, column = row or 3, column or 3
  local T = {}
  for i = 1, 3 do
    T[i] = {}
    for j = 1, 3 do T[i][j] = R[next_of(i, row)][next_of(j, column)] end
  end
  local sa = math.sqrt(T[1][3] * T[1][3] + T[2][3] * T[2][3])
  local cg, sg, ct, st = 1, 0, nil, nil
  if sa > 0 then cg, sg = -T[2][3] / sa, T[1][3] / sa end
  if sa > 0 then ct, st = T[3][2] / sa, T[3][1] / sa else ct, st = T[1][1], T[3][3] * T[2][1] end
  local ca
  cg, sg = ag.circle(cg, sg)
  ca, sa = ag.circle(T[3][3], sa)
  ct, st = ag.circle(ct, st)
  local E = {
    {cg * ct - sg * ca * st, -cg * st - sg * ca * ct, sg * sa},
    {sg * ct + cg * ca * st, -sg * st + cg * ca * ct, -cg * sa},
    {sa * st, sa * ct, ca},
  }
  local result = {{}, {}, {}}
  for i = 1, 3 do
    for j = 1, 3 do
      result[next_of(i, row)][next_of(j, column)] = ag.rounded(T[i][j], E[i][j])
    end
  end
  return spatial.matrix(result)
end

-- An inertia {m, h, I}. Where a rotational inertia is that of a flat body to the bit, it is exactly so.
function Exact.inertia(inertia)
  local I = Exact.list(inertia.I)
  for _, of in ipairs {{6, 1, 4}, {4, 1, 6}, {1, 4, 6}} do
    local sum, a, b = of[1], of[2], of[3]
    if inertia.I[a] + inertia.I[b] == inertia.I[sum] then
      I[sum] = ag.rounded(inertia.I[sum], I[a] + I[b])
      break
    end
  end
  return {m = scalar.exact(inertia.m), h = Exact.vector(inertia.h), I = I}
end

-- The numbers of a layout that are multiplied by each other, and of joints that mimic, in place.
function Exact.layout(layout, chains)
  if layout.gravity ~= "input" then layout.gravity = Exact.vector(layout.gravity) end
  if layout.armature ~= "input" then layout.armature = Exact.list(layout.armature) end
  for _, g in ipairs(layout.joint_groups) do
    for _, word in ipairs {"coulomb", "viscous", "acceleration", "velocity"} do
      if type(g[word]) == "table" then g[word] = Exact.list(g[word]) end
    end
    for _, word in ipairs {"rate", "margin", "step"} do g[word] = g[word] and scalar.exact(g[word]) end
  end
  for _, p in ipairs(layout.payloads) do
    if p.mass ~= "input" then p.mass = scalar.exact(p.mass) end
    if p.com ~= "input" then p.com = Exact.vector(p.com) end
    if p.inertia ~= "input" then p.inertia = Exact.list(p.inertia) end
  end
  for _, chain in pairs(chains) do
    chain.ratio, chain.offset = Exact.list(chain.ratio), Exact.list(chain.offset)
  end
  for _, m in ipairs(layout.motors or {}) do
    m.of = Exact.list(m.of)
    for _, word in ipairs {"inertia", "viscous", "coulomb"} do m[word] = scalar.exact(m[word]) end
  end
  if layout.motors then layout.gears = Gears.new(chains.link, layout.motors) end
end

-- The chain of frames.lua, in place.
function Exact.chain(chain)
  for i = 0, chain.n do
    local b = chain.bodies[i]
    b.inertia = Exact.inertia(b.inertia)
    b.whole_inertia = b.inertia
    if i > 0 then
      b.cg, b.sg = ag.circle(b.cg, b.sg)
      b.ca, b.sa = ag.circle(b.ca, b.sa)
      b.ct, b.st = ag.circle(b.ct, b.st)
      b.axis = spatial.vector {b.sg * b.sa, -b.cg * b.sa, b.ca}
      if b.before then b.before, b.after = Exact.rotation(b.before), Exact.rotation(b.after) end
      local arm, p = Exact.vector(b.arm), Exact.vector(b.p)
      local p_of = spatial.rz(b.cg, b.sg, spatial.rx(b.ca, b.sa, arm))
      local arm_of = spatial.rx(b.ca, -b.sa, spatial.rz(b.cg, -b.sg, p))
      if not zeros_agree(b.p, p_of) and zeros_agree(b.arm, arm_of) then
        b.p, b.arm = p, round_to(b.arm, arm_of)
      else
        b.p, b.arm = round_to(b.p, p_of), arm
      end
    end
  end
  for _, f in ipairs(chain.frames) do
    f.p, f.R = Exact.vector(f.p), Exact.rotation(f.R)
  end
end

return Exact
