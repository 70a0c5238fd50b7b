"""The others' side: Benchmarks/peers/run, which keeps a peer's servers up and measures all its cases in a round."""
import json
from pathlib import Path

from failure import Failure
from windows import Series, Window

RUN = Path(__file__).resolve().parents[1] / "peers" / "run"
SLACK_S = 400  # what a window may take besides its length: starting servers, loading a million places


class Peer:
    """One peer with some cases of one placement, each in all its variants."""

    def __init__(self, name, cases, options, children):
        self.name, self.options, self.children = name, options, children
        self.cases = {case.name_of_peers: case for case in cases}
        self.series = {}
        self.runner = None

    def lacks(self, rounds):
        return not self.series or any(series.lacks(rounds) for series in self.series.values())

    def measure(self, others):
        """One window of every case and variant. The first time this starts the servers, while nothing else runs."""
        if self.runner is None:
            self.runner = self.start()
        others.begin()
        self.runner.tell()
        while line := self.runner.line(self.options.seconds + self.options.warm_up + SLACK_S):
            self.add(json.loads(line), others.share())

    def start(self):
        placement = next(iter(self.cases.values())).placement
        return self.children.start(f"the peer {self.name}", [
            RUN, self.name, ",".join(self.cases), "--placement", placement.name, "--paced", "--build",
            self.options.peers_build, "--seconds", self.options.seconds, "--warmup", self.options.warm_up])

    def add(self, report, share):
        case, variant = self.cases[report["case"]], report["variant"]
        if report["errors"]:
            raise Failure(f"{case.name}: {report['errors']} calls of the peer {self.name} failed")
        series = self.series.setdefault((case, variant), Series(variant))
        series.windows.append(Window.parse(report, case, share))

    def best(self, case, rounds):
        """The summary of its fastest variant."""
        summaries = [series.summary(rounds) for (key, _), series in self.series.items() if key == case]
        return max(summaries, key=lambda summary: summary.value)
