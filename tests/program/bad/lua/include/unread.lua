local all = {}
joint_1 = 0.5 -- not in the table
return all
