local kilograms = nil

return { joint_1 = 2 * kilograms }
