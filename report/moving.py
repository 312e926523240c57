# SPDX-License-Identifier: MIT
"""moving.py: how a robot moves in its page: by the step of a simulator that achdgen generates from what its layout says of the robot, and by the
solver of contacts of the runtime library, both compiled to WebAssembly as they are in C."""
import json
import os
import tempfile

import run_folder

# The solver's files each have functions of their own names: they are compiled one by one.
SOLVER = ("contact.c", "contact_factors.c", "contact_path.c")
PARTS = ("in", "out", "run", "forget")
LEAST_PERIOD = 1e-3  # of a step in the page [s]

# What a layout says of the robot itself. Rows that contacts produce become points that touch the floor, where it names no contacts. A loop that is
# closed has no contacts, limits and dry friction in a step: these are left out.
LAYOUT = """local given = %s
local kept = %s
local layout = { groups = {}, step = { time_step = "input" }, ties = given.ties }
for _, word in ipairs { "name", "root", "tips", "locked", "base", "gravity", "armature", "inertials", "joint_limits", "payload",
  "transmissions", "motors", "linkages" } do
  layout[word] = given[word]
end
local closed, feet = false, {}
for _, group in ipairs(given.groups or {}) do
  if group.to and group.kind ~= "artificial" then
    layout.groups[#layout.groups + 1] = group
    closed = true
  elseif group.kind == "physical" then
    feet[#feet + 1] = { name = group.name, frame = group.frame, kind = "point" }
  end
end
local friction = type(given.friction) == "table" and given.friction or {}
local dry = kept.dry and not closed and friction.coulomb or nil
for _, motor in pairs(dry == nil and (closed or not kept.dry) and type(layout.motors) == "table" and layout.motors or {}) do
  if type(motor) == "table" then motor.coulomb = nil end
end
if dry or friction.viscous then layout.friction = { viscous = friction.viscous, coulomb = dry } end
if kept.contacts and not closed then layout.contacts = given.contacts or (#feet > 0 and feet or nil) end
if kept.limits and not closed then layout.limits = {} end
if kept.pull then layout.wrenches = { { name = "pull", frame = kept.pull, kind = "physical" } } end
return layout
"""


def layout_text(layout, kept):
    """layout: a name in the folder of what is written; None: the default."""
    words = ", ".join(f"{key} = {json.dumps(x)}" for key, x in kept.items() if x)
    return LAYOUT % (f"include {json.dumps(layout)}" if layout else "{}", "{ " + words + " }")


class Step:
    """The step of a robot, and what of its layout is left out."""

    def __init__(self, description, function, arguments, left):
        self.description, self.function, self.arguments, self.left = description, function, arguments, left
        self.solved = function["name"] == "step_begin"

    def length(self, name):
        return next((len(f["elements"]) for f in self.function["out"]["fields"] if f["name"] == name), 0)

    def rows(self):
        """Rows of contacts, limits and dry friction."""
        contacts, boxes, rows = self.length("mu"), self.length("box"), self.length("b")
        return {"rows": rows, "contacts": contacts, "limits": rows - 3 * contacts - boxes, "boxes": boxes}


def described(run, achdgen, urdf, layout, base, folder):
    """The step of a robot. run(command, what) returns what is printed; layout: path or None; base: of the description. Mistake: there is none."""
    name = None
    if layout:
        os.symlink(os.path.realpath(os.path.dirname(layout) or "."), os.path.join(folder, "of"))
        name = "of/" + os.path.basename(layout)
    kept, left, why = {"limits": True, "dry": True, "contacts": True, "pull": base["link"] if base["kind"] != "fixed" else None}, [], None
    path = os.path.join(folder, "moving.lua")
    for dropped in (None, "limits", "dry", "contacts"):
        if dropped:
            kept[dropped] = False
            left.append({"limits": "limits of joints", "dry": "dry friction", "contacts": "contacts"}[dropped])
        with open(path, "w", encoding="utf-8") as file:
            file.write(layout_text(name, kept))
        for function in ("step_begin", "step"):
            arguments = [urdf, "--layout", path, "--functions", function]
            try:
                told = json.loads(run([achdgen, *arguments, "--describe", "json"], "the robot has no step"))
                step = Step(told, next(f for f in told["functions"] if f["name"] == function), arguments, left)
                given = {e["column"] for f in step.function["in"]["fields"] for e in f["elements"]}
                if not all(f"tau.{joint['name']}" in given for joint in told["joints"]):
                    raise run_folder.Mistake("the torques of its step are not those of its joints")
                return step
            except run_folder.Mistake as mistake:
                why = why or mistake
    raise why


