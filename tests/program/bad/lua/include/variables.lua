-- Variables for whoever includes it; it returns nothing.
effort_of_all, unused = 39, 1
function of_all(value) return { joint_1 = value, joint_2 = value } end
