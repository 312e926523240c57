# SPDX-License-Identifier: MIT
"""The page of achd-identify: torques measured and predicted, friction, parameters with deviations, and what the logs do not tell."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .advice import Knowledge, Suggestion, friction_of
from .model import Model
from .observe import thinned

WIDTH, HEIGHT = 1000, 150
STYLE = """
:root{color-scheme:light dark;--paper:#f7f8fa;--card:#fff;--ink:#1d2530;--soft:#5c6675;--line:#dfe4ea;--measured:#868e96;--found:#1864ab;--urdf:#c92a2a;--band:#1864ab33}
@media (prefers-color-scheme:dark){:root{--paper:#0e131a;--card:#171e28;--ink:#e6ebf2;--soft:#98a4b3;--line:#2a3442;--measured:#adb5bd;--found:#74c0fc;--urdf:#ff8787;--band:#74c0fc44}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,"Segoe UI",Roboto,sans-serif}main{max-width:1200px;margin:0 auto;padding:20px 24px 60px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:17px;margin:0 0 10px}h3{font-size:14px;margin:12px 0 2px}.soft{color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px;margin-top:16px;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;padding:4px 14px 4px 0;border-bottom:1px solid var(--line)}th{color:var(--soft);font-size:12.5px}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}svg{width:100%;display:block}polyline{fill:none;stroke-width:1.3}polygon{fill:var(--band);stroke:none}
.measured{stroke:var(--measured)}.found{stroke:var(--found)}.urdf{stroke:var(--urdf);stroke-dasharray:5 4}.axis{stroke:var(--line)}text{font:12px sans-serif;fill:var(--soft)}
.weak{color:var(--urdf)}.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(330px,1fr));gap:10px 20px}"""


@dataclass
class Run:
    """Of one log: time, and by line and joint torques measured, predicted by the URDF, by what was identified, and this one's standard deviation."""

    name: str
    t: np.ndarray
    measured: np.ndarray
    urdf: np.ndarray
    found: np.ndarray
    deviation: np.ndarray
    fitted: bool


@dataclass
class Page:
    model: Model
    title: str
    facts: Sequence[str]
    known: Knowledge
    parameters: np.ndarray
    deviation: np.ndarray
    friction: np.ndarray  # by joint and word
    friction_deviation: np.ndarray
    runs: list[Run]
    fastest: np.ndarray  # by joint [rad/s]
    weak: Sequence[int] = ()
    suggested: Sequence[Suggestion] = ()
    along: list[tuple[str, np.ndarray]] = field(default_factory=list)  # motions, and the largest standard deviation by joint


def _points(x: np.ndarray, y: np.ndarray, to_x: tuple[float, float], most: float, height: float) -> str:
    first, span = to_x
    return " ".join(f"{WIDTH * (a - first) / span:.1f},{height / 2 * (1 - b / most):.1f}" for a, b in zip(x, y))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], classes: Sequence[str] = ()) -> str:
    """Names on the left, numbers on the right."""
    cell = ['', *[' class="n"'] * (len(head) - 1)]
    top = "".join(f"<th{kind}>{html.escape(text)}</th>" for kind, text in zip(cell, head))
    body = "".join(f'<tr class="{classes[i] if classes else ""}">' + "".join(f"<td{kind}>{html.escape(text)}</td>" for kind, text in zip(cell, row)) + "</tr>"
                   for i, row in enumerate(rows))
    return f"<table><tr>{top}</tr>{body}</table>"


