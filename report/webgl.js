/* SPDX-License-Identifier: MIT */
// webgl.js: the parts of viewer.js by three.js. Throws where there is no WebGL.
import {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, ConeGeometry, CurvePath, CylinderGeometry, DirectionalLight, DoubleSide, GridHelper, Group, HemisphereLight,
  LineCurve3, Matrix4, Mesh, MeshStandardMaterial, PerspectiveCamera, Scene, SphereGeometry, TubeGeometry, Vector3, WebGLRenderer,
} from "three";

const up = new Vector3(0, 1, 0);

// A mesh whose geometry is along y, between two points.
function between(geometry, material, from, to) {
  const mesh = new Mesh(geometry, material);
  const a = new Vector3(...from), b = new Vector3(...to), along = b.clone().sub(a);
  mesh.position.copy(a).addScaledVector(along, 0.5);
  if (along.length() > 0) mesh.quaternion.setFromUnitVectors(up, along.normalize());
  return mesh;
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

export function createWebgl(canvas) {
  // asked first: three.js would write errors to the console
  if (!document.createElement("canvas").getContext("webgl2")) throw new Error("no WebGL");
  const renderer = new WebGLRenderer({ canvas, antialias: true });
  const scene = new Scene(), eye = new PerspectiveCamera(40, 1, 0.01, 1000), content = new Group();
  const sun = new DirectionalLight(0xffffff, 2), sky = new HemisphereLight(0xffffff, 0x888888, 1.3);
  let colors = {}, grid = null, materials = new Map();
  const groups = new Map(); // of parts: of each, the objects by their links
  eye.up.set(0, 0, 1);
  scene.add(new AmbientLight(0xffffff, 0.4), sky, sun, content);
  sky.position.set(0, 0, 1);

  const material = (name, make) => {
    const key = make.name + name;
    if (!materials.has(key)) materials.set(key, make(new Color(colors[name] || name)));
    return materials.get(key);
  };
  const solid = (color) => new MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.05 });
  // Of files, whose triangles may turn either side outwards.
  const shell = (color) => new MeshStandardMaterial({ color, roughness: 0.6, metalness: 0.05, flatShading: true, side: DoubleSide });
  const glass = (color) => new MeshStandardMaterial({ color, transparent: true, opacity: 0.25, depthWrite: false });

  // What stands in the world: the robot behind it is seen.
  const pane = (color) => new MeshStandardMaterial({ color, roughness: 0.8, transparent: true, opacity: 0.5, depthWrite: false });

  // Axes of frames, and what is inside of links, are seen through the robot.
  const ahead = (color) => new MeshStandardMaterial({ color, roughness: 0.55, depthTest: false, transparent: true, opacity: 0.85 });
  const arrow = (part, size) => {
    const look = material(part.color, part.ahead || "xyz".includes(part.color) ? ahead : solid), both = new Group(), long = distance(part.from, part.to), head = Math.min(0.3 * long, 0.04 * size);
    if (!(long > 1e-6)) return both;
    const neck = part.to.map((x, i) => x + ((part.from[i] - x) * head) / long);
    both.add(between(new CylinderGeometry(0.005 * size, 0.005 * size, long - head, 12), look, part.from, neck));
    both.add(between(new ConeGeometry(0.3 * head + 0.005 * size, head, 16), look, neck, part.to));
    return both;
  };
  // Lines are one pixel wide in WebGL: a path is a thin tube.
  const line = (part, size) => {
    const curve = new CurvePath();
    for (const [k, p] of part.points.entries()) {
      const before = part.points[k - 1];
      if (before && distance(before, p) > 1e-4 * size) curve.add(new LineCurve3(new Vector3(...before), new Vector3(...p)));
    }
    if (curve.curves.length === 0) return new Group();
    return new Mesh(new TubeGeometry(curve, Math.min(2000, 2 * curve.curves.length), 0.004 * size, 8), material(part.color, solid));
  };
  const object = (part, size) => {
    const { from, to, radius } = part;
    switch (part.kind) {
      case "capsule":
        return between(new CapsuleGeometry(radius, distance(from, to), 8, 24), material(part.color, solid), from, to);
      case "cylinder":
        return between(new CylinderGeometry(radius, radius, distance(from, to), 32), material(part.color, solid), from, to);
      case "tube":
        return between(new CylinderGeometry(radius, radius, distance(from, to), 32, 1, true), material(part.color, glass), from, to);
      case "sphere": {
        const ball = new Mesh(new SphereGeometry(radius, 24, 16), material(part.color, part.ahead ? ahead : glass));
        ball.position.set(...from);
        return ball;
      }
      case "ellipsoid": {
        const ball = new Mesh(new SphereGeometry(1, 32, 20), material(part.color, glass)), [a, b, c] = part.axes.map((v) => new Vector3(...v));
        if (a.clone().cross(b).dot(c) < 0) c.negate(); // a right-handed frame: triangles keep their outer side
        ball.matrixAutoUpdate = false;
        ball.matrix.makeBasis(a, b, c).setPosition(...from);
        return ball;
      }
      case "box": {
        const box = new Mesh(new BoxGeometry(...part.size), material(part.color, pane)), { p, R } = part.at;
        box.matrixAutoUpdate = false;
        box.matrix.set(...R[0], p[0], ...R[1], p[1], ...R[2], p[2], 0, 0, 0, 1);
        return box;
      }
      case "arrow":
        return arrow(part, size);
      case "mesh": {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(part.points, 3));
        geometry.setIndex(new BufferAttribute(part.triangles, 1));
        return new Mesh(geometry, material(part.color, shell));
      }
      default:
        return line(part, size);
    }
  };
  const clear = (name) => {
    for (const group of (groups.get(name) || new Map()).values()) {
      group.traverse((o) => o.geometry && o.geometry.dispose());
      content.remove(group);
    }
    groups.set(name, new Map());
  };
  const drawFloor = (size) => {
    if (grid) scene.remove(grid), grid.geometry.dispose(), grid.material.dispose();
    grid = new GridHelper(4 * size, 20, colors.grid, colors.grid);
    grid.rotation.x = Math.PI / 2;
    scene.add(grid);
    sun.position.set(size, -2 * size, 3 * size);
  };

  return {
    kind: "webgl",
    setColors(next, size) {
      colors = next;
      for (const m of materials.values()) m.dispose();
      materials = new Map();
      scene.background = new Color(colors.background);
      drawFloor(size);
    },
    setParts(name, parts, size) {
      clear(name);
      const links = groups.get(name);
      for (const part of parts) {
        const to = part.link || "";
        if (!links.has(to)) {
          const group = new Group();
          group.matrixAutoUpdate = false;
          links.set(to, group);
          content.add(group);
        }
        links.get(to).add(object(part, size));
      }
    },
    draw(camera, poses) {
      for (const [link, group] of [...groups.values()].flatMap((links) => [...links])) {
        const pose = poses[link];
        if (!pose) continue;
        const { p, R } = pose;
        group.matrix.copy(new Matrix4().set(...R[0], p[0], ...R[1], p[1], ...R[2], p[2], 0, 0, 0, 1));
        group.matrixWorldNeedsUpdate = true;
      }
      eye.fov = camera.fov;
      eye.near = camera.distance / 100;
      eye.far = camera.distance * 100;
      eye.updateProjectionMatrix();
      eye.position.set(...camera.eye());
      eye.lookAt(...camera.target);
      renderer.render(scene, eye);
    },
    resize(width, height, ratio) {
      renderer.setPixelRatio(ratio);
      renderer.setSize(width, height);
      eye.aspect = width / height;
    },
    dispose() {
      for (const name of groups.keys()) clear(name);
      for (const m of materials.values()) m.dispose();
      renderer.dispose();
    },
  };
}
