-- One leg of the quadruped, its trunk held.
return { name = "arm", gravity = { 0, 0, -9.81 }, groups = {}, base = "fixed", root = "trunk", tips = { "fl_foot" } }
