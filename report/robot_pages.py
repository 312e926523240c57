# SPDX-License-Identifier: MIT
"""robot_pages.py: the HTML of a robot with its solver, from what achdgen prints about it."""
import base64
import gzip
import json
import math
import os
import subprocess
import tempfile

import function_cards
import moving
import pages
import run_folder

ESC = pages.escaped
LOOPS = ("mclp", "qp")  # what the runtime library goes on with


# ---- the generated code ----

def run(command, what):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except OSError as error:
        raise run_folder.Mistake(f"{command[0]}: {error.strerror}; {what}") from None
    except subprocess.CalledProcessError as error:
        raise run_folder.Mistake(f"{what}:\n{error.stderr.strip()}") from None


def described(achdgen, robot, named=None):
    """What achdgen says about a robot and its functions, and the arguments that it was asked with. Some rows are solved by a loop
    at run time, which a page does not have: it then shows the robot without a solver. named: functions to show; None: those
    of function_cards.SHOWN that the layout can have, and why it cannot have the others."""
    def ask(functions):
        with_drawing = [*functions, *(function_cards.DRAWN_BY[name] for name in functions if name in function_cards.DRAWN_BY)]
        arguments = [*robot, "--functions", ",".join(dict.fromkeys(with_drawing))]
        return json.loads(run([achdgen, *arguments, "--describe", "json"], "achdgen does not describe the robot")), arguments

    def refusal(functions):
        try:
            ask(functions)
            return None
        except run_folder.Mistake as mistake:
            return str(mistake)
    unsolved = refusal(["achd", "gravity"])
    solver = "achd" if not unsolved else next((name for name in LOOPS if f"--functions {name}" in unsolved), None)
    if not solver:
        raise run_folder.Mistake(unsolved)
    names, refused = function_cards.SHOWN if named is None else named, []
    if named is None and refusal([solver, "gravity", *names]):
        why = {name: refusal([solver, "gravity", name]) for name in names}
        names, refused = [name for name in names if not why[name]], [reason_of(text) for text in why.values() if text]
    if names == ["all"]:
        names = [f["name"] for f in ask(["all"])[0]["functions"] if f["name"] != "achd" and not f.get("after") and f["name"] not in LOOPS]
    description, arguments = ask(list(dict.fromkeys([solver, "gravity", *names])))
    run_folder.check_turns(description)
    for f in description["functions"]:
        if f["name"] in names and (f.get("after") or f["name"] in LOOPS):
            raise run_folder.Mistake(f"--functions {f['name']}: no function for a page, as the runtime library solves what it is about; leave it out")
    return {**description, "shown": names, "refused": refused}, arguments


def reason_of(text):
    """ "osim has no policy truncate" of what achdgen says."""
    return next((line.split("error: ", 1)[1] for line in text.splitlines() if "error: " in line), text) + "."


def is_bounded(description):
    return any(f["name"] in LOOPS for f in description["functions"])


def runs(description):
    """The functions that run in the page."""
    return [f for f in description["functions"] if f["name"] not in LOOPS and not f.get("after")]


def source_of(description, header):
    """C around a header: for each function its inputs, its outputs, and a call."""
    lines = [f"#define {description['macros']}_IMPLEMENTATION", f'#include "{header}"']
    for f in runs(description):
        name, c = f["name"], f["c"]
        lines += [f"static {f['in']['type']} {name}_input;", f"static {f['out']['type']} {name}_output;", f"void *{name}_in(void);", f"void *{name}_out(void);",
                  f"unsigned {name}_run(void);", f"void *{name}_in(void) {{ return &{name}_input; }}", f"void *{name}_out(void) {{ return &{name}_output; }}",
                  f"unsigned {name}_run(void) {{ return (unsigned){c}(&{name}_input, &{name}_output); }}"]
    return "\n".join(lines) + "\n"


