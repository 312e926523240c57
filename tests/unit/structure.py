#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""structure.py SOURCE_DIR: the rules of the project's folders and files, as docs/architecture.md has them.

Of the generator: includes and requires run down only, one folder knows Lua's headers and one file libxml2's, no C file is
too long, and what x.h declares is defined in x.c. Of it, the runtime, robif2b/ and report/: no circle of files, by includes,
requires, imports or calls. Of all: functions that are long or have many parameters are those of long_functions.txt, each
with its reason. Then each rule is broken once in a copy in memory, and has to be noticed."""
import functools
import os
import re
import sys

# FOLDER: the folders that it may use, beside itself.
RULES = """
base:
model: base
graph: base
limbs: base graph
lower: base graph limbs
script: base model graph
report: base model graph lower emit
mjcf: base model
emit: base graph lower limbs
tables: base graph emit
check: base model graph script
prove: base graph limbs script
commands: base model graph lower limbs script report mjcf emit tables check prove
lua/dynamics:
lua/functions: lua/dynamics
lua/layout: lua/dynamics
"""
MAY = {line.split(":")[0]: set(line.split(":")[1].split()) for line in RULES.split("\n") if line}
LINES = {".c": 60, ".h": 60, ".lua": 80}  # of a function at most
PARAMETERS = 6  # of a function at most
LISTED = 3  # functions that are longer or have more, at most
MADE = {"ag_file_find", "ag_files", "ag_compiled_by"}  # defined in a file that script/embed.c writes
MAINS = ("commands/main.c", "script/embed.c")  # programs

# What is still to be mended: the beginning of each message. One that is mended has to go from here.
DEBTS = []

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
LUA_COMMENT = re.compile(
    r'--\[(=*)\[.*?\]\1\]|--[^\n]*|\[(=*)\[.*?\]\2\]|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
LUA_BLOCK = re.compile(
    r"(?:local\s+)?([\w.:\[\]]+)\s*=\s*function\s*\(([^)]*)\)|\bfunction\b\s*([\w.:]*)\s*\(([^)]*)\)|\b(?:if|do|repeat|end|until)\b")


def blank(text, pattern):
    """The text without its comments and strings, on the same lines."""
    return pattern.sub(lambda m: "\n" * m.group(0).count("\n") + " ", text)


def count_parameters(text):
    depth, count = 0, 0 if text.strip() in ("", "void") else 1
    for c in text:
        depth += (c in "([") - (c in ")]")
        count += c == "," and depth == 0
    return count


def c_functions(text):
    """[(name, lines, parameters, static)] of what a C file defines, and the names that it declares. As clang-format sets them:
    a definition begins in the first column and ends with a brace there."""
    lines, defined, declared, i = text.split("\n"), [], [], 0
    while i < len(lines):
        first, head = i, lines[i]
        if not re.match(r"[A-Za-z_]", head):
            i += 1
            continue
        while not re.search(r"[;{}]\s*$", lines[i]) and i + 1 < len(lines):
            i += 1
            head += " " + lines[i]
        head = head.rstrip()
        call = re.match(r"([^=(]*?)(\w+)\s*\((.*)\)\s*(?:__attribute__.*)?[{;]$", head)
        if call and not head.startswith("typedef") and call.group(1):
            if head.endswith("{"):
                while i + 1 < len(lines) and lines[i] != "}":
                    i += 1
                defined.append((call.group(2), i - first + 1, count_parameters(call.group(3)), head.startswith("static")))
            else:
                declared.append(call.group(2))
        elif head.startswith("extern"):
            declared += re.findall(r"(\w+)\s*(?:\[[^]]*\]\s*)*[,;]", head)
        elif "=" in head and not head.startswith("static"):
            defined.append((re.match(r"[^=]*?(\w+)\s*(?:\[[^]]*\]\s*)*=", head).group(1), 0, 0, False))
        i += 1
    return defined, declared


def lua_functions(text):
    """[(name, lines, parameters)] of what a Lua file defines; "function" where it has no name."""
    found, open_blocks = [], []
    for m in LUA_BLOCK.finditer(text):
        word = m.group(0)
        if m.group(2) is not None or m.group(4) is not None:
            name = m.group(1) or m.group(3) or "function"
            open_blocks.append((name, m.start(), count_parameters(m.group(2) or m.group(4) or "")))
        elif word in ("if", "do", "repeat"):
            open_blocks.append(None)
        else:
            block = open_blocks.pop()
            if block:
                found.append((block[0], text.count("\n", block[1], m.end()) + 1, block[2]))
    if open_blocks:
        raise ValueError(f'a block has no end: {open_blocks}')
    return found


class File:
    """What the rules ask of one file, read from its text once."""

    def __init__(self, path, text):
        self.lines = text.count("\n")
        self.includes, self.system, self.requires, self.imports = [], [], [], []
        self.functions, self.declared, self.words, self.templates = [], [], set(), False
        if path.endswith((".c", ".h")):
            code = blank(text, COMMENT)
            self.includes = re.findall(r'^ *# *include *"([^"]*)"', text, re.M)
            self.system = re.findall(r"^ *# *include *[<\"]([^>\"]*)", text, re.M)
            self.templates = re.search(r'"[a-z_]+\.(h|c)\.in"', text) is not None
            self.functions, self.declared = c_functions(code)
            self.words = set(re.findall(r"(?<![.>\w])([A-Za-z_]\w*)(?= *\()|\b((?:ag|achd)_\w+)", code))
            self.words = {call or name for call, name in self.words}
            self.own = {name for name, _, _, _ in self.functions}
        elif path.endswith(".lua"):
            self.requires = re.findall(r'require *\(* *"(\w+)"', text)
            self.functions = [f + (True,) for f in lua_functions(blank(text, LUA_COMMENT))]
        elif path.endswith(".js"):
            self.imports = re.findall(r'\bfrom +"\./([^"]*)"', text)
        elif path.endswith(".py"):
            self.imports = [name + ".py" for name in re.findall(r"^(?:import|from) +(\w+)", text, re.M)]


KNOWN = {}  # a file by its path and text: a copy with one change reads one file


def read(path, text):
    if (path, text) not in KNOWN:
        KNOWN[path, text] = File(path, text)
    return KNOWN[path, text]


@functools.cache
def folder_of(path):
    return os.path.dirname(path)


@functools.cache
def unit_of(path):
    """x.c and x.h are one."""
    return re.sub(r"\.(c|h|lua)$", "", path)


def may_not(verb, arrows):
    for source, target in arrows:
        here, there = folder_of(source), folder_of(target)
        if here in ("lua", there) or there in MAY.get(here, ()):
            continue
        yield f"{source}: {here}/ may not {verb} {there + '/' if there else 'what is above all folders'}: {target}"


def circles(arrows):
    """One circle of each set of units that reach each other."""
    beyond = {}
    for source, target in arrows:
        if source != target:
            beyond.setdefault(source, set()).add(target)
    done = set()
    for start in sorted(beyond):  # depth first; what is done is in no circle, or in one that has been told
        path, ways = [start], [iter(sorted(beyond[start]))]
        while path:
            target = next(ways[-1], None)
            if target is None or path[-1] in done:
                done.add(path.pop())
                ways.pop()
            elif target in path:
                yield "a circle: " + " ".join(path[path.index(target):])
                done.update(path[path.index(target):])
            elif target not in done:
                path.append(target)
                ways.append(iter(sorted(beyond.get(target, ()))))


@functools.cache
def beside(path, name):
    """Where an included file may stand."""
    return [os.path.normpath(os.path.join(base, name)) for base in (folder_of(path), path.split("/")[0], "runtime/achd")]


def c_arrows(files):
    """Who includes whom, and who names what another file defines, of all C files."""
    home = {}
    for path, file in files.items():
        if path.endswith(".c"):
            home.update({name: path for name, _, _, static in file.functions if not static})
    for path, file in files.items():
        for name in file.includes:
            for target in beside(path, name):
                if target in files:
                    yield unit_of(path), unit_of(target)
                    break
        if path.endswith(".c"):
            for name in file.words & home.keys():
                if name not in file.own:
                    yield unit_of(path), unit_of(home[name])


def generator_rules(files):
    """What is in the way of the rules of the generator's folders; paths without "generator/"."""
    for folder in sorted({folder_of(path) for path in files} - {"", "lua"} - set(MAY)):
        yield f"{folder}: a folder without a rule"
    included = []
    for path, file in files.items():
        in_c = path.endswith((".c", ".h"))
        if folder_of(path) in ("", "lua") and path != "lua/main.lua":
            yield f"{path}: stands in no folder that has a rule"
        included += [(path, name) for name in file.includes if not re.match(r"sincos_[a-z]*\.h$", name)]  # made by the build
        if in_c and (file.lines > 600 or (path == "commands/main.c" and file.lines >= 200)):
            yield f"{path}: has {file.lines} lines"
        for name in file.system:
            if re.match(r"(lua|lauxlib|lualib)\.h", name) and folder_of(path) != "script":
                yield f"{path}: includes a header of Lua, outside script/"
            if name.startswith("libxml") and path != "model/markup.c":
                yield f"{path}: includes a header of libxml2; only model/markup.c may"
        if path.endswith(".c") and file.templates and folder_of(path) not in ("emit", "tables"):
            yield f"{path}: names a template of C text, outside emit/ and tables/"
        if path.endswith(".h"):
            source = files.get(path[:-1] + "c")
            own = {name for name, _, _, _ in file.functions + (source.functions if source else [])}
            for name in [name for name in file.declared if name not in own | MADE]:
                yield f"{path}: declares {name}, which its own .c file does not define"
        if path.endswith(".c") and path not in MAINS and path[:-1] + "h" not in files:
            yield f"{path}: has no header of its own"
    for target in sorted({name for _, name in included} - set(files)):
        yield f"{target}: is included, but not in the generator"
    yield from may_not("include", included)

    scripts = {}
    for path in sorted(files):
        if path.endswith(".lua"):
            name = os.path.basename(path)[:-4]
            if scripts.setdefault(name, path) != path:
                yield f"{name}.lua: two scripts have this name, and scripts are found by name"
    required = []
    for path, file in files.items():
        for name in file.requires:
            if name in scripts:
                required.append((path, scripts[name]))
            else:
                yield f"{path}: requires {name}, which is not there"
    yield from may_not("require", required)
    yield from circles([(unit_of(a), unit_of(b)) for a, b in required])


