-- dachd.lua: the constrained solve with its derivatives, by implicit differentiation.
--
-- The solve's vdot and nu hold M vdot + h - J^T nu = tau and, of the rows in force, seen(vdot) = b. So
--     M dvdot - J^T dnu = dtau - d(ID at constant vdot, nu) =: x,    J dvdot = db - d(seen at constant vdot) =: y
-- and with the factors of the solve, G what it takes for the inverse of J M^-1 J^T,
--     dvdot = W x + Q y,   dnu = G y - Q^T x,   Q = M^-1 J^T G,   W = M^-1 - Q J M^-1
-- That is the derivative of the branch taken: of rows in force, torques at their limits, damping and cuts as they stand.

local scalar = require "scalar"
local spatial = require "spatial"
local motion = require "motion"
local constraints = require "constraints"
local Derivatives = require "derivatives"
local RowDerivatives = require "row_derivatives"
local State = require "state"
local Free = require "unconstrained"
local Matrices = require "matrices"
local Achd = require "achd"

local ofs = {"qdd", "nu", "tau_ctrl"}

-- Q and W, and G as a function that makes it where it is needed. k: K by row; system: the rows'.
local function response(form, k, system)
  local n, m, factor = form.n, #k, form.factor
  ag.region("derivatives: what forces and set-points cause", "response")
  local inverse = factor:inverse()
  if m == 0 then return {W = inverse} end
  local none, Y, Q, W = {}, {}, {}, {} -- Y = J M^-1
  for i = 1, n do none[i] = 0 end
  for j = 1, m do Y[j] = factor:forward(k[j]) end
  for i, y in ipairs(Matrices.transpose(Y)) do Q[i], W[i] = system.solve(none, y), {} end
  for i = 1, n do
    for j = 1, i do
      local x = inverse[i][j]
      for l = 1, m do x = x - Q[i][l] * Y[l][j] end
      W[i][j], W[j][i] = x, x
    end
  end
  local G
  local function made()
    if G then return G end
    G = Matrices.zero(m)
    for j, unit in ipairs(Matrices.unit(m)) do
      local column = system.solve(none, unit)
      for l = j, m do G[l][j], G[j][l] = column[l], column[l] end
    end
    return G
  end
  return {G = made, Q = Q, W = W}
end

-- Groups whose wrench may turn with its frame, A nu' in place of A nu: dnu is then dnu' + A^T (z x (A nu)) by q of a joint with the
-- axis z, and because J Q = 1 nothing else changes. That takes rows along all three axes of the base or none, linear and
-- angular, that are in force whenever the solve is a solution of the rows. {[group] = {}}
local function turning_groups(state, J)
  local turning, m = {}, #state.rows
  if state.soft then return turning end -- J Q is not 1
  if state.layout.singularity == "drop" or m > state.chain.nb + state.chain.nj then return turning end
  for j = 1, m do
    local moved = false
    for c = 1, #J[j] do moved = moved or not scalar.is_zero(J[j][c]) end
    if not moved then return turning end -- never in force
  end
  for _, g in ipairs(state.groups) do
    local count = {lin = 0, ang = 0}
    for _, name in ipairs(g.joints and {} or g.rows) do
      local kind = name:sub(1, 3)
      count[kind] = (count[kind] or 0) + 1
    end
    local whole = count.lin % 3 == 0 and count.ang % 3 == 0
    if whole and g.axes == "base" and not g.free and not g.tie and not g.joints and not g.mask then turning[g] = {} end
  end
  return turning
end

-- Adds A^T (z x (A nu)) of these rows to the rows of dnu by q.
local function turn_back(state, rows, turning, by_q)
  local chain, nb, poses = state.chain, state.chain.nb, state:body_poses()
  for g, sum in pairs(turning) do
    local turns = {} -- by coordinate
    for c, s in ipairs(motion.base_freedoms(nb)) do turns[c] = spatial.mul(poses[0].R, s.w) end
    for _, i in ipairs(motion.way(state.robot, g.frame.body, 0)) do
      if not state.robot.bodies[i].prismatic then
        local c = nb + chain.joint_of[i]
        turns[c] = spatial.add(turns[c] or spatial.zero, spatial.scale(chain.ratio[i], spatial.column(poses[i].R, 3)))
      end
    end
    for c, z in pairs(turns) do
      local f, n = spatial.cross(z, sum.f), spatial.cross(z, sum.n)
      for j, row in ipairs(rows) do
        if row.group == g then by_q[j][c] = by_q[j][c] + spatial.dot(row.dir.lin, f) + spatial.dot(row.dir.ang, n) end
      end
    end
  end
