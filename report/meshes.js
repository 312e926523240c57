/* SPDX-License-Identifier: MIT */
// meshes.js: meshes of a robot as meshes.py packs them.

const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

// { link, points: x y z of each, triangles: three corners of each, low, high: the bounds }
export function unpack(mesh) {
  const at = new DataView(bytes(mesh.points).buffer), corners = new DataView(bytes(mesh.triangles).buffer);
  const points = new Float32Array(at.byteLength / 2), wide = mesh.wide ? 4 : 2;
  for (let i = 0; i < points.length; i++) points[i] = mesh.low[i % 3] + mesh.step[i % 3] * at.getUint16(2 * i, true);
  const triangles = new Uint32Array(corners.byteLength / wide);
  for (let i = 0; i < triangles.length; i++) triangles[i] = mesh.wide ? corners.getUint32(4 * i, true) : corners.getUint16(2 * i, true);
  return { link: mesh.link, points, triangles, low: mesh.low, high: mesh.low.map((x, i) => x + 65535 * mesh.step[i]) };
}

export function cornersOf(mesh) {
  const found = [];
  for (let k = 0; k < 8; k++) found.push([0, 1, 2].map((i) => ((k >> i) & 1 ? mesh.high[i] : mesh.low[i])));
  return found;
}