def long_functions(files, listed):
    """Functions above the measures that are not listed, and listed ones that are not above them."""
    above = set()
    for path, file in files.items():
        most = LINES.get(os.path.splitext(path)[1])
        for name, lines, parameters, _ in file.functions if most else []:
            if lines <= most and parameters <= PARAMETERS:
                continue
            above.add((path, name))
            if (path, name) not in listed:
                yield f"{path}: {name} has {lines} lines and {parameters} parameters, and is not in long_functions.txt"
    for path, name in sorted(set(listed) - above):
        yield f"long_functions.txt: {name} of {path} is there no more, or no longer above the measures"
    for (path, name), reason in listed.items():
        if len(reason) < 20:
            yield f"long_functions.txt: {name} of {path} has no reason"
    if len(above & set(listed)) > LISTED:
        yield f"long_functions.txt: has {len(above & set(listed))} functions, {LISTED} at most"


PAGES = ("docs/architecture.md", "CONTRIBUTING.md")


@functools.cache
def names_nothing(page, text):
    """Files and folders that a page about the project names, and that are not there."""
    found = set(re.findall(r"`([\w./-]+(?:/|\.(?:c|h|lua|sh|py|txt|def|md|in|js|cpp)))`", text))
    return [f"{page}: names {name}, which is not there" for name in sorted(found - NAMES)]


