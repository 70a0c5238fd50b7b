"""What measured windows say together."""
from dataclasses import dataclass, fields
from statistics import median

# A window counts as disturbed when something else used more than this share of a core.
LARGEST_DISTURBANCE = 0.05


@dataclass(frozen=True)
class Window:
    """One measurement: calls per second; microseconds of processor time per call; percentiles in microseconds."""

    value: float
    server_cpu_us: float
    client_cpu_us: float
    p50_us: float
    p99_us: float
    disturbance: float

    @classmethod
    def parse(cls, report, case, others):
        """From a report of a worker or a peer. `others`: the share of a core that was used by others meanwhile."""
        known = {field.name: report[field.name] for field in fields(cls) if field.name in report}
        if case.uses_one_core:
            # There the calls of a second and their processor time make up the whole second.
            own = report["value"] * (report["server_cpu_us"] + report["client_cpu_us"]) / 1e6
            others = max(others, 1 - own)
        return cls(**known, disturbance=others)

    @property
    def is_disturbed(self):
        return self.disturbance > LARGEST_DISTURBANCE


class Series:
    """The windows of one case: ours, or those of one variant of a peer."""

    def __init__(self, variant=""):
        self.variant = variant
        self.windows = []

    def lacks(self, rounds):
        return sum(not window.is_disturbed for window in self.windows) < rounds

    def summary(self, rounds):
        """Medians over the undisturbed windows, or over the least disturbed ones when these are too few."""
        best = sorted(self.windows, key=lambda window: window.disturbance if window.is_disturbed else 0)
        used = best[:max(rounds, sum(not window.is_disturbed for window in best))]
        return Summary(self.variant, used)


class Summary:
    """Medians of some windows; `spread` is the distance from the slowest to the fastest as a share of the median."""

    def __init__(self, variant, windows):
        self.variant = variant
        self.disturbed = sum(window.is_disturbed for window in windows)
        for name in ("value", "server_cpu_us", "client_cpu_us", "p50_us", "p99_us"):
            setattr(self, name, median(getattr(window, name) for window in windows))
        values = [window.value for window in windows]
        self.spread = (max(values) - min(values)) / self.value if self.value else 0.0
