-- SPDX-License-Identifier: MIT
-- levels.lua: the levels of an optimum within limits (achd/qp.h). 0 are the torques' limits; artificial rows of
-- priority p come at limits + p.
return {cones = 1, limits = 2}
