# SPDX-License-Identifier: MIT
"""function_cards.py: the functions of a robot beside its solver, as parts of its page: a choice, what each takes and gives with
units and frames, matrices as tables. The script of the page fills in the numbers."""
import re

import pages

ESC = pages.escaped

# What a page shows where nothing else is chosen, and what draws some of it: Jacobians and the centre of mass.
SHOWN = ["manipulability", "centroidal", "osim", "coriolis", "slotine_li", "momentum"]
DRAWN_BY = {"manipulability": "jac", "centroidal": "com"}
TITLES = {"manipulability": "distance from singular configurations", "centroidal": "centroidal momentum", "osim": "operational space of the rows",
          "coriolis": "Coriolis matrix", "slotine_li": "passivity-based inverse dynamics", "momentum": "generalised momentum"}
WHAT_IS_DRAWN = {
    "manipulability": "Drawn: the ellipsoid of the velocities that the frame can have with joint velocities (and those of a moving base) of norm 1. Its semi-axes are the "
                      "singular values of these rows of the frame's Jacobian, and their product is the manipulability.",
    "centroidal": "Drawn: the centre of mass, the momentum as an orange arrow, and the angular momentum about the centre of mass as a violet one. Both are 0 at rest: give the robot velocities."}


def of_page(description):
    """The functions in the card, in its order."""
    by_name = {f["name"]: f for f in description["functions"] if f["name"] in description["shown"]}
    return [by_name[name] for name in [n for n in SHOWN if n in by_name] + [n for n in by_name if n not in SHOWN]]


# ---- matrices ----

def labels(description):
    base = {"floating": ["lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z"], "planar": ["x", "y", "yaw"]}.get(description["base"]["kind"], [])
    return {*(f"base.{part}" for part in base), *(j["name"] for j in description["joints"]), *(f"{r['group']}.{r['name']}" for r in description["rows"]),
            "lin_x", "lin_y", "lin_z", "ang_x", "ang_y", "ang_z", "x", "y", "z"}


def both_labels(field, element, known):
    """Row and column of an element of a matrix, or None: "C.joint_1.joint_2"."""
    words = element["column"][len(field["name"]) + 1:].split(".")
    for k in range(1, len(words)):
        row, column = ".".join(words[:k]), ".".join(words[k:])
        if row in known and column in known:
            return row, column
    return None


def matrix_of(field, known):
    """{(row, column): element}, rows and columns in their order; None: it is no matrix. Lower triangles are made whole."""
    if field["shape"] not in ("matrix", "derivative", "packed", "rows_packed", "jacobian", "partials"):
        return None
    cells = {}
    for e in field["elements"]:
        place = both_labels(field, e, known)
        if place is None:
            return None
        cells[place] = e
        if field["shape"] in ("packed", "rows_packed"):
            cells[place[::-1]] = e
    return cells, list(dict.fromkeys(r for r, _ in cells)), list(dict.fromkeys(c for _, c in cells))


def cell(element):
    return f'<td class="n" data-of="{ESC(element["column"])}" data-unit="{ESC(element["unit"])}"></td>'


def matrix_table(cells, rows, columns):
    head = "".join(f"<th>{ESC(c)}</th>" for c in columns)
    body = "".join(f"<tr><th>{ESC(r)}</th>" + "".join(cell(cells[r, c]) if (r, c) in cells else "<td></td>" for c in columns) + "</tr>" for r in rows)
    return f'<div class="scroll"><table class="matrix"><tr><th></th>{head}</tr>{body}</table></div>'


def list_table(field):
    rows = "".join(f'<tr><th>{ESC(e["column"])}</th>{cell(e)}<td class="soft">{ESC(e["unit"])}</td></tr>' for e in field["elements"])
    return f'<div class="scroll"><table class="values">{rows}</table></div>'


# ---- a card ----

def units_of(field):
    return field.get("units") or ", ".join(dict.fromkeys(e["unit"] for e in field["elements"]))


def inputs_of(function):
    rows = [[f'<code>{ESC(f["name"])}</code>', ESC(units_of(f)), ESC(f["doc"])] for f in function["in"]["fields"] if f["elements"]]
    return f'<details><summary>Takes</summary>{pages.table(["input", "unit", "what it is"], rows)}</details>'