def _torques(page: Page, run: Run) -> str:
    """A chart a joint: measured, predicted with two standard deviations to each side, by the URDF."""
    charts, t = [], run.t - run.t[0]
    for j, joint in enumerate(page.model.joints):
        high, low = run.found[:, j] + 2 * run.deviation[:, j], run.found[:, j] - 2 * run.deviation[:, j]
        most = 1.05 * max(float(np.abs(x).max()) for x in (run.measured[:, j], run.urdf[:, j], high, low)) + 1e-9
        over = (0.0, max(float(t[-1]), 1e-9))
        line = {name: thinned(t, x, 500) for name, x in (("urdf", run.urdf[:, j]), ("measured", run.measured[:, j]), ("found", run.found[:, j]))}
        every = slice(None, None, max(1, len(t) // 500))
        band = _points(t[every], high[every], over, most, HEIGHT) + " " + _points(t[every][::-1], low[every][::-1], over, most, HEIGHT)
        rms = {name: float(np.sqrt(np.mean((run.measured[:, j] - x[:, j]) ** 2))) for name, x in (("urdf", run.urdf), ("found", run.found))}
        charts.append(f"<h3>{html.escape(joint)}: {most:.1f} N m from the middle to the edge; not explained {rms['urdf']:.3f} N m by the URDF, {rms['found']:.3f} N m identified</h3>"
                      f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><line x1="0" y1="{HEIGHT / 2}" x2="{WIDTH}" y2="{HEIGHT / 2}" class="axis"/><polygon points="{band}"/>' +
                      "".join(f'<polyline class="{name}" points="{_points(*line[name], over, most, HEIGHT)}"/>' for name in line) + "</svg>")
    return (f'<section class="card"><h2>{html.escape(run.name)}, {"fitted" if run.fitted else "not fitted"}</h2><p class="soft">Torques over {t[-1]:.1f} s: measured (grey), '
            f"identified (blue, two standard deviations to each side), by the URDF (red, dashed)</p>{''.join(charts)}</section>")


def _frictions(page: Page) -> str:
    charts = []
    for j, joint in enumerate(page.model.joints):
        fast = max(float(page.fastest[j]), 1e-3)
        qd = np.linspace(-fast, fast, 161)
        tau = friction_of(page.known.words, qd, np.zeros_like(qd), page.known.stribeck) @ page.friction[j]
        most = 1.1 * float(np.abs(tau).max()) + 1e-9
        charts.append(f"<div><h3>{html.escape(joint)}: {most:.2f} N m, {fast:.2f} rad/s to the edge</h3>"
                      f'<svg viewBox="0 0 {WIDTH} 400" role="img"><line x1="0" y1="200" x2="{WIDTH}" y2="200" class="axis"/><line x1="{WIDTH / 2}" y1="0" x2="{WIDTH / 2}" y2="400" class="axis"/>'
                      f'<polyline class="found" style="stroke-width:4" points="{_points(qd, tau, (-fast, 2 * fast), most, 400)}"/></svg></div>')
    head = ["joint", *(f"{word} ±" for word in page.known.words)]
    rows = [[joint, *(f"{x:.4g} ± {d:.2g}" for x, d in zip(page.friction[j], page.friction_deviation[j]))] for j, joint in enumerate(page.model.joints)]
    return f'<section class="card"><h2>Friction</h2>{_table(head, rows)}<div class="two">{"".join(charts)}</div></section>'


def _parameters(page: Page) -> str:
    names = [str(p["name"]) for p in page.model.parameters]
    left = np.sqrt(np.diag(page.known.covariance)[:len(names)])
    rows = [[name, f"{page.model.value[k]:.5g}", f"{page.parameters[k]:.5g}", f"{min(page.deviation[k], left[k]):.2g}", str(page.model.parameters[k]["unit"]),
             "weak" if k in page.weak else ""] for k, name in enumerate(names)]
    return ('<section class="card"><h2>Base parameters</h2><p class="soft">What torques tell of masses, first moments and inertias; the header of the function <code>regressor</code> says what each is made of.</p>' +
            _table(["parameter", "URDF", "identified", "standard deviation", "unit", ""], rows, ["weak" if k in page.weak else "" for k in range(len(names))]) + "</section>")


def _advice(page: Page) -> str:
    if page.weak:
        text = "<p>The logs tell little of these parameters, whose numbers stay near the URDF's: " + ", ".join(html.escape(str(page.model.parameters[k]["name"])) for k in page.weak) + ".</p>"
    else:
        text = "<p>The logs tell all base parameters.</p>"
    if page.suggested:
        text += "<p>These motions would tell more; <code>achd-identify --excite</code> finds one that tells all:</p><ul>" + "".join(
            f"<li>{html.escape(' and '.join(one.joints))}: {', '.join(f'{html.escape(name)} to {after:.2g} (now {before:.2g})' for name, before, after in one.told[:6])}"
            f"{' ...' if len(one.told) > 6 else ''}</li>" for one in page.suggested) + "</ul>"
    head = ["largest standard deviation of predicted torques [N m]", *page.model.joints]
    rows = [[name, *(f"{x:.3g}" for x in largest)] for name, largest in page.along]
    return f'<section class="card"><h2>What the logs do not tell</h2>{text}{_table(head, rows)}</section>'


def page_text(page: Page) -> str:
    """A page of its own, without a script."""
    joints = page.model.joints
    rows = []
    for run in page.runs:
        for name, x in (("URDF, without friction", run.urdf), ("identified", run.found)):
            rows.append([f"{run.name}: {name}", *(f"{v:.3f}" for v in np.sqrt(((run.measured - x) ** 2).mean(0)))])
    body = (f"<h1>{html.escape(page.title)}</h1>" + "".join(f'<p class="soft">{html.escape(fact)}</p>' for fact in page.facts) +
            f'<section class="card"><h2>Torques that are not explained, root mean square [N m]</h2>{_table(["", *joints], rows)}</section>' + _advice(page) +
            "".join(_torques(page, run) for run in page.runs) + _frictions(page) + _parameters(page))
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{html.escape(page.title)}</title>'
            f"<style>{STYLE}</style></head><body><main>{body}</main></body></html>\n")
