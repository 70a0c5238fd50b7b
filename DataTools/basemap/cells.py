"""Cuts the world into cells of some degrees, so that a map fetches what is around its view and no more."""

from basemap.geojson import feature, short, twice_area

# A cell's file continues beyond its edge, where the map cuts it off: so no coast is drawn along the cut.
MARGIN_DEGREES = 0.5
SOUTH, NORTH = -90, 90


def cells(layers, degrees, decimals):
    """{"20_60": [feature …]} by the cell's west and south; each feature names its layer."""
    found = {}
    for name, features in layers:
        for one in features:
            shape = one["geometry"]
            rings = shape["coordinates"] if shape["type"] == "Polygon" else [shape["coordinates"]]
            for west, south in touched(rings[0], degrees):
                box = (west - MARGIN_DEGREES, south - MARGIN_DEGREES,
                       west + degrees + MARGIN_DEGREES, south + degrees + MARGIN_DEGREES)
                cut = polygon(rings, box, decimals) if shape["type"] == "Polygon" else parts(rings[0], box)
                found.setdefault(f"{west}_{south}", []).extend(
                    feature(shape["type"], part, {"layer": name}) for part in cut)
    return {name: features for name, features in sorted(found.items()) if features}


def touched(line, degrees):
    """The cells that a shape's box meets, with their margins."""
    xs, ys = zip(*line)
    for west in steps(min(xs), max(xs), degrees, -180, 180):
        for south in steps(min(ys), max(ys), degrees, SOUTH, NORTH):
            yield west, south


def steps(least, most, degrees, first, end):
    return [step for step in range(first, end, degrees)
            if step - MARGIN_DEGREES <= most and step + degrees + MARGIN_DEGREES >= least]


def polygon(rings, box, decimals):
    """At most one polygon: its outer ring and its holes within the box."""
    cut = [rounded(clipped(ring[:-1], box), decimals) for ring in rings]
    return [[ring for ring in cut if ring]] if cut[0] else []


def rounded(ring, decimals):
    points = []
    for x, y in ring:
        point = [short(x, decimals), short(y, decimals)]
        if not points or points[-1] != point:
            points.append(point)
    closed = points + points[:1]
    return closed if len(closed) >= 4 and twice_area(closed) != 0 else None


def clipped(ring, box):
    """A ring cut to a box side by side, after Sutherland and Hodgman."""
    for axis, limit, keeps in ((0, box[0], 1), (1, box[1], 1), (0, box[2], -1), (1, box[3], -1)):
        kept, before = [], ring[-1] if ring else None
        for point in ring:
            is_inside = (point[axis] - limit) * keeps >= 0
            if is_inside != ((before[axis] - limit) * keeps >= 0):
                share = (limit - before[axis]) / (point[axis] - before[axis])
                kept.append([before[i] + share * (point[i] - before[i]) for i in (0, 1)])
            if is_inside:
                kept.append(point)
            before = point
        ring = kept
    return ring


def parts(line, box):
    """The runs of a line whose steps touch the box; none is cut."""
    found, run = [], []
    for a, b in zip(line, line[1:]):
        meets = (min(a[0], b[0]) <= box[2] and max(a[0], b[0]) >= box[0]
                 and min(a[1], b[1]) <= box[3] and max(a[1], b[1]) >= box[1])
        if meets:
            run = (run or [a]) + [b]
        elif run:
            found, run = found + [run], []
    return found + [run] if run else found