WASM = ["--target=wasm32", "-std=c99", "-O2", "-ffreestanding", "-nostdlib", "-ffp-contract=off", "-mbulk-memory", "-Wl,--no-entry", "-Wl,--strip-all"]


def compiled(description, arguments, achdgen, clang):
    """The functions as WebAssembly."""
    with tempfile.TemporaryDirectory() as folder:
        header = os.path.join(folder, "robot.h")
        run([achdgen, *arguments, "-q", "--no-prove", "-o", header], "achdgen makes no header")
        with open(os.path.join(folder, "robot.c"), "w", encoding="utf-8") as file:
            file.write(source_of(description, "robot.h"))
        exports = [f"-Wl,--export={f['name']}_{part}" for f in runs(description) for part in ("in", "out", "run")]
        run([clang, *WASM, *exports, "-o", os.path.join(folder, "robot.wasm"), os.path.join(folder, "robot.c")],
            "clang makes no WebAssembly of the solver (Debian: clang and lld); --no-solver makes a page without it")
        with open(os.path.join(folder, "robot.wasm"), "rb") as file:
            return file.read()


# ---- inputs ----

def slider(element, low, high, value):
    column = ESC(element["column"])
    name = ESC(element["column"].split(".", 1)[-1])
    return f'<label class="slide"><span title="{column}">{name}</span><input type="range" data-column="{column}" min="{low:.6g}" max="{high:.6g}" step="any" value="{value:.6g}">' \
        f'<input type="number" step="any" data-value="{column}" aria-label="{name}" value="{value:.3f}"><span class="soft">{ESC(element["unit"])}</span></label>'


def box(element):
    column = ESC(element["column"])
    return f'<label class="tick"><input type="checkbox" data-column="{column}"{" checked" if element["default"] else ""}> {ESC(element["column"].split(".", 1)[-1])}</label>'


def number(element, value):
    column = ESC(element["column"])
    return f'<label class="slide lone"><span title="{column}">{column}</span><input type="number" step="any" data-column="{column}" value="{value:.6g}"><span class="soft">{ESC(element["unit"])}</span></label>'


def start_of(joint, base, posture=None):
    """That of the robot's file, or a position within the limits, bent a little, so that the robot is not stretched. base: its kind."""
    if posture is not None:
        return posture
    low, high = joint.get("lower"), joint.get("upper")
    if base == "floating" and low is not None and high is not None and abs(low + high) <= 0.1 * (high - low):
        return 0.0  # legs that turn outwards as far as inwards
    low, high = -math.pi if low is None else low, math.pi if high is None else high
    return min(max(0.35 if joint["unit"] == "rad" else 0.0, low + 0.1 * (high - low)), high - 0.1 * (high - low)) if high > low else low


def joint_range(joint):
    low, high = joint.get("lower"), joint.get("upper")
    return -math.pi if low is None else low, math.pi if high is None else high


def units_of(field):
    """The units of a field in their order; descriptions of achdgen 0.4.0 have them only by element."""
    return field.get("units") or ", ".join(dict.fromkeys(e["unit"] for e in field["elements"]))


