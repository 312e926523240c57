-- robot: ../../../../robots/gen3.urdf
return { passive = { "joint_1" }, transmissions = { { motor = "a", joint = "joint_1", ratio = 2 } } }
--> passive.lua:2: error: joint "joint_1" is passive, and a transmission moves it
-->   remedy: take it out of passive, or out of the transmission
