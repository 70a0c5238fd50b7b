"""Compares a peer's answers with brute force."""
import json
import subprocess

from .cases import Case

QUERIES = 300
TOLERANCE_M = 0.01


def run(machine, peer, options):
    """Prints one JSON line a variant; 0 when every answer is right (or the peer has no searches)."""
    modes = list(dict.fromkeys(c.split("-")[0] for c in peer.cases if c.startswith(("nearby", "explore"))))
    right, wrong = oracle(machine), 0
    for mode in modes:
        case = Case(mode + "-1", mode, 1)
        for variant in peer.variants:
            if options.variant in (None, variant) and peer.fits(variant, case):
                with peer.running(machine, variant, mode) as server:
                    words = [*peer.words(machine, variant, case, server), "--answers", QUERIES]
                    lines = machine.client(peer.program, words, 600).splitlines()
                wrong += report(options.peer, variant, mode, [parse(line) for line in lines], right)
    return 1 if wrong else 0


def oracle(machine):
    kept = machine.data / f"answers-{QUERIES}.txt"
    if not kept.exists():
        script = __file__.replace("runner/verify.py", "data/oracle.py")
        kept.write_bytes(subprocess.run([machine.python, script, machine.data, str(QUERIES)], check=True,
                                        stdout=subprocess.PIPE).stdout)
    return [parse(line) for line in kept.read_text().splitlines()]


def parse(line):
    return [(int(i), float(d)) for i, d in (pair.split(":") for pair in line.split())]


def report(peer, variant, mode, answers, right):
    """1 for a wrong peer. Redis gives no distances and rounds positions: of its sets, 9 in 10 must agree."""
    pairs = list(zip(answers, right))
    counts = {
        "queries": len(right),
        "same_list": sum([i for i, _ in a] == [i for i, _ in r] for a, r in pairs),
        "same_set": sum({i for i, _ in a} == {i for i, _ in r} for a, r in pairs),
    }
    if peer == "redis":
        wrong = counts["same_set"] < 0.9 * len(right)
    else:
        counts["same_distances"] = sum(agree(a, r) for a, r in pairs)
        wrong = counts["same_distances"] < len(right)
    named = {"peer": peer, "variant": variant, "case": mode + "-verify"}
    print(json.dumps({**named, **counts, "right": not wrong}), flush=True)
    return int(wrong)


def agree(answer, right):
    return len(answer) == len(right) and all(abs(a[1] - r[1]) <= TOLERANCE_M for a, r in zip(answer, right))
