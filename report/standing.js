/* SPDX-License-Identifier: MIT */
// standing.js: a robot on its contacts: a posture with its feet below its hips, torques that hold it there, and what a solution means.
import { forward, frame } from "./viewer.js";
import { approach } from "./reaching.js";

// The leg that a contact ends: from its foot up to the base, the bodies that move.
function chain(robot, link) {
  const found = [], start = robot.frames.find((f) => f.link === link)?.body ?? link;
  for (let body = robot.bodies.find((b) => b.link === start); body; body = robot.bodies.find((b) => b.link === body.parent)) found.push(body);
  return found;
}

// Positions with which each foot is where a straight leg would have it, but 15 % nearer to its hip.
export function standingPosture(robot, contacts, q, limits, base) {
  let x = q;
  const straight = forward(robot, q.map((_, j) => Math.min(limits[j][1], Math.max(limits[j][0], 0))), base), zero = forward(robot, q.map(() => 0), base);
  for (const link of new Set(contacts)) {
    const leg = chain(robot, link), hip = leg.length > 0 && straight[leg[leg.length - 1].link].p;
    if (!hip) continue;
    const foot = frame(robot, zero, link).p, target = [foot[0], foot[1], hip[2] + 0.85 * (foot[2] - hip[2])];
    for (let k = 0; k < 60; k++) x = approach(robot, x, link, base, target, limits);
  }
  return x;
}

// The least torques under which nothing accelerates, by the method of conjugate gradients for |A tau + a0|^2, from 0: the solver is
// linear in the torques, so that its columns are differences. solve(torques): accelerations.
export function holding(solve, n) {
  const a0 = solve(Array(n).fill(0)), columns = Array.from({ length: n }, (_, j) => solve(Array.from({ length: n }, (_, i) => (i === j ? 1 : 0))).map((x, k) => x - a0[k]));
  const dot = (u, v) => u.reduce((sum, x, i) => sum + x * v[i], 0);
  const times = (tau) => a0.map((_, k) => columns.reduce((sum, c, j) => sum + c[k] * tau[j], 0)), back = (r) => columns.map((c) => dot(c, r));
  let tau = Array(n).fill(0), r = a0.map((x) => -x), s = back(r), p = s, size = dot(s, s);
  for (let k = 0; k < 4 * n && size > 1e-24 * (1 + dot(a0, a0)); k++) {
    const Ap = times(p), alpha = size / dot(Ap, Ap);
    tau = tau.map((x, i) => x + alpha * p[i]);
    r = r.map((x, i) => x - alpha * Ap[i]);
    s = back(r);
    const next = dot(s, s);
    p = s.map((x, i) => x + (next / size) * p[i]);
    size = next;
  }
  return tau;
}

const norm = (v) => Math.hypot(...v);
const told = (x) => Number(x.toPrecision(3)).toString();

// What a solution means, in a sentence. found: values by column; gravity [m/s^2].
export function meaning({ robot, stands }, found, gravity, weight) {
  const joints = robot.joints.map((j) => ({ name: j.name, unit: j.unit, a: Math.abs(found[`qdd.${j.name}`] ?? 0) })).sort((a, b) => b.a - a.a);
  const fastest = joints[0], moves = fastest && fastest.a > 1e-3 ? `${fastest.name} accelerates most: ${told(fastest.a)} ${fastest.unit}/s²` : "";
  const base = ["lin_x", "lin_y", "lin_z"].map((c) => found[`base.acc.${c}`]);
  if (!base.every(Number.isFinite)) {
    if (!Object.values(found).every(Number.isFinite)) return "No solution: a number is not finite.";
    return fastest && "qdd." + fastest.name in found ? (moves ? `It moves: ${moves}.` : "It is at rest: nothing accelerates.") : "";
  }
  const turns = norm(["ang_x", "ang_y", "ang_z"].map((c) => found[`base.acc.${c}`] ?? 0));
  const falls = norm(base.map((x, i) => x - gravity[i])) < 1e-3 * norm(gravity);
  if (falls) return "It falls freely: nothing holds it.";
  if (norm(base) < 1e-3 && turns < 1e-3) {
    if (!stands) return moves ? `The base rests; ${moves}.` : "It is at rest: nothing accelerates.";
    const pushes = Object.entries(found).filter(([column]) => /^nu\..*\.lin_z$/.test(column)).map(([, x]) => x), up = pushes.reduce((sum, x) => sum + x, 0);
    if (Math.min(...pushes) < -1e-3 * weight) return "It would need contacts that pull: a foot leaves the ground.";
    return moves ? `The base rests; ${moves}.` : `It stands: nothing accelerates, and its contacts push up with ${told(up)} N; it weighs ${told(weight)} N.`;
  }
  return `Its base accelerates by ${told(norm(base))} m/s²${turns > 1e-3 ? ` and ${told(turns)} rad/s²` : ""}${moves ? "; " + moves : ""}.`;
}
