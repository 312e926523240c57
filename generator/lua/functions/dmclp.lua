-- SPDX-License-Identifier: MIT
-- dmclp.lua: how the solution of bounded rows changes, on the active set that achd_mclp found.
--
-- Rows between their bounds, F, hold as equalities; those at a bound, B, push with what the bound is. With
-- M vdot + h - J^T nu = tau of all of them and seen(vdot) + c nu = b of F,
--     M dvdot - J_F^T dnu_F = x + J_B^T dnu_B,   J_F dvdot + c dnu_F = y
-- with x and y as in implicit.lua. dnu_B is zero but for contacts that slide, nu = -mu F v / |v|, whose direction turns
-- with the velocity. b of joint limits depends on the position and the speed of the joint.
-- That is the derivative where no row is about to reach or to leave a bound; there it is the one of a side.

local scalar = require "scalar"
local constraints = require "constraints"
local State = require "state"
local Matrices = require "matrices"
local RowBounds = require "row_bounds"
local Implicit = require "implicit"
local Achd = require "achd"
local Mclp = require("mclp").mclp
local Dachd = require("dachd").dachd

local D = {
  doc = "The derivatives of the solution of bounded rows, on the active set that achd_mclp found: what joint " ..
    "accelerations, constraint forces and torques to command change by per q, qd, torque, set-point and wrench.",
  variants = Dachd.variants,
}

function D.refused(context)
  for _, g in ipairs(context.layout.torques.artificial and context.layout.joint_groups or {}) do
    if g.effort then
      return {what = "dmclp has no derivatives of limits whose effort tau_art takes a part of",
        remedy = "leave dmclp out, or effort of limits, or artificial of torques"}
    end
  end
end

-- Relative pivots below this are of rows in F that depend on others; of rows that depend exactly the square of rounding
-- is left.
local function threshold(single) return single and 1e-6 or 1e-12 end

-- Which rows are between their bounds, as 1 and 0: those on neither side, and those on a side that has no bound; and a
-- condition:
-- a side means nothing.
local function between_bounds(state, p, side)
  ag.region("rows between their bounds", "between")
  local none, free, bad = ag.no_bound(state.single), {}, false
  for j = 1, #p.rows do
    local inside, low, high = scalar.eq(side[j], 0), scalar.eq(side[j], -1), scalar.eq(side[j], 1)
    bad = scalar.lor(bad, scalar.lnot(scalar.lor(inside, scalar.lor(low, high))))
    local below, above = scalar.lt(-none, p.lo[j]), scalar.lt(p.hi[j], none)
    for _, bounded in ipairs {below, above} do scalar.no_bound(bounded, none) end
    local without = scalar.lor(scalar.land(low, scalar.lnot(below)), scalar.land(high, scalar.lnot(above)))
    free[j] = scalar.select(scalar.land(scalar.lor(inside, without), scalar.lt(p.lo[j], p.hi[j])), 1, 0)
  end
  return free, bad
end

