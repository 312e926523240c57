# SPDX-License-Identifier: MIT
"""Where can a Gen3's tool be, and how well can it be moved there? A map of its workspace: python3 workspace.py ROBOTS_FOLDER --states 1e8 --figure map.png

Joint positions are drawn within their limits. The map is of the distance from the first axis and the height: how many of the states bring the tool into
a square, and the best manipulability of those. (Links may be in each other or in the floor: geometry is no part of this.)"""

import math

import blocks
import numpy as np

import achdgen

REACH, FLOOR, CEILING, SIDE = 1.2, -1.0, 1.5, 0.02  # [m]
DISTANCES, HEIGHTS = round(REACH / SIDE), round((CEILING - FLOOR) / SIDE)


class Workspace:
    def __init__(self, given):
        self.robot = achdgen.load(given.robots / "gen3.urdf", {"groups": [{"name": "tool", "frame": "tool_frame"}]}, functions=["fk", "manipulability"])
        self.size, self.blocks, self.seed = given.block, math.ceil(given.states / given.block), given.seed
        self.identity = {"study": "workspace", "block": self.size, "seed": self.seed}

    def block(self, k):
        q = self.robot.random_configuration(self.size, np.random.default_rng([self.seed, k]))
        p = self.robot.fk(q=q).pose.tool_frame["p"]
        best = self.robot.manipulability(q=q).manipulability.tool_frame
        column, row = (np.hypot(p[:, 0], p[:, 1]) // SIDE).astype(int), ((p[:, 2] - FLOOR) // SIDE).astype(int)
        inside = (column < DISTANCES) & (row >= 0) & (row < HEIGHTS)
        square = row[inside] * DISTANCES + column[inside]
        most = np.zeros(HEIGHTS * DISTANCES)
        np.maximum.at(most, square, best[inside])
        shape = (HEIGHTS, DISTANCES)
        return {"states": np.array(self.size), "outside": np.array(self.size - square.size), "most": most.reshape(shape),
                "counts": np.bincount(square, minlength=most.size).reshape(shape)}

    def tell(self, result):
        reached = result["counts"] > 0
        row, column = np.unravel_index(result["most"].argmax(), reached.shape)
        print(f"{result['states']} states, {result['outside']} of them outside the map")
        print(f"{reached.sum()} of {reached.size} squares of {SIDE} m are reached; the best manipulability is {result['most'].max():.3g}, "
              f"{(column + 0.5) * SIDE:.2f} m from the axis, {FLOOR + (row + 0.5) * SIDE:.2f} m high")

    def draw(self, result, path):
        from matplotlib.figure import Figure

        axes = (figure := Figure()).subplots()
        seen = np.ma.masked_where(result["counts"] == 0, result["most"])
        figure.colorbar(axes.imshow(seen, origin="lower", extent=(0, REACH, FLOOR, CEILING)), label="best manipulability")
        axes.set(xlabel="from the first axis [m]", ylabel="height [m]")
        figure.savefig(path)


if __name__ == "__main__":
    blocks.run(Workspace, blocks.options(__doc__, 1e6).parse_args())
