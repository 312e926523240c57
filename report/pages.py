# SPDX-License-Identifier: MIT
"""pages.py: the HTML of a run and of the list of all runs. Numbers and tables stand in the page; its script adds charts and 3-D."""
import base64
import html
import json
import math
import os
import re

import run_folder
import signals
import sketch

LARGEST_PAGE = 5_000_000  # bytes
RANGES = 1500             # of a signal's points, two each
POSES = 1500
MOST_EVENTS = 300

# What groups of signals are called; others have their own name.
TITLES = {"q": "Joint positions", "qd": "Joint velocities", "qdd": "Joint accelerations of the solution", "tau": "Joint torques",
          "power": "Power of the joints", "energy": "Energy of the joints", "error": "Errors of the task", "b": "Set-points of the rows",
          "mask": "Active rows", "push": "Wrench of the environment on the tool", "press": "Artificial wrench on the tool", "tool": "Tool",
          "along_x": "Control along x", "along_y": "Control along y", "along_z": "Control along z", "about_x": "Control about x",
          "about_y": "Control about y", "about_z": "Control about z", "place": "Place in the motion frame", "tau_limit": "Limits of the torques"}
FIRST = ["error", "q", "qd", "tau", "tool", "push", "power", "energy"]
ON_BANDS = {"state", "section", "mode", "fault", "seen", "event"}
PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".svg": "image/svg+xml"}
STILL = re.compile(r"still_(-?\d+\.\d+)s\.png$")
VIDEOS = {".mp4": "video/mp4", ".webm": "video/webm"}


class Assets:
    """What is embedded in every page: the script with its libraries, their licences, the style."""

    def __init__(self, folder, script="page.bundle.js", style=""):
        def text(name):
            path = os.path.join(folder, name)
            if not os.path.isfile(path):
                raise run_folder.Mistake(f"{path} is missing: configure with -DACHD_REPORT=ON and build the target achd_report")
            with open(path, encoding="utf-8") as file:
                return file.read()
        self.style = text("page.css") + text("uPlot.css") + style
        self.script = text(script)
        self.licences = text("licences.txt")


def escaped(text):
    return html.escape(str(text), quote=True)


def shown(x, digits=4):
    if x is None:
        return ""
    if isinstance(x, str):
        return escaped(x)
    return f"{x:.{digits}g}" if math.isfinite(x) else str(x)


def embedded(data):
    """JSON in a script element: nothing in it may end that."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def document(title, assets, body, scripts=""):
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escaped(title)}</title>
<link rel="icon" href="data:,">
<style>{assets.style}</style>
<script>try {{ const t = localStorage.getItem("achd-theme"); if (t) document.documentElement.dataset.theme = t; }} catch {{}}</script>
</head>
<body>
<main>
{body}
</main>
{scripts}</body>
</html>
"""


