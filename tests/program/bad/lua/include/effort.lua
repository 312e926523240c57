return { joint_1 = limit, joint_2 = limit }
