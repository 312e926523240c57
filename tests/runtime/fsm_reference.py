# SPDX-License-Identifier: MIT
"""fsm_reference.py FILE EVENTS SEED: what coord2b's step function makes of a state machine of coord-dsl.

Writes EVENTS random events to events.txt, a cycle a line (numbers from 1; 0: the machine starts again), and to states.txt
the number of the state and the pending events after each cycle. Reads the file by patterns of its own, and shares no code with achdgen."""
import os
import random
import re
import sys

path, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def clean(name):
    text = re.sub(r"/\*.*?\*/", " ", open(name).read(), flags=re.S)
    return re.sub(r'(?<!:)//[^\n]*', " ", text)


text = clean(path)
for other in re.findall(r'import\s+"([^"]*)"', text):
    text = clean(os.path.join(os.path.dirname(path), other)) + text
NAME = r"[A-Za-z_][\w-]*"
strip = lambda reference: reference.split(".")[-1]
if re.search(r"\bfsm\s*\(", text):  # today's form
    loop = re.search(r"evt\s+loop\s*:\s*<(%s)>" % NAME, text).group(1)
    events = re.findall(r"evt\s+(%s)" % NAME, re.search(r"evt\s+loop\s*\(ns=%s\)\s*%s\s*{([^}]*)}" % (NAME, re.escape(loop)), text).group(1))
    states = re.findall(NAME, re.search(r"\bstates\s*{([^}]*)}", text).group(1))
    start = current = re.search(r"\bstart\s*:\s*<(%s)>" % NAME, text).group(1)
    end = re.search(r"\bend\s*:\s*<(%s)>" % NAME, text).group(1)
    transitions = {n: (strip(a), strip(b)) for n, a, b in re.findall(r"(%s)\s*{\s*from:\s*<([^>]*)>\s*,\s*to:\s*<([^>]*)>\s*}" % NAME, text)}
    reactions = [(strip(w), d, [strip(e) for e in re.findall(r"<([^>]*)>", f)])
                 for w, d, f in re.findall(r"{\s*when:\s*<([^>]*)>\s*,\s*do:\s*<([^>]*)>\s*(,\s*fires\s*{[^}]*})?\s*}", text)]
else:
    section = lambda word, following: re.search(r"\b%s\s*:(.*?)(?=\b(?:%s)\s*:|\Z)" % (word, following), text, re.S).group(1)
    states = re.findall(NAME, section("STATES", "START_STATE"))
    events = re.findall(NAME, section("EVENTS", "TRANSITIONS"))
    start = re.search(r"START_STATE\s*:\s*@(%s)" % NAME, text).group(1)
    current = (re.search(r"CURRENT_STATE\s*:\s*@(%s)" % NAME, text) or re.search(r"START_STATE\s*:\s*@(%s)" % NAME, text)).group(1)
    end = re.search(r"END_STATE\s*:\s*@(%s)" % NAME, text).group(1)
    transitions = {n: (a, b) for n, a, b in re.findall(r"(%s)\s*:\s*FROM\s*:\s*@(%s)\s*TO\s*:\s*@(%s)" % (NAME, NAME, NAME), text)}
    reactions = [(w, d, re.findall(r"@(%s)" % NAME, f))
                 for w, d, f in re.findall(r"WHEN\s*:\s*@(%s)\s*DO\s*:\s*@(%s)((?:\s*FIRES\s*:\s*@%s(?:\s*,\s*@%s)*)?)" % (NAME, NAME, NAME, NAME), text)]
assert len(states) > 1 and events and transitions and reactions, path

draw = random.Random(seed)
given, wanted, raised, visited = [], [], 0, {current}
state, future = current, set()
while raised < count:
    if len(given) % 500 == 499:
        state, future = current, set()
        given.append([0])
        wanted.append("%d" % states.index(state))
        continue
    cycle = [draw.randrange(1, len(events) + 1) for _ in range(draw.randrange(1, 4))]
    raised += len(cycle)
    now = future | {events[k - 1] for k in cycle}
    future = set()
    if state != end:
        for when, do, fires in reactions:
            if when in now and transitions[do][0] == state:
                state = transitions[do][1]
                future = set(fires)
                break
    visited.add(state)
    given.append(cycle)
    wanted.append("%d %s" % (states.index(state), " ".join(str(events.index(e) + 1) for e in events if e in future)))
with open("events.txt", "w") as f:
    f.writelines(" ".join(map(str, c)) + "\n" for c in given)
with open("states.txt", "w") as f:
    f.writelines(w.strip() + "\n" for w in wanted)
print("%s: %d events, %d of %d states visited" % (path, raised, len(visited), len(states)))
assert len(visited) > 1, "the machine hardly moves"
