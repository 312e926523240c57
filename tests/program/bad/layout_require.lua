-- robot: ../../../robots/gen3.urdf
local layout = require "layout"
return {}
