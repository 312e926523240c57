/* SPDX-License-Identifier: MIT */
// mjcf_newer.mjs PACKAGE: MuJoCo by npm's mujoco-js. Reads lines `MODE MODEL STATES SEED` from standard input, MODE `motion`, `loops` or `steps`,
// and answers each as mjcf_motion.c and mjcf_loops.c do, but `loops` at the posture of the file and at rest; `steps`: the states of `motion`, each
// followed by the state half a second of free motion later, by 500 steps of Runge and Kutta's method. `end` behind each answer.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , folder] = process.argv;
const load = (await import(pathToFileURL(`${folder}/dist/mujoco_wasm.js`).href)).default;
const mujoco = await load({ print: () => {}, printErr: () => {} });

const FREE = 0, CONNECT = 0, WELD = 1; // mjtJoint; mjtEq

const DISABLE = { all: 1, friction: 4, limit: 8, contact: 16, spring: 32, damper: 64, gravity: 128, warm: 512, actuation: 2048 }; // mjtDisableBit

function generator(seed) { // xorshift
  let x = BigInt(seed) * 2654435761n + 88172645463325252n;
  return () => {
    x ^= (x << 13n) & 0xffffffffffffffffn;
    x ^= x >> 7n;
    x ^= (x << 17n) & 0xffffffffffffffffn;
    return (2 * Number((x >> 11n) & 0x1fffffffffffffn)) / 2 ** 53 - 1;
  };
}