end

-- By body the wrenches of the rows of a kind at nu, ties apart, what Derivatives.held tells of them; and J^T nu of ties
-- by q, a matrix (nil: there are none).
local function row_wrenches(state, rows, nu, kind, turning)
  local list, held, ties = {}, {}, nil
  for _, g in ipairs(state.groups) do
    if g.kind == kind and not g.joints then
      ag.region("rows: their wrench, " .. g.name, g.name)
      local f, n, any = spatial.zero, spatial.zero, false
      for j, row in ipairs(rows) do
        if row.group == g then
          f, n, any = spatial.add(f, spatial.scale(nu[j], row.dir.lin)), spatial.add(n, spatial.scale(nu[j], row.dir.ang)), true
        end
      end
      local body = g.frame.body
      if any and g.tie then
        ties = ties or Matrices.zero(state.chain.nb + state.chain.nj)
        RowDerivatives.tie_forces(state.robot, g.tie, spatial.mul(g.frame.R, f), spatial.mul(g.frame.R, n), ties)
      elseif any and (body > 0 or state.base) then
        local linked, on = constraints.linked(g), nil
        if turning[g] then
          turning[g].f, turning[g].n = f, n
          on = state:wrench_on_body({frame = g.frame, f = f, n = n})
        elseif linked then
          on = {f = spatial.mul(g.frame.R, f), n = spatial.mul(g.frame.R, n)}
          on.n = spatial.add(on.n, spatial.cross(g.frame.p, on.f))
        else
          on = state:wrench_on_body({frame = g.frame, f = f, n = n})
          held[body] = Derivatives.add_held(held[body], Derivatives.held(on.f, on.n, g.frame.p))
        end
        motion.put_wrench(list, body, on)
      end
    end
  end
  return list, held, ties
end

-- The derivatives by q of J^T f of everything of a kind: given wrenches, and rows at nu.
local function forces_by_position(state, rows, nu, kind, turning)
  local list, held, ties = row_wrenches(state, rows, nu, kind, turning)
  for body, on in pairs(state:given_wrenches(kind)) do motion.put_wrench(list, body, on) end
  for body, h in pairs(Matrices.held(state, kind)) do held[body] = Derivatives.add_held(held[body], h) end
  for body in pairs(list) do list[body] = motion.scale_wrench(-1, list[body]) end
  local T = Matrices.scale(-1, Derivatives.of_forces(state.robot, nil, nil, nil, list, held).q)
  return ties and Matrices.add(T, ties) or T
end

-- The derivatives by q and qd of ID at constant vdot, what physical wrenches and rows at nu give taken off.
local function motion_by_state(state, motions, rows, nu, turning)
  local total = state:needed_wrenches(motions)
  local list, held, ties = row_wrenches(state, rows, nu, "physical", turning)
  for i = 0, state.chain.n do
    if list[i] then total[i] = motion.sub_wrench(total[i], list[i]) end
  end
  for body, h in pairs(Matrices.held(state, "physical")) do held[body] = Derivatives.add_held(held[body], h) end
  local by = Derivatives.of_forces(state.robot, state.inertias, motions, Derivatives.twists(state.robot), total, held)
  if ties then by.q = Matrices.add(by.q, Matrices.scale(-1, ties)) end
  for i = 1, state.chain.nj do
    local c = state.chain.nb + i
    by.qd[c][c] = by.qd[c][c] + state.viscous[i]
  end
  return by
end

