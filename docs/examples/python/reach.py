#!/usr/bin/env python3
"""How well can the tool be accelerated as the elbow of a Gen3 stretches? python3 reach.py BUILD_FOLDER"""

import sys

import achd

build = sys.argv[1]
arm = achd.load(f"{build}/libgen3.so", shapes={"achd": 0x7a7fe74c})

print("elbow   pivot_min   largest torque   status")
for degrees in (120, 90, 60, 30, 10, 1, 0):
    i = arm.achd.In()
    i.q[:] = [0, 0.26, 3.14, -degrees * 3.141592653589793 / 180, 0, 0.96, 1.57]
    i.gravity[:] = [0, 0, -9.81]
    i.mask[:] = [1] * arm.NR
    i.b[arm.TOOL_LIN_Z] = 1  # m/s^2, up

    at = arm.gravity.In()  # gravity's torques, so that what is left free does not fall
    at.q[:], at.gravity[:] = i.q[:], i.gravity[:]
    status, hold = arm.gravity(at)
    i.tau_art[:] = hold.tau[:]

    status, out = arm.achd(i)
    says = [bit for bit in ("SINGULAR", "SATURATED") if status & getattr(arm, bit)]
    print(f"{degrees:4}°   {out.pivot_min:9.1e}   {max(map(abs, out.tau_ctrl)):9.1f} N m   {' '.join(says) or 'OK'}")
