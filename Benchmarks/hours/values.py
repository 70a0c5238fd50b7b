"""Values of opening_hours: those of Data/helsinki, and made-up ones after the shapes that mappers use."""

import gzip
import random
from pathlib import Path

DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
# How often a shape comes, of a thousand.
SHAPES = {
    "week": 520, "split": 130, "night": 70, "plain": 40, "holidays": 90, "season": 50, "dates": 30, "nth": 15,
    "sun": 15, "always": 10, "weeks": 5, "easter": 5, "school": 5, "note": 5, "fallback": 3, "open end": 4, "years": 3,
}


def of_helsinki(root):
    with gzip.open(Path(root) / "Data/helsinki/places.tsv.gz", "rt", encoding="utf-8") as table:
        header, *rows = (line.rstrip("\n").split("\t") for line in table)
    column = header.index("opening_hours")
    return sorted({row[column] for row in rows if row[column]})


class Maker:
    """Makes values; the same ones for the same seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def value(self):
        shape = self.random.choices(list(SHAPES), SHAPES.values())[0]
        return getattr(self, shape.replace(" ", "_"))()

    def time(self, first, last):
        return f"{self.random.randint(first, last):02}:{self.random.choice(['00', '00', '00', '30', '15', '45'])}"

    def span(self):
        return f"{self.time(6, 12)}-{self.time(14, 22)}"

    def cut(self):
        """The week in runs of days."""
        ends = sorted(self.random.sample(range(1, 7), self.random.randint(0, 2))) + [self.random.choice([5, 6, 7, 7])]
        start, runs = 0, []
        for end in ends:
            if end > start:
                runs.append(DAYS[start] if end == start + 1 else f"{DAYS[start]}-{DAYS[end - 1]}")
                start = end
        return runs

    def joined(self, times):
        mark = self.random.choice(["; ", "; ", "; ", ";"])
        return mark.join(f"{days} {times()}" for days in self.cut())

    def week(self):
        return self.joined(self.span)

    def split(self):
        return self.joined(lambda: f"{self.time(8, 11)}-{self.time(12, 13)},{self.time(14, 16)}-{self.time(17, 23)}")

    def night(self):
        return self.joined(lambda: f"{self.time(11, 22)}-{self.time(0, 5)}")

    def plain(self):
        return self.span()

    def holidays(self):
        behind = self.random.choice(["PH off", "PH off", "PH closed", f"PH {self.span()}", f"Su,PH {self.span()}"])
        return f"{self.week()}; {behind}"

    def season(self):
        first = self.random.randint(1, 6)
        last = self.random.randint(first, 10)
        summer = f"{MONTHS[first]}-{MONTHS[last]}: {self.span()}"
        return self.random.choice([summer, f"{self.week()}; {summer}", f"{summer}; {MONTHS[(last + 1) % 12]}: off"])

    def dates(self):
        month, day = self.random.choice(MONTHS), self.random.randint(1, 27)
        return self.week() + "; " + self.random.choice([
            f"{month} {day:02} off", f"{month} {day:02}-{self.random.randint(day + 1, 28):02} off",
            f"Dec 24-Jan {self.random.randint(1, 6):02} off", f"2026 {month} {day:02} {self.span()}",
            "Dec 25,Dec 26 off"])

    def nth(self):
        return f"{self.random.choice(DAYS)}[{self.random.choice(['1', '2', '-1', '1,3'])}] {self.span()}"

    def sun(self):
        return self.random.choice([
            "sunrise-sunset", "dawn-dusk", f"{self.time(7, 10)}-sunset",
            f"(sunrise+{self.time(0, 1)})-{self.time(18, 20)}",
            f"Mo-Fr {self.time(8, 9)}-(sunset-{self.time(0, 1)})"])

    def always(self):
        return self.random.choice(["24/7", "Mo-Su 00:00-24:00", "24/7; Su off", "00:00-24:00"])

    def weeks(self):
        return f"week {self.random.randint(1, 20):02}-{self.random.randint(21, 53)}: {self.week()}"

    def easter(self):
        return f"{self.week()}; easter -2 days-easter +1 day off"

    def school(self):
        return f"{self.week()}; SH off"

    def note(self):
        return self.random.choice(['"by appointment"', f'{self.week()} "ring the bell"'])

    def fallback(self):
        return f'{self.week()} || "by appointment"'

    def open_end(self):
        return f"{self.random.choice(DAYS)}-{self.random.choice(DAYS)} {self.time(16, 20)}+"

    def years(self):
        return f"{self.random.choice(['2026', '2025-2030', '2020-2040/2', '2025+'])} {self.span()}"


def made(count, seed=50):
    maker = Maker(seed)
    return [maker.value() for _ in range(count)]
