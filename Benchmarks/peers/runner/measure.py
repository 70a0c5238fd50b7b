"""Runs the windows of a case and prints their JSON lines."""
import json
import sys
from contextlib import ExitStack


def measure_each(machine, peer, cases, options):
    """Every case with every variant that fits; with --paced again for each line of standard input.

    All servers stay up only when paced: otherwise those of one group at a time, so that nothing else
    uses the machine.
    """
    variants = [v for v in peer.variants if options.variant in (None, v)]
    if not variants:
        raise SystemExit(f"{options.variant} is not a variant of this peer; it has {' '.join(peer.variants)}")
    groups = grouped(peer, variants, cases)
    if not options.paced:
        for variant, mode, runs in groups:
            with peer.running(machine, variant, mode) as server:
                measure(machine, peer, server, runs, options)
        return
    with ExitStack() as servers:
        up = [(servers.enter_context(peer.running(machine, variant, mode)), runs) for variant, mode, runs in groups]
        for _ in sys.stdin:
            for server, runs in up:
                measure(machine, peer, server, runs, options)
            print(flush=True)


def grouped(peer, variants, cases):
    """What can be asked of the same server: [(its variant, its mode, [(variant, case)…])]."""
    groups = {}
    for variant in variants:
        for case in cases:
            if peer.fits(variant, case):
                key = (variants[0] if peer.shares_server else variant, case.mode)
                groups.setdefault(key, []).append((variant, case))
    return [(*key, runs) for key, runs in groups.items()]


def measure(machine, peer, server, runs, options):
    for variant, case in runs:
        report = peer.measure(machine, variant, case, server, options.seconds, options.warmup)
        named = {"peer": options.peer, "variant": variant, "case": case.name, "placement": options.placement}
        print(json.dumps({**named, "unit": "calls/s", **report}), flush=True)
