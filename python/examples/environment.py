# SPDX-License-Identifier: MIT
"""An environment for learning, of thousands of quadrupeds at once: reset() and step() as Gymnasium's vector environments have them, without a dependency.

A robot stands on four feet on a floor of random friction. Actions are offsets of the joints' set points; observations are what an inertial measurement unit and
encoders tell: gravity's direction and angular velocity in the trunk's axes, joint positions and velocities. The reward asks for a height and for little torque.

    python3 python/examples/environment.py [ROBOTS]

prints how many steps a second it makes."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import achdgen

LEGS = ("fl", "fr", "rl", "rr")
LAYOUT = {"base": "floating", "groups": {}, "step": {},
          "contacts": [{"name": leg, "frame": f"{leg}_foot", "radius": 0.02} for leg in LEGS]}
POSTURE = np.tile([0, 0.8, -1.6], 4)  # hip, thigh and calf of each leg [rad]
HEIGHT, LOWEST = 0.31, 0.15           # of the trunk: wanted, and where an episode ends [m]


class Quadrupeds:
    """n robots. Each action lasts 5 steps of 2 ms; an episode 500 actions."""

    STEPS, PERIOD, LENGTH = 5, 2e-3, 500

    def __init__(self, n, robots=Path("robots"), seed=0, **options):
        self.robot = achdgen.load(Path(robots) / "quadruped.urdf", LAYOUT, functions=["step_begin"], **options)
        self.n, self.random = n, np.random.default_rng(seed)
        self.age = np.zeros(n, int)

    def _begin(self, some):
        """Robots begin anew: a posture near the usual one, 4 cm above the floor, another friction."""
        count = int(some.sum())
        self.q[some] = POSTURE + self.random.uniform(-0.1, 0.1, (count, 12))
        self.qd[some], self.twist[some] = 0, 0
        self.position[some], self.quat[some] = [0, 0, 0.35], [1, 0, 0, 0]
        self.friction[some] = self.random.uniform(0.4, 1, count)
        self.age[some] = 0

    def reset(self):
        n = self.n
        self.q, self.qd, self.twist = np.zeros((n, 12)), np.zeros((n, 12)), np.zeros((n, 6))
        self.position, self.quat, self.friction = np.zeros((n, 3)), np.zeros((n, 4)), np.zeros(n)
        self._begin(np.ones(n, bool))
        return self._observe()

    def _observe(self):
        w, v = self.quat[:, :1], self.quat[:, 1:]
        turned = [a + 2 * np.cross(-v, np.cross(-v, a) + w * a) for a in (np.tile([0.0, 0, -1], (self.n, 1)), self.twist[:, 3:])]
        return np.concatenate([*turned, self.q - POSTURE, self.qd], axis=1)

    def step(self, actions):
        """Observations, rewards, and which episodes have ended: because a robot fell, or by their length. Those begin anew."""
        wanted = POSTURE + np.clip(actions, -0.5, 0.5)
        motion = self.robot.simulate(
            self.STEPS, policy=lambda k, now: np.clip(150 * (wanted - now["q"]) - 3 * now["qd"], -25, 25), every=self.STEPS,
            q=self.q, qd=self.qd, time_step=self.PERIOD, **{"base.position": self.position, "base.quat": self.quat, "base.twist": self.twist},
            **{f"contact.{leg}.friction": self.friction for leg in LEGS})
        self.q, self.qd = motion.q_next[-1], motion.qd_next[-1]
        self.position, self.quat, self.twist = (motion["base_next." + name][-1] for name in ("position", "quat", "twist"))
        self.age += 1
        fell = ~motion.ok | ~(self.position[:, 2] > LOWEST)
        reward = np.where(fell, -1, 1 - 20 * np.abs(self.position[:, 2] - HEIGHT) - 0.01 * np.linalg.norm(self.qd, axis=1))
        late = self.age >= self.LENGTH
        self._begin(fell | late)
        return self._observe(), reward, fell, late & ~fell


if __name__ == "__main__":
    environment = Quadrupeds(1000, *sys.argv[1:2], batch=8)
    environment.reset()
    began = time.process_time()
    for _ in range(100):
        environment.step(environment.random.uniform(-0.1, 0.1, (1000, 12)))
    print(f"{1000 * 100 * Quadrupeds.STEPS / (time.process_time() - began):.3g} steps a second")