def source_of(step, header):
    """C around the header: a step from what stands in `in`, which is then where the robot is. 0: it went well."""
    c, macros = step.function["c"].removesuffix("_begin"), step.description["macros"]
    lines = [f"#define {macros}_IMPLEMENTATION", f'#include "{header}"', f"static {c}_in in;", f"static {c}_out out;"]
    go = [f"  const unsigned status = {c}(&in, &out) & {macros}_DO_NOT_COMMAND;"]
    forget = ""
    if step.solved:
        of = step.rows()
        fields = [f".contacts = {of['contacts']}, .limits = {of['limits']}, .boxes = {of['boxes']}, .A = begin.A, .b = begin.b, .gap = begin.gap"]
        fields += [".mu = begin.mu"] if of["contacts"] else []
        fields += [".bound = begin.box"] if of["boxes"] else []
        lines += ["#include <achd/contact.h>", f"static {c}_begin_out begin;", f"static double lambda[{of['rows']}], work[ACHD_CONTACT_WORK({of['rows']})];"]
        go = [f"  if ({c}_begin(&in, &begin) & {macros}_DO_NOT_COMMAND) return 1;", f"  const achd_contact_problem problem = {{{', '.join(fields)}}};",
              "  achd_contact_report report;", "  if (achd_contact_solve(&problem, lambda, 0, work, &report) != ACHD_CONTACT_SOLVED) {", "    move_forget();",
              "    if (achd_contact_solve(&problem, lambda, 0, work, &report) != ACHD_CONTACT_SOLVED) return 2;", "  }",
              f"  const unsigned status = {c}_end(&in, &begin, lambda, &out) & {macros}_DO_NOT_COMMAND;"]
        forget = f"for (int i = 0; i < {of['rows']}; i++) lambda[i] = 0;"
    parts = ["q", "qd"] if any(f["name"] == "q" for f in step.function["in"]["fields"]) else []
    go += ["  if (status) return status;", *(f"  for (unsigned i = 0; i < sizeof in.{x} / sizeof *in.{x}; i++) in.{x}[i] = out.{x}_next[i];" for x in parts)]
    kind = step.description["base"]["kind"]
    if kind == "floating":
        go += ["  for (int i = 0; i < 3; i++) in.base.position[i] = out.base_next.position[i];", "  in.base.quat = out.base_next.quat;", "  in.base.twist = out.base_next.twist;"]
    elif kind == "planar":
        go += ["  in.base.x = out.base_next.x;", "  in.base.y = out.base_next.y;", "  in.base.yaw = out.base_next.yaw;", "  in.base.twist = out.base_next.twist;"]
    lines += ["void *move_in(void);", "void *move_out(void);", "void move_forget(void);", "unsigned move_run(void);", "void *move_in(void) { return &in; }",
              "void *move_out(void) { return &out; }", "/* The next step begins from no known impulses. */", "void move_forget(void) { " + forget + " }",
              "unsigned move_run(void) {", *go, "  return 0;", "}"]
    return "\n".join(lines) + "\n"


def compiled(run, step, achdgen, clang, flags, folder):
    """The step as WebAssembly. flags: of the compiler."""
    runtime = os.path.join(os.path.dirname(os.path.realpath(__file__)), "runtime")
    with open(os.path.join(folder, "moving.c"), "w", encoding="utf-8") as file:
        file.write(source_of(step, "moving.h"))
    run([achdgen, *step.arguments, "-q", "--no-prove", "-o", os.path.join(folder, "moving.h")], "achdgen makes no step")
    objects = []
    compiler = [flag for flag in flags if not flag.startswith(("-Wl,", "-nostdlib", "-O"))] + ["-Os"]
    for source in [os.path.join(folder, "moving.c"), *(os.path.join(runtime, name) for name in SOLVER if step.solved)]:
        objects.append(os.path.join(folder, os.path.basename(source) + ".o"))
        run([clang, *compiler, "-c", "-I", runtime, "-o", objects[-1], source], "clang makes no WebAssembly of the step")
    exports = [f"-Wl,--export=move_{part}" for part in PARTS]
    linked = os.path.join(folder, "moving.wasm")
    run([clang, *flags, *exports, "-o", linked, *objects], "clang makes no WebAssembly of the step")
    with open(linked, "rb") as file:
        return file.read()


def made(run, achdgen, clang, flags, arguments, description):
    """What the page needs to let the robot move, and a remark; (None, why) where it cannot. arguments: of achdgen: URDF, --layout, FILE. The
    remark says what is left out."""
    layout = arguments[arguments.index("--layout") + 1] if "--layout" in arguments else None
    with tempfile.TemporaryDirectory() as folder:
        try:
            step = described(run, achdgen, os.path.realpath(arguments[0]), layout, description["base"], folder)
            code = compiled(run, step, achdgen, clang, flags, folder)
        except run_folder.Mistake as mistake:
            return None, f"the robot does not move in the page: {mistake}"
    left = [what for what in step.left if what != "limits of joints" or any(j.get("lower") is not None or j.get("upper") is not None for j in description["joints"])]
    remark = f"in the page the robot moves without {' and '.join(left)}" if left else None
    return {"step": step, "wasm": code}, remark