def input_cards(description, function, shown):
    """Of the solver, and of the functions beside it; the script hides what the chosen one does not take."""
    velocities = {"qd." + j["name"]: j for j in description["joints"]} | {"qd_r." + j["name"]: j for j in description["joints"]}
    joints = {"q." + joint["name"]: joint for joint in description["joints"]}
    first = next(iter(description.get("postures", [])), {"q": [None] * len(description["joints"])})
    postures = {"q." + j["name"]: x for j, x in zip(description["joints"], first["q"])}
    cards, own = [], function["in"]["fields"] if function else [{"name": "q", "shape": "joints", "doc": "joint position", "elements": [
            {"column": "q." + j["name"], "unit": j["unit"], "default": 0} for j in description["joints"]]}]
    fields = {field["name"]: field for f in shown for field in f["in"]["fields"]} | {field["name"]: field for field in own}
    solver = [field["name"] for field in own]
    for field in [fields[name] for name in [*solver, *(name for name in fields if name not in solver)]]:
        inner, title = [], f'{ESC(field["name"])} <span class="soft">[{ESC(units_of(field))}]</span>' if field["elements"] else ""
        for e in field["elements"]:
            if e["column"] in joints:
                inner.append(slider(e, *joint_range(joints[e["column"]]), start_of(joints[e["column"]], description["base"]["kind"], postures[e["column"]])))
            elif e["column"] in velocities:
                most = velocities[e["column"]].get("velocity") or 2
                inner.append(slider(e, -most, most, 0))
            elif field["shape"] == "masks":
                inner.append(box(e))
            elif field["shape"] == "set_points":
                inner.append(slider(e, -5, 5, 0))
            elif field["name"] == "gravity":
                inner.append(number(e, -9.81 if e["column"].endswith(".z") else 0))
            elif field["shape"] == "wrench":
                inner.append(slider(e, -40, 40, 0) if ".lin_" in e["column"] else slider(e, -10, 10, 0))
            else:
                inner.append(number(e, e["default"] or 0))
        open_at_once = field["name"] == "q" or field["shape"] in ("set_points", "masks")
        if inner:
            cards.append(f'<details data-field="{ESC(field["name"])}" data-solver="{"yes" if field["name"] in solver else "no"}"{" open" if open_at_once else ""}><summary>{title}</summary><p class="soft">{ESC(field["doc"])}</p><div class="inputs">{"".join(inner)}</div></details>')
    return "".join(cards)


# ---- tables ----

def joint_outputs(description, function):
    rows, outs = [], {e["column"] for f in function["out"]["fields"] for e in f["elements"]}
    for j in description["joints"]:
        torque, acceleration = "tau_ctrl." + j["name"], "qdd." + j["name"]
        bar = f'<div class="meter"><i data-share="{ESC(torque)}" data-most="{j["effort"]}"></i></div>' if j.get("effort") and torque in outs else ""
        units = ("N m", "rad/s²") if j["unit"] == "rad" else ("N", "m/s²")
        rows.append([ESC(j["name"]), *(f'<span data-out="{ESC(c)}"></span> {unit}' if c in outs else "" for c, unit in zip((torque, acceleration), units)), bar])
    return pages.table(["joint", "torque", "qdd", "of its limit"], rows, (1, 2)) if rows else ""


def other_outputs(function):
    rows = []
    for f in function["out"]["fields"]:
        if f["name"] in ("tau_ctrl", "qdd"):
            continue
        rows += [[ESC(e["column"]), f'<span data-out="{ESC(e["column"])}"></span>', ESC(e["unit"])] for e in f["elements"]]
    return pages.table(["output", "", "unit"], rows, (1,))


def joint_table(description):
    def limit(x, unit):
        return "" if x is None else f"{x:g} {ESC(unit)}"
    def row(j):
        unit, effort = j["unit"], "N m" if j["unit"] == "rad" else "N"
        return [ESC(j["name"]), limit(j.get("lower"), unit), limit(j.get("upper"), unit), limit(j.get("velocity"), unit + "/s"), limit(j.get("effort"), effort)]
    return pages.table(["joint", "lower", "upper", "velocity", "effort"], [row(j) for j in description["joints"]], (1, 2, 3, 4))


COSTS = ("add", "mul", "div", "sin_or_cos", "select")


def cost_table(description):
    def row(f):
        worst = f["operations"]
        usual = f.get("operations_fast") or worst
        return [ESC(f["c"]), ESC(f.get("formulation") or ""), *(f"{x.get(key, 0):,}" for x, key in ((usual, "total"), (worst, "total"), *((worst, key) for key in COSTS)))]
    table = pages.table(["function", "formulation", "operations", "at worst", "add", "mul", "div", "sin or cos", "select"], [row(f) for f in description["functions"]],
                        range(2, 9))
    return f'<div class="cost">{table}</div><p class="soft">Operations: of most states; add, mul, div, sin or cos and select are those of the worst state.</p>'


