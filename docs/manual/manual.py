#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""manual.py SOURCE_DIR FOLDER: all documents as a manual of web pages in FOLDER, with a search over their sections, and the reference of the runtime
library (Doxygen) in FOLDER/api. Formulas are MathML; with Chromium the mathematics is also printed as mathematics.pdf. Exit 1 if a link leads nowhere. `cmake --build build --target manual` runs it."""
import html
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Chapters, in the order in which one reads.
CHAPTERS = [
    ("To begin", ["README.md", "docs/tour.md", "docs/conventions.md", "docs/errors.md"]),
    ("Robots and layouts", ["docs/layouts.md", "docs/mjcf.md", "docs/kdl.md"]),
    ("Controllers", ["docs/runtime.md", "docs/faults.md", "docs/motion.md", "docs/robif2b.md", "docs/platform.md", "docs/whole_body.md", "docs/contact.md",
                     "docs/identify.md", "docs/experiments.md"]),
    ("Simulation", ["docs/simulation.md", "docs/step.md", "docs/report.md"]),
    ("Behind the numbers", ["docs/mathematics.md", "docs/bibliography.md", "docs/derivatives.md", "docs/proof.md", "docs/performance.md", "docs/scale.md", "docs/misra.md",
                            "docs/platforms.md", "docs/description.md"]),
    ("The project", ["docs/architecture.md", "CONTRIBUTING.md", "docs/releasing.md", "CHANGELOG.md", "SECURITY.md"]),
]


def title_of(text):
    return re.search(r"^# (.*)$", text, re.M).group(1).replace("`", "")


def navigation(titles, here):
    to_top = "../" * here.count("/")
    out = []
    for chapter, pages in CHAPTERS:
        out.append(f"<h2>{html.escape(chapter)}</h2><ul>")
        for page in pages:
            mark = ' class="here"' if page == here else ""
            out.append(f'<li{mark}><a href="{to_top}{page[:-3]}.html">{html.escape(titles[page])}</a></li>')
        out.append("</ul>")
    out.append(f'<h2>Reference</h2><ul><li><a href="{to_top}api/html/index.html">The runtime library</a></li></ul>')
    return "\n".join(out)


def converted(text, top):
    """The page as HTML. Links between documents lead to pages."""
    made = subprocess.run(["pandoc", "--from", "gfm+tex_math_dollars", "--to", "html5", "--mathml", "--wrap", "none"], input=text, capture_output=True,
                          text=True, check=True)
    if made.stderr.strip():
        sys.exit(f"pandoc: {made.stderr.strip()}")
    return made.stdout


class Sections(html.parser.HTMLParser):
    """Text by section, ids and links of a page."""

    def __init__(self):
        super().__init__()
        self.sections, self.ids, self.links, self.head = [], set(), [], False

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.add(attributes["id"])
        for name in ("href", "src"):
            if name in attributes:
                self.links.append(attributes[name])
        if re.fullmatch("h[1-4]", tag):
            self.sections.append([attributes.get("id", ""), "", ""])
            self.head = True

    def handle_endtag(self, tag):
        if re.fullmatch("h[1-4]", tag):
            self.head = False

    def handle_data(self, data):
        if self.sections:
            self.sections[-1][1 if self.head else 2] += data


def main(top, folder):
    for tool in ("pandoc", "doxygen"):
        if not shutil.which(tool):
            sys.exit(f"manual.py: no {tool}: apt-get install pandoc doxygen")
    top, folder = pathlib.Path(top).resolve(), pathlib.Path(folder).resolve()
    here = pathlib.Path(__file__).resolve().parent
    pages = [page for _, names in CHAPTERS for page in names]
    missing = {str(p.relative_to(top)) for p in top.glob("docs/*.md")} - set(pages)
    if missing:
        sys.exit(f"manual.py: in no chapter: {' '.join(sorted(missing))}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    form = (here / "page.html").read_text(encoding="utf8")
    titles = {page: title_of((top / page).read_text(encoding="utf8")) for page in pages}

    index, ids, links = [], {}, []
    for page in pages:
        body = converted((top / page).read_text(encoding="utf8"), top)
        read = Sections()
        read.feed(body)
        at = (folder / page).with_suffix(".html")
        at.parent.mkdir(parents=True, exist_ok=True)
        for link in set(read.links):
            if re.match("[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
            if to not in pages:  # a picture, a source, a folder: as it stands in the repository
                if not (top / to).exists():
                    sys.exit(f"{page}: {link}: nothing is there")
                if (top / to).is_file():
                    (folder / to).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(top / to, folder / to)
                continue
            links.append((page, link, to, anchor))
            new = os.path.relpath(to, os.path.dirname(page) or ".")[:-3] + ".html" if target else ""
            body = body.replace(f'"{link}"', f'"{new}{"#" + anchor if anchor else ""}"')
        ids[page] = read.ids
        for anchor, head, text in read.sections:
            index.append([page[:-3] + ".html" + ("#" + anchor if anchor else ""), titles[page], head.strip(), " ".join(text.split())])
        parts = {"TITLE": html.escape(titles[page]), "TOP": "../" * page.count("/"), "NAVIGATION": navigation(titles, page), "BODY": body}
        at.write_text(re.sub(r"@(TITLE|TOP|NAVIGATION|BODY)@", lambda m: parts[m.group(1)], form), encoding="utf8")
    for page, link, to, anchor in links:
        if anchor and anchor not in ids[to]:
            sys.exit(f"{page}: {link}: no such heading")
    (folder / "index.js").write_text("const sections = " + json.dumps(index, ensure_ascii=False) + ";\n", encoding="utf8")
    for name in ("search.js", "manual.css"):
        shutil.copyfile(here / name, folder / name)
    (folder / "index.html").write_text('<!DOCTYPE html><meta http-equiv="refresh" content="0; url=README.html"><a href="README.html">achdgen</a>\n', encoding="utf8")

    settings = "\n".join([
        "PROJECT_NAME = libachd", f'OUTPUT_DIRECTORY = "{folder / "api"}"', f'INPUT = "{top / "runtime/achd"}"', "FILE_PATTERNS = *.h *.hpp", "OPTIMIZE_OUTPUT_FOR_C = YES",
        "EXTRACT_ALL = YES", "JAVADOC_AUTOBRIEF = YES", f'FILTER_PATTERNS = "*.h=python3 {here / "comments.py"}" "*.hpp=python3 {here / "comments.py"}"',
        "GENERATE_LATEX = NO", "SEARCHENGINE = YES", "QUIET = YES", "WARN_IF_UNDOCUMENTED = NO", f'STRIP_FROM_PATH = "{top / "runtime"}"',
        "EXCLUDE_PATTERNS = */single.h", "HTML_TIMESTAMP = NO", "HAVE_DOT = NO", f'EXCLUDE = "{top / "runtime/achd/single.h"}"'])
    (folder / "api").mkdir()
    made = subprocess.run(["doxygen", "-"], input=settings, capture_output=True, text=True, check=False)
    if made.returncode or made.stderr.strip():
        sys.exit(f"doxygen: {made.stderr.strip()}")
    if not (folder / "api/html/index.html").exists():
        sys.exit("doxygen wrote no index.html")
    for browser in ("chromium", "chromium-browser", "google-chrome"):  # the mathematics on paper, where there is a browser
        if shutil.which(browser):
            paper = folder / "mathematics.pdf"
            subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={paper}",
                            (folder / "docs/mathematics.html").as_uri()], capture_output=True, check=False)
            if not paper.exists():
                sys.exit(f"{browser} printed no {paper}")
            break
    print(f"{folder}/index.html: {len(pages)} pages, {len(index)} sections, {len(links)} links between them")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
