-- The youBot as it stands in the world: on wheels whose rollers turn freely (rollers.awk), its platform free to move in
-- all directions. Its controller (robots/whole_body/youbot.lua) knows nothing of rollers.
local passive = {}
for _, corner in ipairs { "fl", "fr", "bl", "br" } do
  for k = 0, 11 do passive[#passive + 1] = "roller_" .. corner .. "_" .. k .. "_joint" end
end

return {
  base = "floating",
  gravity = { 0, 0, -9.81 },
  locked = { caster_joint_fl = 0, caster_joint_fr = 0, caster_joint_bl = 0, caster_joint_br = 0 },
  armature = {
    arm_joint_1 = 0.33848, arm_joint_2 = 0.33848, arm_joint_3 = 0.13571,
    arm_joint_4 = 0.04698, arm_joint_5 = 0.01799,
  },
  effort = { wheel_joint_fl = 2, wheel_joint_fr = 2, wheel_joint_bl = 2, wheel_joint_br = 2 },
  passive = passive,
  groups = {},
}
