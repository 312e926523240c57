/* SPDX-License-Identifier: MIT */
// reaching.js: joint positions that bring a link to a point.
import { forward, frame } from "./kinematics.js";

// A step of damped least squares that brings a link's origin nearer to a point:
// dq = J^T (J J^T + d)^-1 e, the Jacobian by differences.
export function approach(robot, q, link, base, target, limits) {
  const at = (x) => frame(robot, forward(robot, x, base), link).p, h = 1e-6;
  const p = at(q), e = target.map((x, i) => x - p[i]);
  const J = q.map((_, j) => at(q.map((x, i) => (i === j ? x + h : x))).map((x, i) => (x - p[i]) / h));
  const A = [0, 1, 2].map((i) => [0, 1, 2].map((k) => J.reduce((sum, c) => sum + c[i] * c[k], 0) + (i === k ? 1e-3 : 0)));
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const minors = [0, 1, 2].map((i) => cross(A[(i + 1) % 3], A[(i + 2) % 3]));
  const det = A[0].reduce((sum, x, i) => sum + x * minors[0][i], 0);
  const y = [0, 1, 2].map((i) => minors.reduce((sum, m, k) => sum + m[i] * e[k], 0) / det);
  return q.map((x, j) => Math.min(limits[j][1], Math.max(limits[j][0], x + J[j].reduce((sum, c, i) => sum + c * y[i], 0))));
}
