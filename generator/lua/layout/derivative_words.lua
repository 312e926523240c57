-- SPDX-License-Identifier: MIT
-- derivative_words.lua: the names of derivatives that the layout's outputs may have: d<of>_d<by>; and of other outputs
-- of the functions beside the solve, which these make where they are requested.

local Words = {}

local derivative_words = {"dtau_dq", "dtau_dqd", "M", "dqdd_dq", "dqdd_dqd", "dqdd_dtau", "dqdd_dtau_phys", "dqdd_db",
  "dnu_dq", "dnu_dqd", "dnu_dtau", "dnu_dtau_phys", "dnu_db", "dtau_ctrl_dq", "dtau_ctrl_dqd", "dtau_ctrl_dtau",
  "dtau_ctrl_dtau_phys", "dtau_ctrl_db", "C", "Cv", "Ctv", "manipulability", "manipulability_lin",
  "manipulability_ang"}

-- Those and the ones by the layout's wrenches.
function Words.names(wrenches)
  local names = table.move(derivative_words, 1, #derivative_words, 1, {})
  for _, of in ipairs {"tau", "qdd", "nu", "tau_ctrl"} do
    for _, w in ipairs(wrenches) do names[#names + 1] = "d" .. of .. "_d" .. w.name end
  end
  return names
end

-- Why a name that there is cannot be requested in this layout, and what to do; nil: it can. L: what is known of it.
function Words.missing(name, L)
  if name:match("_dtau_phys$") and not L.torques.physical then
    return "the layout has no tau_phys", "write torques = { physical = true }"
  end
  if name:match("^dnu_dtau$") or name:match("^dtau_ctrl_dtau$") then
    if not L.torques.artificial then return "the layout has no tau_art", "write torques = { artificial = true }" end
  end
  for _, w in ipairs(L.wrenches) do
    if name == "dtau_d" .. w.name and w.kind ~= "physical" then
      return "did takes physical wrenches, and " .. w.name .. " is artificial",
        "ask for dtau_ctrl_d" .. w.name .. ", of dachd"
    end
  end
  local limits = L.joint_groups[1]
  local given = limits and limits.b == "input" -- these come first then
  if name:match("^dnu_") and #L.groups + #L.joint_groups == 0 or
      name:match("_db$") and #L.groups == 0 and not given then
    return "the layout has no rows", "name groups, or leave it out"
  end
end

return Words
