-- SPDX-License-Identifier: MIT
-- formulations.lua: the ways to the articulated quantities D, u, K, by their names.

return {recursion = require "recursion", joint = require "joint"}
