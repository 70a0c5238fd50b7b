"""Outlines of islands by name for areas.py: those of NCAR Graphics' map of the Earth, as Debian's libncarg-data carries
it. Its lines each name the area on their left and on their right; an island is what has water on the other side of all
of them. Of islands that are countries the country says the same, and those of several countries are left out."""

import re
import struct
from collections import Counter, defaultdict

import borders
import debian

FOLDER = "usr/share/ncarg/database/Earth..4"
# Number, level, a colour of its map, the number of what it is part of, and how long its name is.
NAME = re.compile(rb" *(\d+) (\d+) (\d+) (\d+) (\d+) ")
WATER = 1
# How many numbers follow, the level, and the areas on the left and on the right; then a box.
LINE = struct.Struct("<4i16x")
# English names of those that the map calls otherwise. Of others what stands in brackets is left out.
ENGLISH = {
    "Barim (Perim)": "Perim", "Egina (Aegina)": "Aegina", "Evia (Euboea)": "Euboea", "Hierro (Ferro)": "El Hierro",
    "Iles Loyaute (Loyalty Islands)": "Loyalty Islands", "Iles Wallis (Wallis Islands)": "Wallis Islands",
    "Ithaki (Ithaca)": "Ithaca", "Jinmen Dao (Quemoy)": "Kinmen", "Kefalonia (Cephalonia)": "Cephalonia",
    "Kerkira (Corfu, Corcyra)": "Corfu", "Kithera (Cerigo, Cythera)": "Kythira", "Kriti (Crete)": "Crete",
    "Lefkada (Leucas)": "Lefkada", "Ostrov Ratmanova (Big Diomede Island)": "Big Diomede",
    "Ostrov Sakhalin": "Sakhalin", "Ostrov Vrangelya (Wrangel Island)": "Wrangel Island",
    "P'enghu Ch'untao (Pescadores)": "Penghu", "Rodos (Rhodes)": "Rhodes", "Samothraki (Samothrace)": "Samothrace",
    "Sjaelland": "Zealand", "Skiros (Scyros)": "Skyros", "Thira (Santorini)": "Santorini",
    "Xiamen Dao (Amoy)": "Xiamen Island", "Zakinthos (Zante)": "Zakynthos",
}


def named(packages, countries):
    """The name and the rings of degrees, (east, north), of each island.

    `countries` are names of countries."""
    package = packages.debian("libncarg-data")
    areas = dict(read_areas(debian.file_of(package, f"{FOLDER}.names")))
    lines = defaultdict(list)
    for left, right, points in read_lines(debian.file_of(package, f"{FOLDER}.lines")):
        lines[left].append((right, points))
        lines[right].append((left, points))
    water = {number for number, (_, is_water) in areas.items() if is_water}
    for number, own in sorted(lines.items()):
        name = areas[number][0]
        if number in water or not all(beside in water for beside, _ in own) or name in countries:
            continue
        # What has no name of its own is called "(Chile)".
        name = ENGLISH.get(name, re.sub(r" \(.*\)$", "", name))
        if not name.startswith("(") and not name.endswith(" and others") and "Commonwealth" not in name:
            yield name, rings(points for _, points in own)


def read_areas(data):
    """The number of each area, with its name and whether it is water."""
    at = 0
    while found := NAME.match(data, at):
        number, _, colour, _, length = map(int, found.groups())
        at = found.end() + length
        yield number, (data[found.end():at].decode("ascii"), colour == WATER)


def read_lines(data):
    """The areas on the left and on the right of each line, and its points: degrees east and north."""
    at = 0
    while at + LINE.size <= len(data):
        count, _, left, right = LINE.unpack_from(data, at)
        at += LINE.size
        if count == 0:
            break
        numbers = struct.unpack_from(f"<{count}f", data, at)
        at += 4 * count
        if left != right:
            yield left, right, list(zip(numbers[1::2], numbers[::2]))


def rings(lines):
    edges = Counter()
    for line in lines:
        points = [(round(east * borders.STEPS), round(north * borders.STEPS)) for east, north in line]
        edges.update((min(step), max(step)) for step in zip(points, points[1:]) if step[0] != step[1])
    steps = {step for step, count in edges.items() if count % 2}
    # At the antimeridian lines end, on either side: what is left open there is closed along it.
    ends = Counter(point for step in steps for point in step)
    loose = sorted(point for point, count in ends.items() if count % 2)
    steps.update(zip(loose[::2], loose[1::2]))
    found = borders.joined(sorted(steps))
    return [[(east / borders.STEPS, north / borders.STEPS) for east, north in ring] for ring in found]