-- What rows that yield take over from the artificial wrenches, J M^-1 J_f^T f, by q: {[row] = {...}}.
local function yield_by_position(state, form, k, free)
  local yields, result = false, {}
  for _, row in ipairs(state.rows) do yields = yields or row.group.yields end
  local given = state:given_wrenches("artificial")
  if not yields or next(given) == nil then return result end
  ag.region("rows that yield: derivatives", "yield")
  local still, none = state:still(), {0, 0, 0}
  local vdot = form.factor:forward(form.factor:back(free.from_wrenches))
  local motions = motion.accelerations(still, none, vdot)
  local total = state:inertial_wrenches(motions)
  for i = 0, state.chain.n do
    if given[i] then total[i] = motion.sub_wrench(total[i], given[i]) end
  end
  local forces = Derivatives.of_forces(still, state.inertias, motions, Derivatives.twists(still), total, Matrices.held(state, "artificial")).q
  local seen = RowDerivatives.seen(state, still, motions, none, vdot)
  for j, row in ipairs(state.rows) do
    if row.group.yields then
      local along, list = form.factor:forward(k[j]), {}
      for c = 1, form.n do
        list[c] = seen[j].q[c]
        for i = 1, form.n do list[c] = list[c] - along[i] * forces[i][c] end
      end
      result[j] = list
    end
  end
  return result
end

-- Right sides of all rows of a stage: {[j] = column list}, from lists by row of the state.
local function pick(lists, index)
  local r = {}
  for k, j in ipairs(index) do r[k] = lists[j] end
  return r
end

local D = {doc = "The constrained solve and its derivatives: what joint accelerations, constraint forces and torques to command change by per q, qd, torque, set-point and wrench, on the branch that the solve took."}

