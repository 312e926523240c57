# SPDX-License-Identifier: MIT
"""live_pages.py: the HTML of a loop that runs; its script (live.js) fills it."""
import pages
import signals
import sketch

WINDOWS = (2, 10, 60)  # [s]

STYLE = """
.chip:empty { display: none; }
#said { font-variant-numeric: tabular-nums; } #said.late { color: var(--bad); } .charts:empty::before { content: "No rows yet: the page waits for the log."; color: var(--soft); }
"""


def live_page(title, about, robot, assets):
    data = {"title": title, "robot": pages.slim(robot), "states": about.get("states", []), "frames": about.get("frames", []), "boxes": about.get("boxes", []),
            "base": about.get("base", sketch.IDENTITY), "titles": pages.TITLES, "first": pages.FIRST, "windows": WINDOWS, "faults": signals.FAULTS}
    choice = "".join(f'<option value="{k}"{" selected" if k == 1 else ""}>{seconds} s</option>' for k, seconds in enumerate(WINDOWS))
    view = '<section class="card"><div id="view"></div></section>' if robot else ""
    body = f"""<header><div><h1>{pages.escaped(title)}</h1><p id="said" role="status">Waits for the log.</p><p class="chips"><span class="chip" id="now"></span><span class="chip" id="state"></span>
<span class="chip bad" id="fault"></span></p></div><div class="tools"><button id="pause" type="button">Pause</button> <select id="window" aria-label="seconds that are shown">{choice}</select>
<button id="theme" type="button">Dark</button></div></header>
{view}
<section class="card"><h2>Signals</h2><div class="charts" id="charts"></div></section>
<section class="card"><details><summary>Licences of the libraries in this page</summary><pre>{pages.escaped(assets.licences)}</pre></details></section>"""
    scripts = f'<script type="application/json" id="data">{pages.embedded(data)}</script>\n<script>{assets.script}</script>\n'
    return pages.document(title, assets, body, scripts)