def table(head, rows, numbers=()):
    """head, rows: texts that are HTML already; numbers: the columns that are aligned to the right."""
    def cell(tag, k, text):
        return f'<{tag} class="n">{text}</{tag}>' if k in numbers else f"<{tag}>{text}</{tag}>"
    lines = ["".join(cell("th", k, text) for k, text in enumerate(head))]
    body = "".join(row if isinstance(row, str) else "<tr>" + "".join(cell("td", k, text) for k, text in enumerate(row)) + "</tr>\n" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{lines[0]}</tr></thead><tbody>\n{body}</tbody></table></div>'


NEAR = 0.2  # ours is as published: within this share


def verdict(row):
    """Whether the bound holds; green where ours is as published too, or where nothing was."""
    holds, published, ours = row.get("holds"), row.get("published"), row.get("ours")
    if holds is None:
        return ""
    if not holds:
        return '<span class="bad">does not hold</span>'
    numbers = all(isinstance(x, (int, float)) for x in (published, ours))
    if not numbers or abs(ours - published) <= NEAR * abs(published):
        return '<span class="good">holds</span>'
    return f"within the bound, {ours / published:.2g} of what was published" if published else "within the bound"


def whole(text):
    return f'<span class="whole">{escaped(text or "")}</span>'


def bound_of(row):
    return escaped(row.get("bound") or "").replace(" %", "&nbsp;%")


def comparison(about):
    rows = [[escaped(r["quantity"]), shown(r.get("published")), shown(r.get("ours")), whole(r.get("unit")), bound_of(r),
             verdict(r)] for r in about.get("table", [])]
    return rows and table(["quantity", "published", "ours", "unit", "bound", ""], rows, (1, 2))


def microseconds(x):
    return "" if x is None else f"{x / 1000:,.1f}"


def cycle_table(run):
    rows = []
    for c in run.about.get("cycles", []) + [signals.periods(run.times)]:
        over = "" if c.get("overruns") is None else f'{c["overruns"]:,}'
        rows.append([escaped(c["name"]), f'{c.get("count") or 0:,}', *(microseconds(c.get(k)) for k in ("latest", "p50", "p99", "p999", "longest", "limit")), over])
    return table(["", "cycles", "latest [µs]", "p50", "p99", "p99.9", "longest", "limit", "overruns"], rows, range(1, 9))


def power_table(run, powers):
    rows, sums = [], [0.0, 0.0, 0.0]
    for joint, watts in powers:
        done, taken = signals.work(run.times, watts)
        most = max((abs(x) for x in watts if math.isfinite(x)), default=math.nan)
        sums = [sums[0] + done, sums[1] + taken, sums[2] + done - taken]
        rows.append([escaped(joint), shown(most), shown(done), shown(taken), shown(done - taken)])
    rows.append(["<b>all</b>", "", *(f"<b>{shown(x)}</b>" for x in sums)])
    return table(["joint", "largest power [W]", "work done [J]", "work taken up [J]", "energy [J]"], rows, range(1, 5))


def spread_table(run):
    rows = []
    for s in run.signals.values():
        low, mean, high, odd = signals.spread(s.values)
        rows.append([escaped(s.name), escaped(s.unit), shown(low), shown(mean), shown(high), f'<span class="bad">{odd}</span>' if odd else ""])
    return table(["signal", "unit", "least", "mean", "greatest", "not finite"], rows, range(2, 6))


# ---- signals ----

def grouped(all_signals):
    """Groups of signals that share a chart: the same first part of the name, and the same unit."""
    groups = {}
    for s in all_signals:
        head, _, rest = s.name.partition(".")
        if head in ON_BANDS and rest == "" or head == "event":
            continue
        groups.setdefault((head, s.unit), []).append((rest or head, s))
    found = []
    for (head, unit), members in groups.items():
        for k in range(0, len(members), 9):  # as many as there are colours
            found.append((head, unit, members[k:k + 9]))
    return sorted(found, key=lambda g: FIRST.index(g[0]) if g[0] in FIRST else len(FIRST))


def curve(name, values, ranges):
    constant = signals.constant(values)
    if constant is not None:
        return {"name": name, "constant": constant}
    return {"name": name, "values": signals.base64_of(signals.decimated(values, ranges), "f")}


def timeline(run):
    """What happened, with its time: states, events, faults."""
    names = run.about.get("states", [])
    found = [(a, "state", names[s] if s < len(names) else f"state {s}") for a, _, s in signals.bands(run.times, run.values("state"))]
    for name, s in run.signals.items():
        if name.startswith("event."):
            found += [(time, "event", name[6:]) for time in signals.rising(run.times, s.values)]
    found += [(time, "fault", ", ".join(texts)) for time, texts in signals.faults(run.times, run.values("fault"))]
    return sorted(found, key=lambda entry: entry[0])


def timeline_table(found):
    rows = [f'<tr data-time="{time!r}"><td class="n">{time:.3f}</td><td>{kind}</td><td>{escaped(what)}</td></tr>\n' for time, kind, what in found[:MOST_EVENTS]]
    text = table(["time [s]", "", "what"], rows, (0,))
    more = len(found) - MOST_EVENTS
    return text + (f'<p class="soft">and {more} more</p>' if more > 0 else "")


def state_strip(run, bands):
    first, whole = run.times[0], run.times[-1] - run.times[0]
    names = run.about.get("states", [])
    parts = []
    for a, b, state in bands:
        name = names[state] if state < len(names) else f"state {state}"
        parts.append(f'<i data-state="{state}" title="{escaped(name)}" style="left:{100 * (a - first) / whole:.3f}%;width:{100 * (b - a) / whole:.3f}%"></i>')
    used = sorted({state for _, _, state in bands})
    key = "".join(f'<span><i data-state="{s}"></i>{escaped(names[s] if s < len(names) else f"state {s}")}</span>' for s in used)
    return f'<div class="bands">{"".join(parts)}</div>', f'<div class="key">{key}</div>' if used else ""


# ---- pictures ----

def media(run, name, kinds):
    path = os.path.join(run.folder, name)
    kind = kinds.get(os.path.splitext(name)[1].lower())
    where = os.path.join(run.folder, "run.json")
    if os.path.basename(name) != name:
        raise run_folder.Mistake(f"{where}: {name}: pictures have to be in the folder of the run")
    if kind is None:
        raise run_folder.Mistake(f"{where}: {name}: pictures are {', '.join(PICTURES)}; videos are {', '.join(VIDEOS)}")
    if not os.path.isfile(path):
        raise run_folder.Mistake(f"{where}: {name}: there is no such file in {run.folder}")
    with open(path, "rb") as file:
        return f"data:{kind};base64,{base64.b64encode(file.read()).decode('ascii')}"


def stills(run):
    """Those of run.json, and those that achd-stills has written into the folder."""
    named = run.about.get("stills", [])
    found = [name for name in os.listdir(run.folder) if STILL.match(name) and name not in {still["file"] for still in named}]
    return named + [{"file": name, "text": f"at {STILL.match(name).group(1)} s"} for name in sorted(found, key=lambda name: float(STILL.match(name).group(1)))]


def pictures(run):
    figures = []
    for still in stills(run):
        text = escaped(still.get("text", ""))
        figures.append(f'<figure><img src="{media(run, still["file"], PICTURES)}" alt="{text}" loading="lazy"><figcaption>{text}</figcaption></figure>')
    video = run.about.get("video") or ("run.mp4" if os.path.isfile(os.path.join(run.folder, "run.mp4")) else None)
    if video:
        figures.append(f'<figure><video controls muted src="{media(run, video, VIDEOS)}"></video></figure>')
    return f'<section class="card"><h2>Pictures</h2><div class="pictures">{"".join(figures)}</div></section>' if figures else ""


# ---- a page ----

def chips(run):
    rows = run.about.get("table", [])
    judged = [r for r in rows if r.get("holds") is not None]
    met = sum(r["holds"] for r in judged)
    found = [f"{run.times[-1] - run.times[0]:.2f} s", f"{len(run.times):,} rows, {len(run.signals)} signals"]
    if judged:
        found.append(f'<span class="{"good" if met == len(judged) else "bad"}">{met} of {len(judged)} bounds met</span>')
    texts = sorted({name for _, names in signals.faults(run.times, run.values("fault")) for name in names})
    found.append(f'<span class="bad">fault: {escaped(", ".join(texts))}</span>' if texts else '<span class="good">no fault</span>' if "fault" in run.signals else "")
    odd = sum(1 for s in run.signals.values() if not all(map(math.isfinite, s.values)))
    found.append(f'<span class="bad">{odd} signals are not finite everywhere</span>' if odd else "")
    return "".join(f'<span class="chip">{text}</span>' for text in found if text)


def poses(run):
    data = {"time": signals.base64_of(signals.sampled(run.times, POSES), "d"), "q": []}
    for joint in run.joints() if run.robot else []:
        values = run.values("q." + joint)
        data["q"].append(None if values is None else signals.base64_of(signals.sampled(values, POSES), "f"))
    for name in ("tool.p_x", "tool.p_y", "tool.p_z", "push.lin_x", "push.lin_y", "push.lin_z", "base.p_x", "base.p_y", "base.p_z", "base.turn_x",
                 "base.turn_y", "base.turn_z", "section"):
        if name in run.signals:
            data[name] = signals.base64_of(signals.sampled(run.values(name), POSES), "f")
    return data


def joint_powers(run):
    found = []
    for joint in run.joints():
        torque, velocity = run.values("tau." + joint), run.values("qd." + joint)
        if torque is not None and velocity is not None:
            found.append((joint, signals.power(torque, velocity)))
    return found


def slim(robot):
    """What the viewer needs of robot.json."""
    return robot and {key: robot[key] for key in ("robot", "base", "joints", "bodies", "frames", "meshes") if key in robot}


def page_data(run, bands, groups, most):
    ranges = signals.buckets(len(run.times), most)
    return {"from": run.times[0], "to": run.times[-1], "states": run.about.get("states", []), "frames": run.about.get("frames", []), "boxes": run.about.get("boxes", []),
            "base": run.about.get("base", sketch.IDENTITY), "robot": slim(run.robot), "bands": [{"from": a, "to": b, "state": s} for a, b, s in bands],
            "poses": poses(run), "x": signals.base64_of(signals.decimated_times(run.times, ranges), "d"),
            "groups": [{"title": head, "unit": unit, "curves": [curve(name, s.values, ranges) for name, s in members]} for head, unit, members in groups]}


def moves(group):
    return any(signals.constant(s.values) is None for _, s in group[2])


def chart_sections(groups):
    at_once = [group[0] in FIRST and moves(group) for group in groups]
    def one(k, head, unit):
        return f'<div class="chart"><h3>{escaped(TITLES.get(head, head))} <span class="soft">[{escaped(unit)}]</span></h3><div data-group="{k}"></div></div>'
    shown_first = "".join(one(k, head, unit) for k, (head, unit, _) in enumerate(groups) if at_once[k])
    others = "".join(one(k, head, unit) for k, (head, unit, _) in enumerate(groups) if not at_once[k])
    text = f'<section class="card"><h2>Signals</h2><p class="soft help">Drag to zoom in, double-click for the whole run, click to set the time.</p><div class="charts">{shown_first}</div></section>' \
        if shown_first else ""
    return text + (f'<section class="card"><details{"" if shown_first else " open"}><summary>More signals</summary><div class="charts">{others}</div></details></section>' if others else "")


def body_of(run, bands, groups, powers):
    about = run.about
    strip, key = state_strip(run, bands)
    drawing = sketch.draw(run)
    view = f'<section class="card"><div id="view"><noscript>{drawing}</noscript></div>{key}</section>' if run.robot else f'<section class="card">{drawing}{key}</section>' if drawing or key else ""
    happened, compared = timeline(run), comparison(about)
    right = f'<section class="card"><h2>Published and ours</h2>{compared}</section>' if compared else ""
    list_of = f'<section class="card"><h2>What happened</h2><div class="list">{timeline_table(happened)}</div></section>' if happened else ""
    left, right = (view + list_of, right) if view and right else (view, right + list_of)
    details = [f'<p>{escaped(about["text"])}</p>' if about.get("text") else "", f'<p class="soft">{escaped(about["source"])}</p>' if about.get("source") else "",
               f'<p><code>{escaped(about["command"])}</code></p>' if about.get("command") else ""]
    return f"""<header><div><h1>{escaped(about["title"])}</h1>{"".join(details)}</div>
<div class="tools"><a href="index.html">All runs</a> <button id="png" type="button" title="The robot and the charts as pictures">PNG</button>
<button id="csv" type="button" title="The points that the charts show; log.csv has all rows">CSV</button> <button id="theme" type="button">Dark</button></div></header>
<div class="chips">{chips(run)}</div>
<div{' class="two"' if left and right else ""}><div>{left}</div><div>{right}</div></div>
{pictures(run)}
{chart_sections(groups)}
{f'<section class="card"><h2>Power and energy</h2>{power_table(run, powers)}</section>' if powers else ""}
<section class="card"><h2>Cycle times</h2>{cycle_table(run)}</section>
<section class="card"><details><summary>All signals in numbers</summary>{spread_table(run)}</details></section>
<div class="bar"><button id="play" type="button">Play</button>
<select id="speed" aria-label="speed"><option value="0.1">0.1 x</option><option value="0.5">0.5 x</option><option value="1" selected>1 x</option><option value="4">4 x</option></select>
<div class="track">{strip}<input id="time" type="range" min="{run.times[0]!r}" max="{run.times[-1]!r}" step="any" value="{run.times[0]!r}" aria-label="time"></div>
<div><span id="now"></span> <span id="state" class="soft"></span> <button id="whole" type="button" hidden>Whole run</button></div></div>
<section class="card"><details><summary>Licences of the libraries in this page</summary><pre>"""


def run_page(run, assets):
    powers = joint_powers(run)
    derived = [run_folder.Signal("power." + joint, "W", watts) for joint, watts in powers] + \
        [run_folder.Signal("energy." + joint, "J", signals.energy(run.times, watts)) for joint, watts in powers]
    groups = grouped(list(run.signals.values()) + derived)
    bands = signals.bands(run.times, run.values("state"))
    body = body_of(run, bands, groups, powers) + escaped(assets.licences) + "</pre></details></section>"
    most = RANGES
    while True:
        scripts = f'<script type="application/json" id="data">{embedded(page_data(run, bands, groups, most))}</script>\n<script>{assets.script}</script>\n'
        text = document(run.about["title"], assets, body, scripts)
        if len(text.encode("utf-8")) < LARGEST_PAGE or most < 50:
            return text
        most //= 2


def index_page(title, runs, names, assets):
    cards, rows = [], []
    for run, name in zip(runs, names):
        drawing = sketch.draw(run)
        cards.append(f'<a class="card" href="{escaped(name)}">{drawing}<h2>{escaped(run.about["title"])}</h2><div class="soft">{escaped(run.about.get("source", ""))}</div>'
                     f'<div class="chips">{chips(run)}</div></a>')
        for r in run.about.get("table", []):
            rows.append([f'<a href="{escaped(name)}">{escaped(run.about["title"])}</a>', escaped(r["quantity"]), shown(r.get("published")), shown(r.get("ours")),
                         whole(r.get("unit")), bound_of(r), verdict(r)])
    compared = table(["run", "quantity", "published", "ours", "unit", "bound", ""], rows, (2, 3)) if rows else ""
    body = f"""<header><h1>{escaped(title)}</h1><button id="theme" type="button">Dark or light</button></header>
<p class="soft">{len(runs)} run{"s" if len(runs) != 1 else ""}</p>
<div class="runs">{"".join(cards)}</div>
{f'<section class="card"><h2>Published and ours</h2>{compared}</section>' if compared else ""}"""
    script = """<script>
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement, now = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  try { localStorage.setItem("achd-theme", root.dataset.theme); } catch {}
});
</script>
"""
    return document(title, assets, body, script)
