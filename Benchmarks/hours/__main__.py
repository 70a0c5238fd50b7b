"""What hours cost, and with --peers how they compare with PyPI's opening-hours-py."""

import argparse
import collections
import datetime
import json
import random
import re
import subprocess
import sys
import tempfile
import zoneinfo
from pathlib import Path

import values

ROOT = Path(__file__).resolve().parents[2]
LATITUDE, LONGITUDE, ZONE = 60.1699, 24.9384, "Europe/Helsinki"
INSTANTS, YEARS = 200, 4
PEER = "opening-hours-py==2.1.4"
# Why an answer differs, by what is written in the value; the first that fits. The other says
KINDS = [
    ("open where a remark alone stands; the specification has that unknown", r'(^|[\d+\w];?\s*|\|\|\s*)"'),
    ("a day's fallback for none of its hours, or for all; here it goes whenever nothing else does", r"\|\|"),
    ("nothing of school holidays, here unknown", r"\bSH\b"),
    ("closed behind an open end; here unknown until six", r"\d\+|-\s*($|,)"),
    ("a list of days ends at a comma with a blank", r"(Mo|Tu|We|Th|Fr|Sa|Su), (Mo|Tu|We|Th|Fr|Sa|Su)"),
    ("closed where only closed times are named; here unknown otherwise", r"^[^;]*(off|closed)(;[^;]*(off|closed))*$"),
    ("the night of a day ends where the next day has a rule of its own",
     r"-(0\d|24|2[5-9]|3\d|4\d|1[0-1]):|-0?0:|sunrise"),
]


def main():
    parser = argparse.ArgumentParser(prog="script/bench hours", description=__doc__)
    parser.add_argument("--peers", action="store_true", help="compare with opening-hours-py")
    parser.add_argument("--values", type=Path, action="append", default=[], help="a file with a value a line, too")
    parser.add_argument("--count", type=int, default=10_000, help="values in all; made-up ones fill up (10000)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    texts = values.of_helsinki(ROOT)
    for path in options.values:
        texts += [line for line in path.read_text(encoding="utf-8").split("\n") if line]
    texts = sorted(set(texts))
    drawn = len(texts)
    texts = (texts + values.made(max(0, options.count - drawn)))[:options.count]
    with tempfile.TemporaryDirectory(prefix="waymark-hours-") as folder:
        ours = Ours(Path(folder), texts)
        rates = json.loads(ours.run("rate"))
        if options.json:
            print(json.dumps({"case": "hours", "drawn": drawn, "values": len(texts)} | rates))
        else:
            print(f"{len(texts)} values, {drawn} of them drawn: {rates['states']:,} states a second and core, "
                  f"{rates['reads']:,} values read, {rates['changes']:,} next changes")
        if options.peers:
            compare(texts, ours)


class Ours:
    """The module as a program."""

    def __init__(self, folder, texts):
        self.folder, self.program = folder, folder / "hours"
        swift = subprocess.check_output([ROOT / "script/bootstrap", "--swift-bin"], text=True).strip()
        sources = sorted((ROOT / "Sources/Ground/OpeningHours").rglob("*.swift"))
        sources.append(Path(__file__).parent / "HoursRate.swift")
        subprocess.run([f"{swift}/swiftc", "-O", "-wmo", "-swift-version", "6", "-package-name", "waymark",
                        "-enable-upcoming-feature", "InternalImportsByDefault",
                        "-parse-as-library", "-o", self.program, *sources], check=True)
        generator = random.Random(7)
        start = int(datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc).timestamp())
        self.instants = sorted(start + 60 * generator.randrange(YEARS * 365 * 1440) + 30 for _ in range(INSTANTS))
        (folder / "values").write_text("\n".join(texts) + "\n", encoding="utf-8")
        (folder / "instants").write_text("\n".join(map(str, self.instants)) + "\n")

    def run(self, what):
        zone = next(Path(path) / ZONE for path in zoneinfo.TZPATH if (Path(path) / ZONE).is_file())
        return subprocess.check_output([self.program, what, self.folder / "values", self.folder / "instants",
                                        str(LATITUDE), str(LONGITUDE), zone], text=True)


def compare(texts, ours):
    install()
    from opening_hours import OpeningHours

    zone = zoneinfo.ZoneInfo(ZONE)
    moments = [datetime.datetime.fromtimestamp(instant, zone) for instant in ours.instants]
    letters = {"open": "O", "closed": "C", "unknown": "U"}
    read, compared, differing = collections.Counter(), 0, collections.Counter()
    examples, rest = {}, []
    for text, states in zip(texts, ours.run("states").split("\n")):
        try:
            peer = OpeningHours(text, timezone=zone, coords=(LATITUDE, LONGITUDE), auto_country=False)
        except Exception:  # Of several kinds; what it can't read is all that counts.
            peer = None
        read["both" if peer and states != "-" else "theirs" if peer else "ours" if states != "-" else "none"] += 1
        if not peer or states == "-":
            continue
        theirs = "".join(letters[str(state_of(peer, moment))] for moment in moments)
        count = sum(one != other for one, other in zip(theirs, states))
        compared += len(states)
        if count:
            kind = next((kind for kind, pattern in KINDS if re.search(pattern, text)), None)
            differing[kind] += count
            examples.setdefault(kind, text)
            if kind is None:
                rest.append(f"{count} {text}")
    total = len(texts)
    print(f"read: {100 * (read['both'] + read['ours']) / total:.2f} % here, "
          f"{100 * (read['both'] + read['theirs']) / total:.2f} % by {PEER}")
    print(f"equal: {100 - 100 * sum(differing.values()) / compared:.3f} % of {compared:,} states, "
          f"{100 - 100 * differing[None] / compared:.3f} % but for these kinds:")
    for kind, count in differing.most_common():
        print(f"  {100 * count / compared:.3f} % {kind or 'others'}: {examples[kind]}")
    for line in rest[:50]:
        print("    " + line)


def state_of(peer, moment):
    state = peer.state(moment)
    return state[0] if isinstance(state, tuple) else state


def install():
    """The peer, into a folder of its own; then this program once more, with it."""
    folder = ROOT / ".build/peers/hours"
    if sys.prefix == str(folder):
        return
    if not (folder / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "-q", "--disable-pip-version-check", PEER], check=True)
    sys.exit(subprocess.call([folder / "bin/python", "-B", *sys.argv]))


main()
