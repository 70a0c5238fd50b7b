"""Points on the sphere and the right answer to a radius query, by brute force.

Positions are integers of 1e-7 degrees, so differences of latitude and longitude are exact before the first sine. The
haversine of the far side is taken from the antipode, which keeps distances exact to a nanometre all around the world
(the plain formula loses centimetres there).
"""

import numpy as np

RADIUS = 6371008.8
HALF_GIRTH = np.pi * RADIUS
UNIT = 10_000_000
QUARTER, HALF, WHOLE = 90 * UNIT, 180 * UNIT, 360 * UNIT


class Points:
    """Ids and positions of one file."""

    def __init__(self, ids, latitudes, longitudes):
        self.ids = ids
        self.latitudes = np.asarray(latitudes, dtype=np.int64)
        self.longitudes = np.asarray(longitudes, dtype=np.int64)
        by_bytes = sorted(range(len(ids)), key=lambda index: ids[index].encode())
        self.rank = np.empty(len(ids), dtype=np.int64)
        self.rank[by_bytes] = np.arange(len(ids))
        self.places = canonical(self.latitudes, self.longitudes)

    def distances(self, latitude, longitude):
        """Metres from a position to every point; exactly 0 where both are the same point of the sphere."""
        near = haversine(latitude, longitude, self.latitudes, self.longitudes)
        far = haversine(-latitude, longitude + HALF, self.latitudes, self.longitudes)
        metres = 2 * RADIUS * np.arctan2(np.sqrt(near), np.sqrt(far))
        own = canonical(np.array([latitude]), np.array([longitude]))[0]
        return np.where(np.all(self.places == own, axis=1), 0.0, metres)

    def written_alike(self, one, other):
        return self.latitudes[one] == self.latitudes[other] and self.longitudes[one] == self.longitudes[other]


def canonical(latitudes, longitudes):
    """One pair for each point of the sphere: 180° is -180°, and a pole has no longitude."""
    turned = (longitudes + HALF) % WHOLE - HALF
    return np.stack([latitudes, np.where(np.abs(latitudes) == QUARTER, 0, turned)], axis=1)


def radians(units):
    return np.deg2rad(units / UNIT)


def cosine(latitudes):
    return np.where(np.abs(latitudes) == QUARTER, 0.0, np.cos(radians(latitudes)))


def haversine(latitude, longitude, latitudes, longitudes):
    """hav(angle) between a position and others, in 0...1."""
    turn = (longitudes - longitude + HALF) % WHOLE - HALF
    across = cosine(np.int64(latitude)) * cosine(latitudes) * np.sin(radians(turn) / 2) ** 2
    return np.sin(radians(latitudes - latitude) / 2) ** 2 + across


def noise(metres):
    """How far the plain haversine in double precision may be off, in metres, with room to spare."""
    return np.minimum(0.5, 1e-6 + 0.16 / np.maximum(HALF_GIRTH - metres, 1e-3)) + 1e-12 * metres


def answer(points, latitude, longitude, radius, limit):
    """(count, ids, distances), or None when the answer could hang on rounding."""
    metres = points.distances(latitude, longitude)
    if np.any((metres != 0) & (np.abs(metres - radius) <= noise(metres))):
        return None
    order = np.lexsort((points.rank, metres))
    inside = order[: int(np.count_nonzero(metres <= radius))]
    # The first point cut off takes part: the cut must not hang on rounding either.
    shown = inside[: limit + 1]
    if not settled(points, metres, shown, limit):
        return None
    kept = inside[:limit]
    return len(inside), [points.ids[index] for index in kept], [float(metres[index]) for index in kept]


def settled(points, metres, shown, limit):
    """Whether neighbours in the answer are clearly apart, or are one and the same point of the sphere.

    Points that are one only by being a pole or the 180° meridian must not meet at the cut.
    """
    for position, (one, other) in enumerate(zip(shown, shown[1:])):
        same = np.array_equal(points.places[one], points.places[other])
        if not same and metres[other] - metres[one] <= noise(metres[other]):
            return False
        if position == limit - 1 and same and not points.written_alike(one, other):
            return False
    return True


def check_formula(points):
    """The chord through the sphere gives the same distances; a slip in one formula would show."""
    def vectors(latitudes, longitudes):
        up, around = radians(latitudes), radians(longitudes)
        return np.stack([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)], axis=-1)

    own = vectors(points.latitudes, points.longitudes)
    for index in range(0, len(points.ids), 50):
        metres = points.distances(int(points.latitudes[index]), int(points.longitudes[index]))
        near, far = (np.linalg.norm(own + sign * own[index], axis=-1) for sign in (-1, 1))
        if np.any(np.abs(2 * RADIUS * np.arctan2(near, far) - metres) > 1e-6):
            raise SystemExit("the two distance formulas disagree")
