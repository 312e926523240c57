# SPDX-License-Identifier: MIT
"""How well can the tool be accelerated as the elbow of a Gen3 stretches? A walk in cells: python3 elbow.py ROBOTS_FOLDER"""

# %% The robot: six rows at its tool, and gravity's torques.
import sys
from pathlib import Path

import numpy as np

import achdgen

places = [*map(Path, sys.argv[1:]), Path("robots"), Path("../../robots")]  # of a notebook, which has no arguments of its own
robots = next((folder for folder in places if (folder / "gen3.urdf").is_file()), places[0])
gen3 = achdgen.load(robots / "gen3.urdf", layout=robots / "gen3.lua", functions=["achd", "gravity", "jac"])
print(gen3)

# %% Sixty postures, from a right angle to a straight arm.
elbow = np.radians(np.linspace(90, 0, 61))
q = np.tile([0, 0.26, 3.14, 0, 0, 0.96, 1.57], (61, 1))
q[:, gen3.JOINT_4] = -elbow

# %% Held against gravity, the tool is accelerated upwards by 1 m/s^2, in all of them at once.
hold = gen3.gravity(q=q)
up = gen3.achd(q=q, tau_art=hold.tau, b={"tool.lin_z": 1.0})
print("elbow   smallest pivot   largest torque   status")
for degrees in (90, 45, 10, 1, 0):
    k = int(np.argmin(np.abs(elbow - np.radians(degrees))))
    print(f"{degrees:4}°   {up.pivot_min[k]:14.1e}   {np.abs(up.tau_ctrl[k]).max():10.1f} N m   {gen3.Status(int(up.status[k])).name or 'OK'}")

# %% Pivot and torques over the elbow's angle, in a figure.
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no figure, as there is no matplotlib (Debian: python3-matplotlib)")
else:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.semilogy(np.degrees(elbow), up.pivot_min)
    left.set(xlabel="elbow [°]", ylabel="smallest pivot")
    right.plot(np.degrees(elbow), up.tau_ctrl, label=gen3.joints)
    right.set(xlabel="elbow [°]", ylabel="torque [N m]")
    right.legend(fontsize="small")
    plt.show()

# %% The same question without the solver: how many directions does the Jacobian see?
J = gen3.jac(q=q).jac.tool_frame
print("least singular value at 90°, at 0°: %.2g, %.2g" % tuple(np.linalg.svd(J[[0, -1]], compute_uv=False)[:, -1]))

# %% A layout of one's own: only the tool's position matters, and it may push with 30 N at most.
pushes = achdgen.load(robots / "gen3.urdf", layout={
    "groups": [{"name": "tool", "frame": "tool_frame", "rows": ["lin_x", "lin_y", "lin_z"], "bounds": [-30, 30]}],
    "torques": {"artificial": True},
    "outputs": ["qdd", "nu", "tau_ctrl"],
})
gentle = pushes.solve(q=q, b={"tool.lin_z": 1.0}, tau_art=hold.tau, check=True)
print("forces along z: %.1f to %.1f N" % (gentle.nu[:, pushes.TOOL_LIN_Z].min(), gentle.nu[:, pushes.TOOL_LIN_Z].max()))