def unnamed(generator, page):
    """Scripts, sources and folders of the generator that docs/architecture.md does not name."""
    names = {os.path.basename(path) for path in generator if path.endswith((".c", ".lua"))}
    names |= {path.split("/")[0] + "/" for path in generator if "/" in path and not path.startswith("lua/")}
    return [f"docs/architecture.md: does not name {name} of the generator" for name in sorted(names) if f"`{name}`" not in page]


def read_list(text):
    """FILE FUNCTION REASON"""
    words = [line.split(None, 2) for line in text.split("\n") if line and not line.startswith("#")]
    return {(w[0], w[1]): " ".join(w[2:]) for w in words}


COPIED = "report/CMakeLists.txt"


def not_copied(texts):
    """What files of runtime/ include that pages of robots compile (the list `solver` of COPIED), and nobody copies beside them."""
    found = re.search(r"set\(solver ([^)]*)\)", texts[COPIED])
    copied = set(found.group(1).split()) if found else set()
    wanted = {(path, name) for path in copied for name in re.findall(r'^#include ["<]((?:achd/)?[a-z_]+\.h)[">]', texts[f"runtime/{path}"], re.M)}
    return [f"{COPIED}: does not copy {name}, which {path} includes" for path, name in sorted(wanted)
            if f"runtime/{name}" in texts and name not in copied]


