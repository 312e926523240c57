-- A floor on which a platform with round corners may go anywhere.
local corners = {}
for k, at in ipairs { { 0.25, 0.25 }, { 0.25, -0.25 }, { -0.25, 0.25 }, { -0.25, -0.25 } } do
  corners[k] = { kind = "sphere", radius = 0.05, position = { at[1], at[2], 0.2 } }
end

return { robot = { shapes = { base_link = corners } } }