-- x with J_B^T dnu_B, and dnu_B added to dnu.
local function plus_forces(J, x, of_bound)
  if next(of_bound) == nil then return x end
  local sum = {}
  for i = 1, #x do
    sum[i] = table.move(x[i], 1, #x[i], 1, {})
    for j = 1, #J do
      for c = 1, of_bound[j] and #sum[i] or 0 do sum[i][c] = sum[i][c] + J[j][i] * of_bound[j][c] end
    end
  end
  return sum
end
local function plus_bounds(nu_by, of_bound)
  for j = 1, #nu_by do
    for c = 1, of_bound[j] and #nu_by[j] or 0 do nu_by[j][c] = nu_by[j][c] + of_bound[j][c] end
  end
end

-- What rows along joints ask for beside constant accelerations: -db of limits.
local function add_limits(state, rows, seen)
  local nv = state.chain.nb + state.chain.nj
  for j = #state.rows + 1, #rows do
    seen[j] = {q = Matrices.zero(1, nv)[1], qd = Matrices.zero(1, nv)[1]}
    local slope, along = rows[j].b_slope and rows[j].b_slope(), rows[j].along
    for i = 1, slope and state.chain.nj or 0 do
      local share, c = along and along[i] or i == rows[j].joint and 1 or 0, state.chain.nb + i
      if not scalar.is_zero(share) then
        seen[j].q[c], seen[j].qd[c] = -(share * slope.q), -(share * slope.qd)
      end
    end
  end
end

function D.program(context, variant)
  local state = State.new(context, variant, {
    qd = true, gravity = true, tau = true, wrenches = true, rows = true, armature = true, inertia = true, bounds = true,
  })
  local n, nb = state.chain.nj, state.chain.nb
  for _, w in ipairs(state.wrenches) do
    if w.name == "nu" or w.name == "side" then
      context.layout.fail('the wrench "' .. w.name .. '" is named like an input of dmclp', "choose another name")
    end
  end
  local nu, side = state:read_answer()
  local p = Mclp.problem(state, "joint")
  local rows, k, J, form, inv = p.rows, p.k, p.J, p.free.form, p.free.form.inv
  local free, bad = between_bounds(state, p, side)
  local scales = constraints.scales(state.chain, rows, k, inv, constraints.reach_threshold(state.single))
  local system = constraints.system({
    k = k, inv = inv, masks = free, soft = p.soft, scales = scales, policy = "drop",
    threshold = threshold(state.single),
    single = state.single,
  }, p.free.u, {})
  local demand = Achd.steps.demanded(state, rows, J, nu, p.free.own)
  local vdot = form:accelerate(Achd.steps.plus_rows(p.free.u, k, nu))

  local set_points = #state.rows
  for _, row in ipairs(rows) do
    if row.joint and row.group.given_b then set_points = set_points + 1 end
  end
  local implicit = Implicit.new(state,
    {rows = rows, k = k, J = J, form = form, free = p.free, drivers = p.drivers, set_points = set_points}, false)
  local asked, index, results = implicit.asked, {}, {}
  for j = 1, #rows do index[j] = j end
  if implicit.any then
    local changes, answer = implicit:changes(vdot, nu), implicit:response(k, system)
    local bounds = implicit.by_state and RowBounds.slopes(state, rows, J, p.held) or {}
    if implicit.by_state then
      add_limits(state, rows, changes.seen)
      implicit:artificial_by_position(nu)
    end
    for _, by in ipairs(implicit.bys) do
      local name = by[1]
      if implicit:wanted(name) then
        local of_bound = bounds[name] or {}
        local x, y = implicit:right_sides(changes, index, true, by)
        local r, acting = {}, plus_forces(J, x, of_bound)
        if asked("qdd", name) then r.qdd = Implicit.accelerations(answer, acting, y) end
        if asked("tau_ctrl", name) or asked("nu", name) then
          r.nu = Implicit.forces(answer, acting, y)
          plus_bounds(r.nu, of_bound)
        end
        if asked("tau_ctrl", name) then r.tau_ctrl = implicit:commands(by, #x[1], r.nu) end
        results[name] = r
      end
    end
  end

  local tau_ctrl, unactuated = Achd.steps.share_out(state, demand)
  state:output("qdd", table.move(vdot, nb + 1, nb + n, 1, {}))
  state:output("tau_ctrl", tau_ctrl)
  state:output_motors(tau_ctrl, "tau_ctrl")
  if state.base and state:wanted("qdd") then state:put_on_base("base.acc", vdot) end
  implicit:put(results)
  state:status("SINGULAR", scalar.lor(p.lost, scalar.any(system.acted)))
  state:check_unactuated(unactuated, rows, nu)
  state:check_positive(form.D)
  state:finish(scalar.lor(bad, Mclp.bad(p)))
end

return {dmclp = D}
