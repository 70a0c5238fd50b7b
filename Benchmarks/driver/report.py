"""The results: a table for people, or a JSON object a line for programs."""
import json

MEASURES = ["server_cpu_us", "client_cpu_us", "p50_us", "p99_us"]
TITLES = ["case", "calls/s", "spread", "server µs", "client µs", "p50 µs", "p99 µs"]
PEER_TITLES = ["peer", "calls/s", "spread", "server µs", "client µs", "ratio"]


class Result:
    """One case: our summary, and the best summary of each peer that has it."""

    def __init__(self, case, ours, peers):
        self.case, self.ours, self.peers = case, ours, peers

    def objects(self):
        """One object a peer, or one alone without peers."""
        own = {"bench": self.case.bench, "case": self.case.name, "value": rounded(self.ours.value), "unit": "calls/s",
               "spread": rounded(self.ours.spread), "disturbed": self.ours.disturbed}
        own |= {name: rounded(getattr(self.ours, name)) for name in MEASURES}
        return [own | self.against(peer, summary) for peer, summary in self.peers] or [own]

    def against(self, peer, summary):
        return {"peer": peer, "variant": summary.variant, "peer_value": rounded(summary.value),
                "peer_spread": rounded(summary.spread), "ratio": rounded(self.ours.value / summary.value),
                "peer_disturbed": summary.disturbed,
                **{"peer_" + name: rounded(getattr(summary, name)) for name in MEASURES}}

    def rows(self):
        own = [self.case.name + ("*" if self.ours.disturbed else ""), *figures(self.ours),
               short(self.ours.p50_us), short(self.ours.p99_us)]
        theirs = [
            [named(peer, summary), *figures(summary), f"{self.ours.value / summary.value:.2f}"]
            for peer, summary in self.peers
        ]
        return [own + theirs[0]] + [[""] * len(own) + row for row in theirs[1:]] if theirs else [own]


def named(peer, summary):
    return (peer if summary.variant in ("c++", "") else f"{peer} {summary.variant}") + ("*" if summary.disturbed else "")


def figures(summary):
    return [f"{summary.value:,.0f}", f"{100 * summary.spread:.0f} %", short(summary.server_cpu_us),
            short(summary.client_cpu_us)]


def short(number):
    """Three digits or more."""
    return f"{number:,.0f}" if number >= 99.95 else f"{number:.1f}" if number >= 9.995 else f"{number:.2f}"


def rounded(number):
    """Six digits say more than any of it is worth."""
    return float(f"{number:.6g}")


def print_json(results):
    for result in results:
        for line in result.objects():
            print(json.dumps(line), flush=True)


def print_columns(rows, names=(0,)):
    """In columns, names to the left and all else to the right; the first row has the titles."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [
            cell.ljust(width) if number in names else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths))
        ]
        print("  ".join(cells).rstrip())


def print_table(title, results):
    titles = TITLES + (PEER_TITLES if any(result.peers for result in results) else [])
    rows = [row + [""] * (len(titles) - len(row)) for result in results for row in result.rows()]
    print(f"\n{title}\n")
    print_columns([titles, *rows], [number for number, name in enumerate(titles) if name in ("case", "peer")])
    if any(result.ours.disturbed or any(summary.disturbed for _, summary in result.peers) for result in results):
        print("\n* other work on this machine disturbed these figures")
    print(flush=True)