function D.variants()
  local list = {}
  for _, axes in ipairs {"matrix", "chain"} do
    for _, way in ipairs {"tip", "base", "wrench"} do
      if axes == "matrix" or way ~= "base" then list[#list + 1] = {formulation = "joint", way = way, axes = axes} end
    end
  end
  return list
end

function D.program(context, variant)
  local layout = context.layout
  local state = State.new(context, variant, {
    qd = true, gravity = true, tau = true, wrenches = true, rows = true, armature = true, inertia = true, bounds = true,
  })
  local asked, steps = Matrices.asked(state, ofs), Achd.steps
  local n, nb, rows, m = state.chain.nj, state.chain.nb, state.rows, #state.rows
  local robot, nv = state.robot, state.chain.nb + state.chain.nj
  local free = Free.new(state, "joint")
  local form, u = free.form, free.u

  -- the solve
  local J, target = state:jacobian(), {}
  local k = form:project_columns(J)
  for j, x in ipairs(state:seen(free.motion)) do target[j] = rows[j].b - x end
  constraints.yield(rows, k, form.inv, target, function() return form:free(free.from_wrenches, {}) end)
  local system = steps.system_of(state, rows, k, form.inv, u, target)
  local nu, acted = system.solve(u, target), table.move(system.acted, 1, #system.acted + 1, 1, {})
  local demand = steps.demanded(state, rows, J, nu, free.own)
  local vdot = form:accelerate(steps.plus_rows(u, k, nu))

  -- what differentiates it: by what, in which order
  local bys = {{"q"}, {"qd"}}
  if layout.torques.artificial and n > 0 then bys[#bys + 1] = {"tau"} end
  if layout.torques.physical and n > 0 then bys[#bys + 1] = {"tau_phys"} end
  if m > 0 then bys[#bys + 1] = {"b"} end
  for _, w in ipairs(state.wrenches) do bys[#bys + 1] = {w.name, w} end
  local saturates = layout.saturate and n > 0
  local function wanted(by)
    for _, of in ipairs(ofs) do
      if asked(of, by) and (of ~= "nu" or m > 0) then return true end
    end
    return false
  end
  local commands, by_state, any = saturates, wanted("q") or wanted("qd"), false
  for _, by in ipairs(bys) do
    commands = commands or asked("tau_ctrl", by[1])
    any = any or wanted(by[1])
  end

  local upward = spatial.neg(state.gravity)
  local turning = turning_groups(state, J)
  local artificial -- J^T of what is artificial, by q
  local yielded = by_state and yield_by_position(state, form, k, free) or {}

  -- x and y of a stage: the solve at vdot and nu with these rows. art: does what is artificial act in it?
  local function right_sides(motions, vdot_of, these, index, nu_of, art, by)
    local x, y = Matrices.zero(nv, 1), {}
    local name, w = by[1], by[2]
    if name == "q" or name == "qd" then
      x = Matrices.scale(-1, motions.by[name])
      if art and name == "q" then x = Matrices.add(x, artificial) end
      for l, j in ipairs(index) do
        y[l] = {}
        for c = 1, nv do
          y[l][c] = -motions.seen[j][name][c]
          if name == "q" and yielded[j] then y[l][c] = y[l][c] + yielded[j][c] end
        end
      end
    elseif name == "tau" or name == "tau_phys" then
      x = art or name == "tau_phys"
      x = x and Matrices.of_joints(state, Matrices.unit(nv)) or Matrices.zero(nv, n)
    elseif name == "b" then
      x = Matrices.zero(nv, m)
      for l, j in ipairs(index) do y[l] = Matrices.unit(m)[j] end
    else
      w.columns = w.columns or Matrices.wrench_columns(state, w)
      local acts = art or w.kind == "physical"
      x = acts and w.columns or Matrices.zero(nv, 6)
      for l, j in ipairs(index) do
        y[l] = {0, 0, 0, 0, 0, 0}
        if rows[j].group.yields and w.kind == "artificial" then
          local along = form.factor:forward(k[j])
          for c = 1, 6 do
            for i = 1, nv do y[l][c] = y[l][c] + along[i] * w.columns[i][c] end
          end
        end
      end
    end
    if #y == 0 then y = nil end
    return x, y
  end

  local function stage(vdot_of, nu_of, art_in_motion)
    local s = {}
    if by_state then
      local motions = motion.accelerations(robot, upward, vdot_of)
      s.by = motion_by_state(state, motions, rows, nu_of, turning)
      s.seen = m > 0 and RowDerivatives.seen(state, robot, motions, state.gravity, vdot_of) or {}
    end
    return s
  end
  local function solve(r, x, y)
    local vdot_by = Matrices.product(r.W, x)
    if not y then return vdot_by, nil end
    vdot_by = Matrices.add(vdot_by, Matrices.product(r.Q, y))
    return vdot_by, y
  end
  local function rows_by(r, x, y)
    if m == 0 then return {} end
    local change = Matrices.scale(-1, Matrices.product(Matrices.transpose(r.Q), x))
    return y and Matrices.add(change, Matrices.product(r.G(), y)) or change
  end

  local all = {}
  for j = 1, m do all[j] = j end
  local results = {} -- by name: {qdd, nu, tau_ctrl}
  local first, answer
  if any then
    first, answer = stage(vdot, nu), response(form, k, system)
    if by_state then artificial = forces_by_position(state, rows, nu, "artificial", turning) end
    local needs_nu = {}
    for _, by in ipairs(bys) do
      local name = by[1]
      if wanted(name) then
        local x, y = right_sides(first, vdot, rows, all, nu, true, by)
        local r = {}
        if not saturates and asked("qdd", name) then r.qdd = solve(answer, x, y) end
        needs_nu = m > 0 and (saturates or asked("nu", name) or asked("tau_ctrl", name))
        if needs_nu then r.nu = rows_by(answer, x, y) end
        if saturates or asked("tau_ctrl", name) then
          -- J^T A dnu + d(J^T f) + dtau_art, of joints with a motor
          local columns, command = #x[1], {}
          for i = 1, n do
            command[i] = {}
            for c = 1, columns do
              local d = 0
              for j, row in ipairs(rows) do
                if row.group.kind == "artificial" then d = d + J[j][nb + i] * r.nu[j][c] end
              end
              if name == "q" then d = d + artificial[nb + i][c] end
              if name == "tau" and i == c then d = d + 1 end
              if by[2] and by[2].kind == "artificial" then d = d + by[2].columns[nb + i][c] end
              command[i][c] = state.passive[i] and 0 or d
            end
          end
          r.tau_ctrl = command
        end
        if name == "q" and r.nu and asked("nu", name) then turn_back(state, rows, turning, r.nu) end
        results[name] = r
      end
    end
  end

  local tau_ctrl, unactuated = {}, {}
  for c = 1, nb do unactuated[c] = demand[c] end
  for i = 1, n do
    tau_ctrl[i] = state.passive[i] and 0 or demand[nb + i]
    if state.passive[i] then unactuated[nb + i] = demand[nb + i] end
  end

  -- torques at their limits: the motion that they cause, with the physical rows solved again
  local nu_out, saturated = table.move(nu, 1, m, 1, {}), false
  if layout.saturate then
    ag.region("saturation: clamp", "clamped")
    local applied, acting = {}, state:acting_torques()
    for i = 1, n do
      local limit, t = state.effort[i], tau_ctrl[i]
      if limit and not state.passive[i] then
        local beyond = scalar.lor(scalar.lt(limit, t), scalar.lt(t, -limit))
        saturated = scalar.lor(saturated, beyond)
        tau_ctrl[i] = scalar.clamp(t, limit)
        for _, r in pairs(results) do
          for c, d in ipairs(r.tau_ctrl[i]) do r.tau_ctrl[i][c] = scalar.select(beyond, 0, d) end
        end
      end
      applied[i] = tau_ctrl[i] + acting[i]
    end
    local u2 = form:free(state:by_coordinate(applied), free.physical)
    local index, rows2, k2, target2, nu_all = {}, {}, {}, {}, {}
    for j, row in ipairs(rows) do
      nu_all[j] = 0
      if row.group.kind == "physical" then
        index[#index + 1], rows2[#rows2 + 1], k2[#k2 + 1], target2[#target2 + 1] = j, row, k[j], target[j]
      end
    end
    local again = steps.system_of(state, rows2, k2, form.inv, u2, target2)
    local nu2 = again.solve(u2, target2)
    for l, j in ipairs(index) do nu_out[j], nu_all[j] = nu2[l], nu2[l] end
    for _, condition in pairs(again.acted) do acted[#acted + 1] = condition end
    vdot = form:accelerate(steps.plus_rows(u2, k2, nu2))
    if any then
      local second, answer2 = stage(vdot, nu_all), response(form, k2, again)
      for _, by in ipairs(bys) do
        local r = results[by[1]]
        if r then
          local x, y = right_sides(second, vdot, rows2, index, nu_all, false, by)
          for i = 1, nv do x[i] = table.move(x[i], 1, #x[i], 1, {}) end
          for i = 1, n do
            for c = 1, #x[nb + i] do x[nb + i][c] = x[nb + i][c] + r.tau_ctrl[i][c] end
          end
          if asked("qdd", by[1]) then r.qdd = solve(answer2, x, y) end
          if m > 0 and #index > 0 and asked("nu", by[1]) then
            local again_by = rows_by(answer2, x, y)
            if by[1] == "q" then turn_back(state, rows2, turning, again_by) end
            for l, row in ipairs(again_by) do r.nu[index[l]] = row end
          end
        end
      end
    end
  end

  -- outputs
  state:output("qdd", table.move(vdot, nb + 1, nb + n, 1, {}))
  state:output("nu", nu_out)
  state:output("tau_ctrl", tau_ctrl)
  if state.base and state:wanted("qdd") then state.base:put_acceleration(vdot) end
  for _, of in ipairs(ofs) do
    for _, by in ipairs(bys) do
      local name, w = by[1], by[2]
      local matrix = asked(of, name) and results[name] and results[name][of]
      if matrix then
        Matrices.put(state, of, name, Matrices.outward(state, matrix, of == "qdd", name == "q" or name == "qd"), w ~= nil, "feed-forward torque")
      end
    end
  end

  state:singular(scalar.any(acted))
  if layout.saturate then state:status("SATURATED", saturated) end
  state:check_unactuated(unactuated, rows, nu_out)
  state:check_positive(form.D)
  state:finish()
end

return {dachd = D}