const rotation = ([w, x, y, z]) => [
  [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
  [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
  [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
];

function answer(mode, path, count, seed) {
  const out = [], draw = generator(seed), say = (name, x) => out.push(`${name} ${x}`);
  const decode = new TextDecoder(), names = (m) => {
    const all = m.names, at = m.name_jntadr; // text of all names, each ended by 0
    return Array.from({ length: m.njnt }, (_, j) => {
      let end = at[j];
      while (all[end] !== 0) end++;
      return decode.decode(Uint8Array.from(all.slice(at[j], end))) || `joint_${j}`;
    });
  };
  for (const name of readdirSync(dirname(path))) if (/\.(stl|obj)$/.test(name)) mujoco.FS.writeFile(`/${name}`, readFileSync(join(dirname(path), name)));
  mujoco.FS.writeFile("/model.xml", readFileSync(path));
  const m = mujoco.MjModel.loadFromXML("/model.xml");
  if (!m) throw new Error("refused");
  const d = new mujoco.MjData(m), nv = m.nv, joints = names(m);
  const bits = m.opt.disableflags & ~DISABLE.gravity; // some files switch it off
  m.opt.disableflags = bits | (mode === "motion" ? DISABLE.all : mode === "steps" ? DISABLE.all | DISABLE.spring | DISABLE.damper | DISABLE.actuation : DISABLE.friction | DISABLE.limit | DISABLE.contact | DISABLE.spring | DISABLE.damper | DISABLE.warm | DISABLE.actuation);
  m.opt.jacobian = 0; // dense
  m.opt.solver = 2; // Newton
  m.opt.tolerance = 0;
  m.opt.iterations = 100;
  if (mode === "steps") {
    m.opt.integrator = 1; // mjINT_RK4
    m.opt.timestep = 0.001;
  }
  const vector = (n) => Array.from({ length: n }, draw);
  const xyz = (name, v) => v.forEach((x, i) => say(`${name}${"xyz"[i]}`, x));
  const twist = (name, v, R) => {
    xyz(`${name}lin_`, v.slice(0, 3));
    xyz(`${name}ang_`, R.map((row) => row.reduce((sum, r, i) => sum + r * v[3 + i], 0)));
  };
  const positions = () => {
    for (let j = 0; j < m.njnt; j++) {
      say(`q.${joints[j]}`, d.qpos[m.jnt_qposadr[j]]);
      say(`qd.${joints[j]}`, d.qvel[m.jnt_dofadr[j]]);
    }
  };
  for (let k = 0; k < count; k++) {
    const gravity = vector(3).map((x) => 10 * x);
    for (let i = 0; i < 3; i++) m.opt.gravity[i] = gravity[i];
    if (mode !== "loops") {
      vector(m.nq).forEach((x, i) => (d.qpos[i] = 3 * x));
      for (let j = 0; j < m.njnt; j++)
        if (m.jnt_type[j] === FREE) {
          const at = m.jnt_qposadr[j] + 3, size = Math.hypot(...Array.from(d.qpos.slice(at, at + 4)));
          for (let i = 0; i < 4; i++) d.qpos[at + i] /= size;
        }
      vector(nv).forEach((x, i) => (d.qvel[i] = x));
    } else {
      for (let i = 0; i < m.nq; i++) d.qpos[i] = m.qpos0[i];
      for (let i = 0; i < nv; i++) d.qvel[i] = 0;
    }
    const push = vector(nv).map((x) => 5 * x);
    for (let i = 0; i < nv; i++) d.qfrc_applied[i] = mode === "loops" ? push[i] : 0;
    if (mode === "steps") {
      for (const steps of [0, 500]) {
        for (let i = 0; i < steps; i++) mujoco.mj_step(m, d);
        positions();
        xyz("gravity.", gravity);
        out.push("state 0");
      }
      continue;
    }
    mujoco.mj_forward(m, d);
    const full = new mujoco.DoubleBuffer(nv * nv);
    mujoco.mj_fullM(m, full, Array.from(d.qM));
    const M = Array.from(full.GetView());
    full.delete();
    const bias = Array.from(d.qfrc_bias), qacc = mode === "motion" ? push : Array.from(d.qacc);
    const torque = bias.map((h, i) => h + qacc.reduce((sum, a, c) => sum + M[i * nv + c] * a, 0));
    for (let j = 0; j < m.njnt; j++) {
      const q = m.jnt_qposadr[j], v = m.jnt_dofadr[j], name = joints[j];
      if (m.jnt_type[j] === FREE) {
        const quat = Array.from(d.qpos.slice(q + 3, q + 7)), R = rotation(quat), part = (a) => Array.from(a.slice(v, v + 6));
        say("base.quat.w", quat[0]);
        xyz("base.quat.", quat.slice(1));
        twist("base.twist.", part(d.qvel), R);
        twist("base.acc.", part(qacc), R);
        twist("base.wrench.", part(torque), R);
        continue;
      }
      say(`q.${name}`, d.qpos[q]);
      say(`qd.${name}`, d.qvel[v]);
      if (mode === "motion") {
        say(`qdd.${name}`, qacc[v]);
        say(`tau.${name}`, torque[v]);
        continue;
      }
      say(`tau.${name}`, push[v]);
      say(`qacc.${name}`, qacc[v]);
      say(`bias.${j}`, bias[v]);
      for (let i = 0; i < nv; i++) say(`M.${j}.${i}`, M[v * nv + i]);
    }
    xyz("gravity.", gravity);
    for (let r = 0, last = -1; mode === "loops" && r < d.ne; r++) {
      const e = d.efc_id[r], kind = m.eq_type[e];
      say(`row.${r}.kind`, kind);
      say(`row.${r}.Jdqd`, 0);
      say(`row.${r}.R`, d.efc_R[r]);
      say(`row.${r}.aref`, d.efc_aref[r]);
      for (let i = 0; i < nv; i++) say(`row.${r}.J.${i}`, d.efc_J[r * nv + i]);
      if (e === last) continue;
      last = e;
      const sites = m.eq_objtype[e] === 6, mats = sites ? d.site_xmat : d.xmat; // mjOBJ_SITE
      say(`eq.${e}.first`, r);
      say(`eq.${e}.sign`, 1);
      for (let i = 0; i < 9 && (kind === CONNECT || kind === WELD); i++) {
        say(`eq.${e}.R1.${Math.floor(i / 3)}${i % 3}`, mats[9 * m.eq_obj1id[e] + i]);
        say(`eq.${e}.R2.${Math.floor(i / 3)}${i % 3}`, mats[9 * m.eq_obj2id[e] + i]);
      }
    }
    out.push("state 0");
  }
  d.delete();
  m.delete();
  return out;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [mode, path, count, seed] = line.split(" ");
  let out;
  try {
    out = answer(mode, path, Number(count), Number(seed));
  } catch (error) {
    out = [`refused: ${String(error?.message ?? error).split("\n")[0]}`];
  }
  process.stdout.write(out.join("\n") + "\nend\n");
}