def broken_rules(texts):
    """What is in the way of the rules in these files, text by path; less what is still to be mended."""
    listed = read_list(texts["tests/unit/long_functions.txt"])
    files = {path: read(path, text) for path, text in texts.items() if path.startswith(("generator/", "runtime/", "robif2b/", "report/"))}
    generator = {path[len("generator/"):]: file for path, file in files.items() if path.startswith("generator/")}
    said = list(generator_rules(generator))
    imports = [(path, f"{folder_of(path)}/{name}") for path, file in files.items() for name in file.imports]
    said += circles(list(c_arrows(files)) + [(a, b) for a, b in imports if b in files])
    said += long_functions(files, listed)
    for page in PAGES:
        said += names_nothing(page, texts[page])
    said += unnamed(generator, texts["docs/architecture.md"]) + not_copied(texts)
    said += [f"{path}: stands in the root of the project: a test left it there" for path in texts if path.endswith(STRAY) and "/" not in path]
    paid = [f"{debt}: is mended, and still among the debts of structure.py" for debt in DEBTS
            if not any(line.startswith(debt) for line in said)]
    return paid + [line for line in said if not line.startswith(tuple(DEBTS))]


STRAY = (".c", ".lua", ".urdf", ".xml")  # what tests write, and nobody keeps in the root


def read_texts(top):
    texts = {path: open(os.path.join(top, path), encoding="utf-8").read() for path in PAGES + ("tests/unit/long_functions.txt", COPIED)}
    for root in ("generator", "runtime", "robif2b", "report"):
        for folder, _, names in os.walk(os.path.join(top, root)):
            for name in names:
                if name.endswith((".c", ".h", ".def", ".lua", ".js", ".py")):
                    path = os.path.join(folder, name)
                    texts[os.path.relpath(path, top)] = open(path, encoding="utf-8").read()
    return {**texts, **{name: "" for name in os.listdir(top) if name.endswith(STRAY)}}


NAMES = set()  # of all files and folders that people write


def read_names(top):
    for root in sorted(os.listdir(top)):
        if root.startswith((".", "build")):
            continue
        NAMES.add(root)
        for folder, _, names in os.walk(os.path.join(top, root)):
            folder = os.path.relpath(folder, top)
            for path in [folder + "/", *(f"{folder}/{name}" for name in names)]:
                words = path.split("/")
                NAMES.update("/".join(words[k:]) for k in range(len(words)))  # `text.c` is base/text.c, too


LONG = "\n".join(["static int more(int x) {", *["  x++;"] * 59, "  return x;", "}"])

