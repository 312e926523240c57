// webgl.js: the parts of viewer.js by three.js. Throws where there is no WebGL.
import {
  AmbientLight, BufferGeometry, CapsuleGeometry, Color, ConeGeometry, CylinderGeometry, DirectionalLight, GridHelper, Group,
  HemisphereLight, Line, LineBasicMaterial, Matrix4, Mesh, MeshStandardMaterial, PerspectiveCamera, Scene, SphereGeometry, Vector3,
  WebGLRenderer,
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
  let colors = {}, grid = null, links = new Map(), materials = new Map();
  eye.up.set(0, 0, 1);
  scene.add(new AmbientLight(0xffffff, 0.4), sky, sun, content);
  sky.position.set(0, 0, 1);

  const material = (name, make) => {
    const key = make.name + name;
    if (!materials.has(key)) materials.set(key, make(new Color(colors[name] || name)));
    return materials.get(key);
  };
  const solid = (color) => new MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.05 });
  const glass = (color) => new MeshStandardMaterial({ color, transparent: true, opacity: 0.25, depthWrite: false });
  const thread = (color) => new LineBasicMaterial({ color });

  const arrow = (part, size) => {
    const both = new Group(), long = distance(part.from, part.to), head = Math.min(0.3 * long, 0.04 * size);
    if (!(long > 1e-6)) return both;
    const neck = part.to.map((x, i) => x + ((part.from[i] - x) * head) / long);
    both.add(between(new CylinderGeometry(0.005 * size, 0.005 * size, long - head, 12), material(part.color, solid), part.from, neck));
    both.add(between(new ConeGeometry(0.3 * head + 0.005 * size, head, 16), material(part.color, solid), neck, part.to));
    return both;
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
        const ball = new Mesh(new SphereGeometry(radius, 24, 16), material(part.color, glass));
        ball.position.set(...from);
        return ball;
      }
      case "arrow":
        return arrow(part, size);
      default:
        return new Line(new BufferGeometry().setFromPoints(part.points.map((p) => new Vector3(...p))), material(part.color, thread));
    }
  };
  const clear = () => {
    content.traverse((o) => o.geometry && o.geometry.dispose());
    content.clear();
    links = new Map();
  };

  return {
    kind: "webgl",
    setColors(next) {
      colors = next;
      for (const m of materials.values()) m.dispose();
      materials = new Map();
      scene.background = new Color(colors.background);
      if (grid) scene.remove(grid), grid.geometry.dispose(), grid.material.dispose();
      grid = null;
    },
    setParts(parts, size) {
      clear();
      if (!grid) {
        grid = new GridHelper(4 * size, 20, colors.grid, colors.grid);
        grid.rotation.x = Math.PI / 2;
        scene.add(grid);
      }
      sun.position.set(size, -2 * size, 3 * size);
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
      for (const [link, group] of links) {
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
      clear();
      for (const m of materials.values()) m.dispose();
      renderer.dispose();
    },
  };
}