def warnings(description):
    found = []
    for w in description["warnings"]:
        text = w if isinstance(w, str) else w.get("text") or w.get("message") or str(w)
        found.append(f"<li>{ESC(text)}</li>")
    return f'<section class="card"><h2>Warnings</h2><ul>{"".join(found)}</ul></section>' if found else ""


# ---- a page ----

STYLE = """
.slide { display: grid; grid-template-columns: minmax(90px, 0.8fr) minmax(0, 1.4fr) 84px 46px; gap: 10px; align-items: center; font-size: 13.5px; }
.slide.lone { grid-template-columns: minmax(90px, 0.8fr) minmax(0, 1fr) 130px; } .slide > span:first-child { overflow-wrap: anywhere; }
.slide > .soft { font-size: 12px; } .slide input[type="number"] { text-align: right; font-variant-numeric: tabular-nums; }
.slide input[type="number"] { font: inherit; width: 100%; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 5px; padding: 2px 6px; }
.tick { font-size: 13.5px; margin-right: 14px; white-space: nowrap; } .inputs { display: grid; gap: 2px; } .inputs:has(.tick) { display: block; }
.meter { height: 8px; background: var(--line); border-radius: 4px; overflow: hidden; min-width: 70px; margin-top: 7px; } .meter i { display: block; height: 100%; background: var(--accent); width: 0; }
.meter i.over { background: var(--bad); } .card details + details { margin-top: 10px; } #happens { font-weight: 600; }
@media (max-width: 600px) {
  .slide, .slide.lone { grid-template-columns: minmax(0, 1fr) 84px 46px; gap: 2px 8px; } .slide > span:first-child { grid-column: 1 / -1; } .slide.lone > input { grid-column: 1 / 3; }
  .meter { min-width: 34px; } .cost th:nth-child(n+5), .cost td:nth-child(n+5), .cost + p { display: none; }
} details.taken > summary { color: var(--accent); } .options { margin-top: 10px; }
"""


def stands(description):
    """Whether contacts carry the robot: rows that the environment produces, below a base that floats."""
    return description["base"]["kind"] == "floating" and any(a["kind"] == "group" and a.get("physical") for a in description["attached"])


FRICTION = 0.8  # of the floor
PULL = 3.0      # the most that the pointer pulls with, of the robot's weight


def packed(wasm):
    """A program as the page's script unpacks it."""
    return base64.b64encode(gzip.compress(wasm, mtime=0)).decode("ascii")


def moving_data(description, moves):
    """What the page's script needs of the step."""
    weight = 9.81 * sum(x.get("mass") or 0 for x in [description["base"], *description["bodies"]] if description["base"]["kind"] != "fixed" or x is not description["base"])
    function = moves["step"].function
    period = next((e["default"] for f in function["in"]["fields"] for e in f["elements"] if e["column"] == "time_step"), None) or moving.LEAST_PERIOD
    return {"in": function_cards.slim({**function, "out": {"bytes": 0, "fields": []}})["in"], "wasm": packed(moves["wasm"]), "period": period,
            "friction": FRICTION, "pull": {"stiffness": 10 * weight, "damping": weight, "most": PULL * weight}}


def page_data(description, wasm, moves=None):
    attached = description["attached"]
    groups = [{"name": a["name"], "link": a["link"], "axes": a.get("axes", "base")} for a in attached if a["kind"] == "group"]
    wrenches = [{"name": a["name"], "link": a["link"]} for a in attached if a["kind"] == "wrench"]
    tips = [f["link"] for f in description["frames"]]
    tool = groups[0]["link"] if groups else tips[-1] if tips else None
    masses = [b["mass"] for b in description["bodies"]] + [description["base"].get("mass", 0)]
    return {"robot": pages.slim(description), "functions": [function_cards.slim(f) for f in runs(description) if wasm], "jacobians": function_cards.jacobians(description),
            "wasm": packed(wasm) if wasm else None, "status": description["status"], "groups": groups, "wrenches": wrenches,
            "tool": tool, "moving": moving_data(description, moves) if moves else None, "drives": any(f["name"] == "achd" and any(x["name"] == "tau_ctrl" for x in f["out"]["fields"]) for f in runs(description)), "stands": stands(description), "posture": bool(description.get("postures")), "contacts": [a["link"] for a in attached if a["kind"] == "group" and a.get("physical")], "shown": sorted({g["link"] for g in groups}), "mass": max(masses) or 1}


