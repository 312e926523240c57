/* SPDX-License-Identifier: MIT */
// ellipsoid.js: the ellipsoid of a symmetric 3 x 3 matrix A = J J^T: what J makes of vectors of norm 1.

// Eigenvalues of A, largest first, and their unit vectors: rotations of Jacobi that make it diagonal.
export function eigen(A) {
  const a = A.map((row) => [...row]), V = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let round = 0; round < 30; round++)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(a[p][q]) < 1e-300) continue;
      const angle = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = Math.sign(angle || 1) / (Math.abs(angle) + Math.hypot(angle, 1)), c = 1 / Math.hypot(t, 1), s = t * c;
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; k++) [V[k][p], V[k][q]] = [c * V[k][p] - s * V[k][q], s * V[k][p] + c * V[k][q]];
    }
  return [0, 1, 2].map((i) => ({ value: a[i][i], vector: V.map((row) => row[i]) })).sort((x, y) => y.value - x.value);
}

// Semi-axes of the ellipsoid { J u: |u| = 1 } of three rows, as { length, vector }.
export function semiAxes(rows) {
  const gram = rows.map((a) => rows.map((b) => a.reduce((sum, x, i) => sum + x * b[i], 0)));
  return eigen(gram).map(({ value, vector }) => ({ length: Math.sqrt(Math.max(0, value)), vector }));
}

// The three ellipses in the planes of two of these axes each, as lines.
export function outlines(center, axes, scale) {
  const around = Array.from({ length: 49 }, (_, k) => (k * Math.PI) / 24);
  return [[0, 1], [0, 2], [1, 2]].map(([p, q]) =>
    around.map((t) => center.map((x, i) => x + scale * (Math.cos(t) * axes[p].length * axes[p].vector[i] + Math.sin(t) * axes[q].length * axes[q].vector[i]))),
  );
}
