/* SPDX-License-Identifier: MIT */
// camera.js: where viewer.js looks from, and where a canvas shows what it sees.
const still = { azimuth: 0.9, elevation: 0.35 };

export function createCamera(size) {
  const camera = { target: [0, 0, 0.4 * size], distance: 2.6 * size, ...still, fov: 40 };
  camera.eye = () => {
    const c = Math.cos(camera.elevation) * camera.distance;
    return [
      camera.target[0] + c * Math.cos(camera.azimuth),
      camera.target[1] + c * Math.sin(camera.azimuth),
      camera.target[2] + Math.sin(camera.elevation) * camera.distance,
    ];
  };
  camera.turn = (a, e) => {
    camera.azimuth -= a;
    camera.elevation = Math.min(1.5, Math.max(-1.5, camera.elevation + e));
  };
  camera.zoom = (factor) => {
    camera.distance = Math.min(100 * size, Math.max(0.1 * size, camera.distance * factor));
  };
  // along the camera's right and upward axes, in shares of the picture's height
  camera.move = (x, y) => {
    const s = Math.sin(camera.azimuth), c = Math.cos(camera.azimuth), e = Math.sin(camera.elevation);
    const d = 2 * camera.distance * Math.tan((camera.fov * Math.PI) / 360);
    camera.target[0] += d * (-s * x - c * e * y);
    camera.target[1] += d * (c * x - s * e * y);
    camera.target[2] += d * Math.cos(camera.elevation) * y;
  };
  return camera;
}

// Where a point of the world is in a canvas [pixels], its depth and pixels per metre there; and the
// camera's axes.
export function projection(camera, width, height) {
  const eye = camera.eye(), [s, c] = [Math.sin(camera.azimuth), Math.cos(camera.azimuth)];
  const [se, ce] = [Math.sin(camera.elevation), Math.cos(camera.elevation)];
  const right = [-s, c, 0], above = [-c * se, -s * se, ce], ahead = [-c * ce, -s * ce, -se];
  const along = (v, axis) => v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
  const focus = height / 2 / Math.tan((camera.fov * Math.PI) / 360);
  const to = (point) => {
    const v = point.map((x, i) => x - eye[i]), z = Math.max(along(v, ahead), camera.distance / 100);
    return { x: width / 2 + (focus * along(v, right)) / z, y: height / 2 - (focus * along(v, above)) / z, z, scale: focus / z };
  };
  return { to, right, above };
}