MOVE = """<p class="options"><button id="move" type="button">Let it move</button> <label class="tick"><input type="checkbox" id="motors" checked> its motors hold it</label>
<span id="moved" class="soft"></span></p><p class="soft">It moves by the steps of the function <code>STEP</code>FLOOR, the same program as in C. Drag a link to pull it.</p>"""


def move_card(description, moves):
    if not moves:
        return ""
    rows = moves["step"].rows() if moves["step"].solved else {"contacts": 0, "limits": 0}
    what = [text for text, has in (("a floor under its contacts", rows["contacts"]), ("limits of its joints", rows["limits"])) if has]
    return MOVE.replace("STEP", moves["step"].function["name"]).replace("FLOOR", ", with " + " and ".join(what) if what else "")


def robot_page(description, wasm, assets, moves=None):
    function = next((f for f in description["functions"] if f["name"] == "achd"), None) if wasm else None
    title = description["robot"]
    remarks = "".join(f"<p class=\"soft\">{ESC(r['text'].replace('{', '').replace('}', ''))}</p>" for r in description["remarks"] if r["about"] == "robot")
    note = '<section class="card">The layout has bounded rows or asks for an optimum, which the runtime library solves: this page shows the robot without a solver.</section>'
    solved = f"""<section class="card"><h2>The solver's answer</h2><p id="happens"></p><p>Status <span id="status"></span> <span id="took" class="soft"></span></p>
{joint_outputs(description, function)}<details open><summary>Rows and more</summary>{other_outputs(function)}</details></section>""" if function else note if is_bounded(description) else ""
    ticks = "".join(f'<label class="tick"><input type="checkbox" id="{key}"{checked}> {text}</label>' for key, text, checked in (
        ("hold", "stand still (tau_art)" if stands(description) else "compensate gravity (tau_art)", " checked"), ("masses", "masses", ""), ("frames", "all frames", ""), ("forces", "row forces", "")))
    body = f"""<header><div><h1>{ESC(title)}</h1>{remarks}<p><code>{ESC(description["command"])}</code></p></div><button id="theme" type="button">Dark</button></header>
<div class="two"><div><section class="card"><div id="view"></div><div class="options">{ticks} <button id="reset" type="button">Reset</button>
<button id="png" type="button" title="The view as a picture">PNG</button> <button id="csv" type="button" title="All inputs and outputs, with their units">CSV</button></div>
{move_card(description, moves)}
{function_cards.choice(description) if wasm else ""}
<p class="soft">Drag the tool to move it, drag beside it to turn the view. Arrows: wrenches that act, set-points, forces of the rows.</p></section>{solved}</div>
<div><section class="card"><h2>Inputs</h2>{input_cards(description, function, function_cards.of_page(description) if wasm else [])}</section></div></div>
{function_cards.card(description) if wasm else ""}
{warnings(description)}
<section class="card"><h2>Joints</h2>{joint_table(description)}</section>
{f'<section class="card"><h2>Cost</h2>{cost_table(description)}</section>' if description["functions"] else ""}
<section class="card"><details><summary>Licences of the libraries in this page</summary><pre>{ESC(assets.licences)}</pre></details></section>"""
    scripts = f'<script type="application/json" id="data">{pages.embedded(page_data(description, wasm, moves))}</script>\n<script>{assets.script}</script>\n'
    return pages.document(title, assets, body, scripts)