def outputs_of(function, known):
    parts = []
    for field in function["out"]["fields"]:
        if not field["elements"]:
            continue
        matrix = matrix_of(field, known)
        table, doc = matrix_table(*matrix) if matrix else list_table(field), field["doc"].replace("lower triangle by rows", "symmetric" if matrix else "lower triangle by rows")
        parts.append(f'<div class="output"><h3>{ESC(field["name"])} <span class="soft">[{ESC(units_of(field))}]</span></h3><p class="soft">{ESC(doc)}</p>{table}</div>')
    return "".join(parts)


def rows_of(description, function):
    """At which points and along which axes the rows are, for functions of rows."""
    if not any(f["shape"] in ("rows", "rows_packed", "set_points", "masks") for side in ("in", "out") for f in function[side]["fields"]):
        return ""
    groups = [f'{a["name"]}: at the origin of {a["link"]}, {a["text"]}' for a in description["attached"] if a["kind"] == "group"]
    return f'<p class="soft">Rows {ESC("; ".join(groups))}</p>' if groups else ""


def one(description, function, known):
    name = function["name"]
    return f"""<div data-function="{ESC(name)}" hidden><p>{ESC(function["doc"])}</p>
<p class="soft"><code>{ESC(function["c"])}(&amp;in, &amp;out)</code>, {function["operations"].get("total", 0):,} operations</p>{rows_of(description, function)}
<p>Status <span data-status="{ESC(name)}"></span></p>{inputs_of(function)}
{outputs_of(function, known)}</div>"""


def choice(description):
    """Which function is shown and drawn: below the view."""
    functions = of_page(description)
    if not functions:
        return ""
    options = "".join(f'<option value="{ESC(f["name"])}">{ESC(f["name"])}{": " + ESC(TITLES[f["name"]]) if f["name"] in TITLES else ""}</option>' for f in functions)
    radio = '<p><label class="tick"><input type="radio" name="ellipsoid" value="lin" checked> linear</label><label class="tick"><input type="radio" name="ellipsoid" value="ang"> angular</label></p>'
    drawn = "".join(f'<div data-drawn="{name}" hidden><p class="soft">{ESC(WHAT_IS_DRAWN[name])}</p>{radio if name == "manipulability" else ""}<div class="lines"></div></div>'
                    for name in (f["name"] for f in functions) if name in WHAT_IS_DRAWN)
    return f"""<div class="options"><select id="function" aria-label="function">{options}</select> <button id="moving" type="button">Example velocities</button>
<a href="#functions" class="soft">its numbers, below</a></div>{drawn}"""


def card(description):
    functions, known = of_page(description), labels(description)
    refused = "".join(f'<p class="soft">{ESC(text)}</p>' for text in description["refused"])
    if not functions:
        return f'<section class="card"><h2>Functions</h2>{refused}</section>' if refused else ""
    return f"""<section class="card" id="functions"><h2>Function <span id="chosen"></span></h2>{refused}
<p class="told soft">Point at a number for its name and unit.</p>
{"".join(one(description, f, known) for f in functions)}</section>"""


STYLE = """
.matrix, .values { width: auto; font-size: 12.5px; } .matrix th, .matrix td { padding: 2px 8px; border: 1px solid var(--line); }
.matrix tr > th:first-child { position: sticky; left: 0; background: var(--card); text-align: left; } .values th { color: inherit; font-weight: 400; text-align: left; }
.matrix td, .values td.n { --share: 0%; background: color-mix(in srgb, var(--accent) var(--share), transparent); } .matrix td.below, .values td.below { background: color-mix(in srgb, var(--bad) var(--share), transparent); }
#function { max-width: 100%; } .output { margin-top: 14px; } .told { position: sticky; top: 0; z-index: 2; max-width: none; padding: 6px 0; background: var(--card); overflow-wrap: anywhere; }
"""


def slim(function):
    """What the script needs of a function."""
    def side(struct):
        return {"bytes": struct["bytes"], "fields": [{"name": f["name"], "shape": f["shape"], "elements": [
            {key: e[key] for key in ("column", "offset", "default", "unit") if key in e} for e in f["elements"]]} for f in struct["fields"]]}
    return {"name": function["name"], "in": side(function["in"]), "out": side(function["out"])}


def jacobians(description):
    """Links of the frames whose Jacobians there are, by the names that these have in columns."""
    links = {re.sub(r"\W", "_", f["link"]): f["link"] for f in description["frames"]}
    jac = next((f for f in description["functions"] if f["name"] == "jac"), None)
    names = [f["name"].split(".", 1)[1] for f in jac["out"]["fields"]] if jac else []
    return {name: links[name] for name in names if name in links}
