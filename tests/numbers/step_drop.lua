-- Four spheres are the feet of a quadruped; each call of a step says where the surface below each is.
local contacts = {}
for _, leg in ipairs { "fl", "fr", "rl", "rr" } do
  contacts[#contacts + 1] = { name = leg, frame = leg .. "_foot", radius = 0.02 }
end

return { base = "floating", groups = {}, contacts = contacts, step = {} }
