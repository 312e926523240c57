-- step_words.lua: what a layout says of the step of a simulator: step = { time_step = 1e-3 or "input", integrator =
-- "semi_implicit", substeps = 1 }.

local StepWords = {}

-- Steps that long are of no simulation of a robot [s].
local longest, most_substeps = 10, 16

-- L.step = {time_step, integrator, substeps, named: whether the layout has the word}
function StepWords.read(self, L)
  local raw, path = self.raw.step, {"step"}
  local step = {time_step = "input", integrator = "semi_implicit", substeps = 1, named = raw ~= nil}
  L.step = step
  if raw == nil then return end
  self:expect(raw, "table", path, 'a table: { time_step = 1e-3, integrator = "semi_implicit" }')
  self:known(raw, {"time_step", "integrator", "substeps"}, path)
  if raw.time_step ~= nil and raw.time_step ~= "input" then
    local at = self.join(path, "time_step")
    if type(raw.time_step) == "string" then
      self:fail(at, '"step.time_step" is "' .. raw.time_step .. '"', 'write a period in s, or "input"')
    end
    step.time_step = self:positive(raw.time_step, at, "the period of the steps [s]")
    if step.time_step > longest then
      self:fail(at, string.format("a period of %g s is no step of a robot's motion", step.time_step),
        "write it in s: 1e-3")
    end
  end
  if raw.integrator ~= nil then
    step.integrator = self:one_of(raw.integrator, {"semi_implicit", "rk4", "implicit_midpoint", "momentum"},
      self.join(path, "integrator"))
  end
  if raw.substeps ~= nil then
    local at = self.join(path, "substeps")
    local count = self:expect(raw.substeps, "number", at, "a whole number from 1 to " .. most_substeps)
    if count ~= math.floor(count) or count < 1 or count > most_substeps then
      self:fail(at, string.format('"step.substeps" is %g', count), "write a whole number from 1 to " .. most_substeps)
    end
    step.substeps = math.tointeger(count)
  end
end

return StepWords
