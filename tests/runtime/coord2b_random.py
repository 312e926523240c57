# SPDX-License-Identifier: MIT
"""coord2b_random.py SEED: a random description of a state machine, which achdgen may refuse."""
import random
import sys

seed = int(sys.argv[1])
rng = random.Random(seed)
states = ["s%d" % k for k in range(rng.randint(2, 5))]
events = ["e%d" % k for k in range(rng.randint(2, 6))]
transitions = [(rng.sample(states, rng.randint(1, len(states))), rng.choice(states)) for _ in range(rng.randint(3, 8))]
reactions = [(rng.choice(events), k, rng.sample(events, rng.choice([0, 0, 1, 2]))) for k in range(len(transitions))]
rng.shuffle(reactions)
used = [e for e in events if any(r[0] == e for r in reactions)]
left = {s for f, t in transitions for s in f if s != t}
kinds = {e: rng.choice(["", "", "latches = true, ", "releases = true, "]) for e in used}
if "latches = true, " not in kinds.values() or "releases = true, " not in kinds.values():
    kinds = {e: "" for e in used}


def quoted(names):
    return "{ " + ", ".join('"%s"' % n for n in names) + " }"


print('return {\n  name = "random%d",\n  states = {' % seed)
for s in states:
    print('    { name = "%s"%s },' % (s, "" if s in left else ", final = true"))
print("  },\n  events = {")
for e in used:
    print('    { name = "%s", %sby = "the test" },' % (e, kinds[e]))
print("  },\n  transitions = {")
for k, (f, t) in enumerate(transitions):
    print('    { name = "t%d", from = %s, to = "%s" },' % (k, quoted(f), t))
print("  },\n  reactions = {")
for e, t, raises in reactions:
    print('    { when = "%s", transition = "t%d", raise = %s },' % (e, t, quoted([r for r in raises if r in used])))
print("  },\n}")
