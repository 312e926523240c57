-- SPDX-License-Identifier: MIT
-- matrices.lua: derivatives as outputs: matrices over the coordinates, along the axes of the world where the base
-- moves, and the columns of what acts from outside.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local Derivatives = require "derivatives"
local Branches = require "branches"

local Matrices = {}

-- What the layout asks for of a function whose derivatives are those of `ofs` (and M, with tau): a test of(of, by).
-- Where it names none of them, the function gives all.
function Matrices.asked(state, ofs)
  local asked, any = state.layout.derivatives or {}, false
  for name in pairs(asked) do
    for _, of in ipairs(ofs) do
      any = any or name:find("d" .. of .. "_d", 1, true) == 1 or name == "M" and of == "tau"
    end
  end
  return function(of, by)
    if not any then return true end
    return asked[by and "d" .. of .. "_d" .. by or of] or false
  end
end

-- A matrix over the coordinates with its rows (their base part) and columns, those of q or qd, along the world's axes.
function Matrices.outward(state, M, rows, columns)
  local base, nb = state.base, state.chain.nb
  if not base then return M end
  local R = {}
  for i, row in ipairs(M) do
    R[i] = table.move(row, 1, #row, 1, {})
    if columns then table.move(base:outward(row), 1, nb, 1, R[i]) end
  end
  for j = 1, rows and #R[1] or 0 do
    local x = {}
    for i = 1, nb do x[i] = R[i][j] end
    for i, y in ipairs(base:outward(x)) do R[i][j] = y end
  end
  return R
end

function Matrices.zero(rows, columns)
  local Z = {}
  for i = 1, rows do
    Z[i] = {}
    for j = 1, columns or rows do Z[i][j] = 0 end
  end
  return Z
end

-- A list of ones.
function Matrices.ones(n)
  local list = {}
  for i = 1, n do list[i] = 1 end
  return list
end

function Matrices.unit(n)
  local I = Matrices.zero(n)
  for i = 1, n do I[i][i] = 1 end
  return I
end

function Matrices.product(A, B)
  local P, columns = {}, Matrices.transpose(B)
  for i, row in ipairs(A) do
    P[i] = {}
    for j, column in ipairs(columns) do P[i][j] = scalar.dot(row, column) end
  end
  return P
end

function Matrices.scale(s, A)
  local P = {}
  for i, row in ipairs(A) do
    P[i] = {}
    for j, x in ipairs(row) do P[i][j] = s * x end
  end
  return P
end

function Matrices.add(A, B)
  local P = {}
  for i, row in ipairs(A) do
    P[i] = {}
    for j, x in ipairs(row) do P[i][j] = x + B[i][j] end
  end
  return P
end

-- A + B; nil: zero.
function Matrices.plus(A, B)
  if not A or not B then return A or B end
  return Matrices.add(A, B)
end

function Matrices.transpose(A)
  local T = {}
  for j = 1, #A[1] do
    T[j] = {}
    for i = 1, #A do T[j][i] = A[i][j] end
  end
  return T
end

-- The columns of the coordinates that are joints.
function Matrices.of_joints(state, A)
  local nb, P = state.chain.nb, {}
  for i, row in ipairs(A) do P[i] = table.move(row, nb + 1, nb + state.chain.nj, 1, {}) end
  return P
end

-- M^-1 from the factors of M, and a function of X and sign: sign times M^-1 X.
function Matrices.inverse(robot, factor)
  if robot.nb == 6 and robot.n > 0 and #robot.chain.linkages == 0 then
    local branches = Branches.new(robot, factor)
    return branches:inverse(), function(X, sign) return branches:solve_columns(X, sign) end
  end
  local inverse, N = factor:inverse()
  return inverse, function(X, sign)
    local columns = factor:solve_columns(inverse, N, X)
    return sign == 1 and columns or Matrices.scale(sign, columns)
  end
end

-- The lower triangle of M with armature by coordinate, as a full matrix.
function Matrices.full(M)
  local F = {}
  for i = 1, #M do F[i] = {} end
  for i = 1, #M do
    for j = 1, i do F[i][j], F[j][i] = M[i][j], M[i][j] end
  end
  return F
end

-- The lower triangle of a matrix by rows, as a list.
function Matrices.packed(M)
  local values = {}
  for i, row in ipairs(M) do table.move(row, 1, i, #values + 1, values) end
  return values
end

-- J^T of a given wrench: [coordinate][component], components along the axes of the world.
function Matrices.wrench_columns(state, w)
  local columns = {}
  for k = 1, 6 do
    local unit = {0, 0, 0, 0, 0, 0}
    unit[k] = 1
    local given = {}
    if w.frame.body > 0 or state.base then
      local f, n = spatial.vector {unit[1], unit[2], unit[3]}, spatial.vector {unit[4], unit[5], unit[6]}
      given[w.frame.body] = state:wrench_on_body({frame = w.frame, f = f, n = n})
    end
    columns[k] = motion.joint_forces(state.robot, given, "by the wrench " .. w.name .. ": ")
  end
  return Matrices.transpose(columns)
end

-- By body, what Derivatives.held tells of the given wrenches of a kind, or of one of them: `which`.
function Matrices.held(state, which)
  local held = {}
  for _, w in ipairs(state.wrenches) do
    local body = w.frame.body
    if (w.kind == which or w == which) and (body > 0 or state.base) then
      local on = state:wrench_on_body(w)
      held[body] = Derivatives.add_held(held[body], Derivatives.held(on.f, on.n, w.frame.p))
    end
  end
  return held
end

-- Whether a variant stops here, in a race (main.lua) by the operations up to the products with M^-1, of which all take
-- the same. run: of the race, nil where there is none; by: derivatives of the forces by q and qd.
function Matrices.stops(run, asked, state, vdot, by)
  if not run then return false end
  local lists = {vdot}
  for _, x in ipairs {"q", "qd"} do
    if asked("qdd", x) then table.move(by[x], 1, #by[x], #lists + 1, lists) end
  end
  for _, w in ipairs(state.wrenches) do
    if asked("qdd", w.name) then
      for _, row in ipairs(Matrices.wrench_columns(state, w)) do lists[#lists + 1] = row end
    end
  end
  run.operations = ag.operations_of(table.unpack(lists))
  run.stopped = not run.last or run.operations >= run.least
  return run.stopped
end

return Matrices