# FILE, what is added behind its text, and what has to be said of it; nothing else is.
BREACHES = [
    ("base/text.c", '#include "graph/dag.h"', "base/text.c: base/ may not include graph/"),
    ("graph/dag.c", '#include "model/pose.h"', "graph/ may not include model/"),
    ("graph/eval.c", '#include "lower/order.h"', "graph/ may not include lower/"),
    ("emit/trig.c", '#include "script/script.h"', "emit/ may not include script/"),
    ("report/inspect.c", '#include "check/rows.h"', "report/ may not include check/"),
    ("script/robot.c", '#include "check/check.h"', "script/ may not include check/"),
    ("check/solve.c", '#include "commands/options.h"', "check/ may not include commands/"),
    ("check/solve.c", '#include "lower/schedule.h"', "check/ may not include lower/"),
    ("script/robot.c", '#include "lower/lower.h"', "script/ may not include lower/"),
    ("limbs/build.c", '#include "lower/plan.h"', "limbs/ may not include lower/"),
    ("emit/batch.c", '#include "emit/nowhere.h"', "emit/nowhere.h: is included, but not in the generator"),
    ("mjcf/turn.c", '#include "graph/dag.h"', "mjcf/ may not include graph/"),
    ("base/more/more.h", "", "base/more: a folder without a rule"),
    ("report/columns.c", "  #  include <lua.h>", "report/columns.c: includes a header of Lua"),
    ("model/model.c", "#include <libxml/tree.h>", "model/model.c: includes a header of libxml2"),
    ("report/svg.c", 'static const char *form = "header.h.in";', "report/svg.c: names a template of C text"),
    ("limbs/vectorizer.h", '#include "limbs/pairing.h"', "a circle: "),
    ("base/names.c", "\n" * 600, "base/names.c: has "),
    ("commands/main.c", "\n" * 200, "commands/main.c: has "),
    ("base/alone.c", "int ag_alone;", "base/alone.c: has no header of its own"),
    ("base/text.h", "void ag_nowhere(void);", "base/text.h: declares ag_nowhere, which its own .c file does not define"),
    ("base/text.h", "const char *ag_number(const char *text,\n  double x);", "base/text.h: declares ag_number"),
    ("base/text.h", "extern const int ag_left[2];", "base/text.h: declares ag_left"),
    ("base/arena.c", "static int of_text(ag_text *text) {\n  return ag_text_wrap(text, 0, 0, 0);\n}",
     "a circle: generator/base/arena generator/base/text"),
    ("model/pose.c", LONG, "model/pose.c: more has 62 lines and 1 parameters"),
    ("model/pose.c", "static int many(int a, int b, int c,\n int d, int e, int f, int g) {\n  return a;\n}",
     "model/pose.c: many has 4 lines and 7 parameters"),
    ("lua/layout/marks.lua", "local function more(a, b)\n" + "  if a then b = 1 end\n" * 80 + "end",
     "lua/layout/marks.lua: more has 82 lines and 2 parameters"),
    ("lua/layout/marks.lua", "M.many = function(a, b, c, d, e, f, g) end", "marks.lua: M.many has 1 lines and 7 parameters"),
    ("lua/dynamics/motion.lua", 'local state = require "state"', "lua/dynamics/ may not require lua/functions/"),
    ("lua/functions/achd.lua", 'local bounds = require("bounds")', "lua/functions/ may not require lua/layout/"),
    ("lua/layout/bounds.lua", 'local layout = require "layout"', "a circle: "),
    ("lua/layout/bounds.lua", 'local none = require "nothing"', "requires nothing, which is not there"),
    ("lua/layout/motion.lua", "", "motion.lua: two scripts have this name"),
    ("page.h", "", "page.h: stands in no folder that has a rule"),
    ("lua/formulas.lua", "", "lua/formulas.lua: stands in no folder that has a rule"),
    ("../report/kinematics.js", 'import { createFlat } from "./flat.js";', "a circle: report/kinematics.js report/flat.js"),
    ("../report/sketch.py", "import pages", "a circle: report/pages.py report/sketch.py"),
    ("../runtime/spatial.c", "void of_load(void) {\n  achd_load_reset(0);\n}", "a circle: runtime/"),
    ("../CONTRIBUTING.md", "See `generator/base/nowhere.c`.", "CONTRIBUTING.md: names generator/base/nowhere.c, which is not there"),
    ("lua/dynamics/unheard.lua", "", "docs/architecture.md: does not name unheard.lua"),
    ("../docs/architecture.md", "The folder `paint/`.", "docs/architecture.md: names paint/, which is not there"),
    ("../tests/unit/long_functions.txt", "generator/base/text.c ag_nothing it is a table of cases", "ag_nothing of generator/base/text.c is there"),
    ("../runtime/contact.c", '#include "least_norm.h"', "report/CMakeLists.txt: does not copy least_norm.h, which contact.c includes"),
    ("../random.lua", "", "random.lua: stands in the root of the project"),
]


def main():
    read_names(sys.argv[1])
    texts, failed = read_texts(sys.argv[1]), 0

    def check(what, said, good):
        nonlocal failed
        if not good:
            failed += 1
            print(f"FAILED: {what}")
            print("".join(f"    {line}\n" for line in said), end="")

    said = broken_rules(texts)
    check("the project keeps its rules", said, not said)
    for name, more, message in BREACHES:
        path = os.path.normpath(os.path.join("generator", name))
        said = broken_rules({**texts, path: texts.get(path, "") + more + "\n"})
        # an include that runs up may close a circle as well; a new file stands nowhere in the architecture
        good = any(message in line for line in said) and all(
            message in line or "a circle: " in line or "does not name" in line for line in said)
        check(f"noticed: {path} with {more[:80]}", said, good)
    print(f"{1 + len(BREACHES) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
