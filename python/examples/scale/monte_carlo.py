# SPDX-License-Identifier: MIT
"""How far is a Gen3's tool from the acceleration that it was asked for, where links weigh something else and joints rub? A Monte Carlo of masses, friction
and states: python3 monte_carlo.py ROBOTS_FOLDER --states 1e8 --on dask

Torques are those of the URDF's masses for a tool that shall not accelerate. The robot that they act on has links whose masses (and first moments and
inertias with them) are those of the URDF times exp(s N), N of a standard normal distribution, and dry friction of up to so many N m in each joint."""

import math

import blocks
import numpy as np

import achdgen

LAYOUT = {
    "armature": {f"joint_{i}": 0.558 if i < 5 else 0.1389 for i in range(1, 8)},
    "groups": [{"name": "tool", "frame": "tool_frame"}],
    "torques": {"artificial": True},
    "outputs": ["tau_ctrl"],
}
LOW, HIGH, BINS = -6, 6, 1200  # powers of ten of errors, and how many steps they are counted in
EDGES = np.logspace(LOW, HIGH, BINS + 1)


class MonteCarlo:
    def __init__(self, given):
        urdf = given.robots / "gen3.urdf"
        links = [body["link"] for body in achdgen.load(urdf, {"groups": []}, functions=["gravity"], batch=0).description["bodies"]]
        self.robot = achdgen.load(urdf, {**LAYOUT, "inertia_inputs": links}, functions=["achd", "gravity", "fd", "fak"])
        bodies = self.robot.description["bodies"]
        self.inertias = {body["link"]: np.array([body["mass"], *body["first_moment"], *body["inertia"]]) for body in bodies}
        self.size, self.blocks = given.block, math.ceil(given.states / given.block)
        self.seed, self.masses, self.friction = given.seed, given.masses, given.friction
        self.identity = {"study": "monte_carlo", "block": self.size, "seed": self.seed, "masses": self.masses, "friction": self.friction}

    def block(self, k):
        rng, robot, n = np.random.default_rng([self.seed, k]), self.robot, self.size
        q, qd = robot.random_configuration(n, rng), rng.uniform(-0.5, 0.5, (n, 7))
        factors = np.exp(self.masses * rng.standard_normal((n, len(self.inertias))))
        rubs = -rng.uniform(0, self.friction, (n, 7)) * np.sign(qd)

        hold = robot.gravity(q=q, inertia=self.inertias)
        asked = robot.achd(q=q, qd=qd, tau_art=hold.tau, inertia=self.inertias)
        real = {link: factors[:, i, None] * numbers for i, (link, numbers) in enumerate(self.inertias.items())}
        qdd = robot.fd(q=q, qd=qd, tau=asked.tau_ctrl + rubs, inertia=real).qdd
        error = np.linalg.norm(robot.fak(q=q, qd=qd, qdd=qdd).acc.tool_frame[:, :3], axis=1)[asked.ok]
        place = np.clip(np.searchsorted(EDGES, error, side="right") - 1, 0, BINS - 1)
        return {"states": np.array(n), "left_out": np.array(n - error.size), "errors": np.bincount(place, minlength=BINS),
                "most": np.array(error.max(initial=0.0))}

    def tell(self, result):
        print(f"{result['states']} states, {result['left_out']} of them without torques (singular)")
        below = np.cumsum(result["errors"])
        for share in (0.5, 0.9, 0.99, 0.999):
            at = int(np.searchsorted(below, share * below[-1]))
            print(f"{100 * share:5.1f} % below {EDGES[at + 1]:.3g} m/s^2")
        print(f"the largest: {result['most']:.3g} m/s^2")

    def draw(self, result, path):
        from matplotlib.figure import Figure

        axes = (figure := Figure()).subplots()
        axes.stairs(result["errors"] / result["errors"].sum(), EDGES, fill=True)
        axes.set(xscale="log", xlim=(1e-2, 1e2), xlabel="error of the tool's acceleration [m/s²]", ylabel="share of states")
        figure.savefig(path)


if __name__ == "__main__":
    parser = blocks.options(__doc__, 1e6)
    parser.add_argument("--masses", type=float, default=0.05, help="s, of exp(s N): 0.05 is 5 %%")
    parser.add_argument("--friction", type=float, default=1.0, help="the largest dry friction [N m]")
    blocks.run(MonteCarlo, parser.parse_args())
