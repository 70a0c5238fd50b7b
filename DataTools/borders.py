"""Borders of countries for areas.py: those of the zones of time, which are OpenStreetMap's and reach into the sea, as
PyPI's timezonefinder carries them. They are simplified: no point of them is farther than TOLERANCE from where it was.

A border of two countries is simplified once, so both have the very same: rings are cut where borders meet, and each
part between is led from its lesser end. A border between two zones of one country is there twice, and left out."""

import json
import zipfile
from collections import Counter, defaultdict

import hours
import numpy

# Of a degree, as areas.py writes points: some eleven metres.
STEPS = 10_000
METRES = 111_195
TOLERANCE = 50
# Zones that go in parts of other countries too, and one that lies in another one of its country once more.
SHARED = {"Asia/Bangkok", "Asia/Jerusalem", "Europe/Belgrade", "Europe/Moscow"}
DOUBLED = {"Asia/Urumqi"}


def countries(packages):
    """The code and a ring of degrees, (east, north), of each part of each country."""
    archive, _ = packages.archive("timezonefinder")
    tables, _ = packages.archive("tzdata")
    with zipfile.ZipFile(archive) as wheel:
        found = list(coded(wheel, hours.zone_countries(tables)))
    corners = junctions([ring for _, ring in found])
    parts = [part for _, ring in found for part in parts_of(ring, corners)]
    kept = iter(simplified([part for part, _ in parts]))
    turned = iter(is_turned for _, is_turned in parts)
    edges = defaultdict(Counter)
    for code, ring in found:
        for _ in parts_of(ring, corners):
            line = next(kept)[::-1] if next(turned) else next(kept)
            points = quantised(line)
            edges[code].update((min(step), max(step)) for step in zip(points, points[1:]) if step[0] != step[1])
    edges.pop("", None)
    for code, own in sorted(edges.items()):
        for ring in joined(sorted(step for step, count in own.items() if count % 2)):
            yield code, [(east / STEPS, north / STEPS) for east, north in ring]


def coded(wheel, known):
    """The country's code of each ring of a zone, and its points: degrees east and north."""
    names = json.loads(wheel.read("timezonefinder/timezone_names.json"))
    ids = numpy.frombuffer(wheel.read("timezonefinder/poly_zone_ids.bin"), dtype="<u2")
    registry = json.loads(wheel.read("timezonefinder/hole_registry.json"))
    of_hole = {first + number: int(polygon)
               for polygon, (count, first) in registry.items() for number in range(count)}
    for kind in ("poly", "hole"):
        for number, ring in hours.rings(wheel, kind):
            name = names[ids[of_hole[number] if kind == "hole" else number]]
            # Rings of no country are kept: where they end, other borders are cut.
            yield "" if name in SHARED | DOUBLED else known.get(name, ""), ring.T


def keys(ring):
    """A number for each point."""
    whole = numpy.rint(ring * 1e7).astype(numpy.int64)
    return (whole[:, 0] + 2_000_000_000) << 32 | (whole[:, 1] + 1_000_000_000)


def junctions(rings):
    """The points at which more than two borders end, in order."""
    ends, others = [], []
    for ring in rings:
        own = keys(ring)
        ends += [own, own]
        others += [numpy.roll(own, 1), numpy.roll(own, -1)]
    ends, others = numpy.concatenate(ends), numpy.concatenate(others)
    order = numpy.lexsort((others, ends))
    ends, others = ends[order], others[order]
    is_new = numpy.ones(len(ends), dtype=bool)
    is_new[1:] = (ends[1:] != ends[:-1]) | (others[1:] != others[:-1])
    points, counts = numpy.unique(ends[is_new], return_counts=True)
    return points[counts != 2]


def parts_of(ring, corners):
    """The parts of a ring from one corner to the next, each led from its lesser end, and whether it was turned."""
    own = keys(ring)
    found = numpy.nonzero(corners[numpy.searchsorted(corners, own).clip(max=len(corners) - 1)] == own)[0]
    start = int(found[0]) if len(found) else int(numpy.argmin(own))
    ends = [*((found - start) % len(own)).tolist(), len(own)] if len(found) else [0, len(own)]
    ring, own = numpy.roll(ring, -start, axis=0), numpy.roll(own, -start)
    ring, own = numpy.append(ring, ring[:1], axis=0), numpy.append(own, own[:1])
    for first, last in zip(ends, ends[1:]):
        part, names = ring[first:last + 1], own[first:last + 1]
        is_turned = (names[-1], names[-2]) < (names[0], names[1])
        yield part[::-1] if is_turned else part, is_turned


def simplified(lines):
    """The lines by Douglas and Peucker (1973): all of them are cut at once, and then what is still too far off."""
    points = numpy.concatenate(lines)
    x, y = points[:, 0] * METRES * numpy.cos(numpy.radians(points[:, 1])), points[:, 1] * METRES
    last = numpy.cumsum([len(line) for line in lines])
    is_kept = numpy.zeros(len(points), dtype=bool)
    is_kept[last - 1] = is_kept[numpy.concatenate([[0], last[:-1]])] = True
    for line, start in zip(lines, [0, *last[:-1].tolist()]):
        # A ring has no chord: it is cut where it is farthest from its start.
        if (line[0] == line[-1]).all():
            own = slice(start, start + len(line))
            is_kept[start + numpy.argmax((x[own] - x[start]) ** 2 + (y[own] - y[start]) ** 2)] = True
    left = numpy.flatnonzero(~is_kept)
    while len(left):
        ends = numpy.flatnonzero(is_kept)
        span = numpy.searchsorted(ends, left) - 1
        first, end = ends[span], ends[span + 1]
        wide, high, own_x, own_y = x[end] - x[first], y[end] - y[first], x[left] - x[first], y[left] - y[first]
        share = numpy.clip((own_x * wide + own_y * high) / numpy.maximum(wide * wide + high * high, 1e-9), 0, 1)
        away = (own_x - share * wide) ** 2 + (own_y - share * high) ** 2
        starts = numpy.flatnonzero(numpy.append(True, span[1:] != span[:-1]))
        most = numpy.repeat(numpy.maximum.reduceat(away, starts), numpy.diff(numpy.append(starts, len(left))))
        is_far = most > TOLERANCE**2
        farthest = numpy.flatnonzero(is_far & (away == most))
        _, chosen = numpy.unique(span[farthest], return_index=True)
        is_kept[left[farthest[chosen]]] = True
        left = left[is_far & ~is_kept[left]]
    return [line[own] for line, own in zip(lines, numpy.split(is_kept, last[:-1]))]


def quantised(points):
    return list(map(tuple, numpy.rint(points * STEPS).astype(int).tolist()))


def joined(edges):
    """The rings of edges of which an even number ends at each point."""
    beside = defaultdict(list)
    for one, other in edges:
        beside[one].append(other)
        beside[other].append(one)
    for start in sorted(beside):
        while beside[start]:
            ring, point = [start], start
            while True:
                following = beside[point].pop()
                beside[following].remove(point)
                ring.append(following)
                point = following
                if point == start:
                    break
            if len(ring) > 3:
                yield ring
