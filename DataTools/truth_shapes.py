"""What the truth vectors ask: sets of points, and for each a source of random queries about them."""

import numpy as np

from truth_points import HALF, QUARTER, UNIT, WHOLE, Points

SEED = 20260912
LARGEST_RADIUS = 20_015_114


class Draw:
    """Seeded random numbers; whole numbers and plain fractions only, which numpy gives alike on every machine."""

    def __init__(self, stream):
        self.generator = np.random.Generator(np.random.PCG64([SEED, stream]))

    def whole(self, low, high):
        return int(self.generator.integers(low, high, endpoint=True))

    def pick(self, choices):
        return choices[self.whole(0, len(choices) - 1)]

    def one_in(self, number):
        return self.whole(1, number) == 1

    def bell(self, width):
        """Roughly normal, from 12 uniform steps."""
        return round(sum(float(self.generator.random()) - 0.5 for _ in range(12)) * width)

    def spread(self, low, high):
        """A radius with even chances for every order of magnitude, in whole millimetres."""
        return round(low * (high / low) ** float(self.generator.random()), 3)

    def limit(self, most):
        return min(most, self.pick([1, 2, 3, 5, 10, 20, 20, 50, self.whole(1, most)]))

    def anywhere(self):
        """Even over the sphere."""
        height = 2 * float(self.generator.random()) - 1
        latitude = round(float(np.rad2deg(np.arcsin(height))) * UNIT)
        return latitude, self.whole(-HALF, HALF - 1)

    def beside(self, latitude, longitude, width):
        """A place near another, wrapped over the 180° meridian and held at the poles."""
        moved = longitude + self.bell(width)
        return max(-QUARTER, min(QUARTER, latitude + self.bell(width))), (moved + HALF) % WHOLE - HALF


def numbered(positions, prefix="t/"):
    """Points with ids whose byte order differs from their number order and from any language's order."""
    odd = ["Z", "a", "é", "東", "_", "~", "-"]
    ids = [f"{prefix}{odd[index % 97]}{index}" if index % 97 < len(odd) else f"{prefix}{index}"
           for index in range(len(positions))]
    return Points(ids, [latitude for latitude, _ in positions], [longitude for _, longitude in positions])


def town_points(draw, number, towns):
    """Places as a city has them: dense middles, thin edges, several on one spot."""
    middles = [(latitude, longitude, draw.whole(2_000, 60_000)) for latitude, longitude in towns]
    positions = []
    while len(positions) < number:
        latitude, longitude, width = draw.pick(middles)
        position = draw.beside(latitude, longitude, width)
        positions += [position] * (draw.whole(2, 9) if draw.one_in(40) else 1)
    return positions[:number]


def city(draw):
    """Three thousand places around two cities; radii from a metre to 40 km."""
    home = [(601_699_000, 249_384_000), (601_820_000, 248_300_000), (407_608_000, -1_118_910_000)]
    points = numbered(town_points(draw, 3_000, home))
    return points, lambda: (*centre(draw, points, 20_000), draw.spread(1, 40_000), draw.limit(200))


def steps(latitude, longitude, number, towards):
    """Points about 0.1 m apart in a row."""
    return [(latitude + towards[0] * 9 * index, (longitude + towards[1] * 9 * index + HALF) % WHOLE - HALF)
            for index in range(number)]


def near_pole(draw, pole):
    inwards = -1 if pole > 0 else 1
    return pole + inwards * draw.whole(1, 30_000_000), draw.whole(-HALF, HALF - 1)


def edge_points(draw):
    positions = []
    for latitude in (0, 1, 178_000_000, -178_000_000, 715_000_000, -QUARTER + 1, QUARTER - 1):
        positions += [(latitude, HALF), (latitude, -HALF), (latitude, HALF - 1), (latitude, 1 - HALF)]
        positions += [draw.beside(latitude, HALF, 400_000) for _ in range(60)]
    for pole in (QUARTER, -QUARTER):
        positions += [(pole, longitude) for longitude in (0, 900_000_000, -HALF, HALF, 1_234_567)]
        positions += [near_pole(draw, pole) for _ in range(150)]
    positions += [(601_699_000, 249_384_000)] * 40 + [(0, 0)] * 25 + [(-178_000_000, HALF - 5)] * 12
    positions += steps(601_700_000, 249_384_000, 60, (1, 0)) + steps(0, HALF - 200, 60, (0, 1))
    positions += steps(QUARTER - 300, 450_000_000, 34, (1, 0)) + steps(0, -270, 61, (0, 1))
    return positions


def edges(draw):
    """The 180° meridian, both poles, many on one spot, rows 0.1 m apart; from radius 0 to a continent."""
    points = numbered(edge_points(draw))

    def query():
        radius = draw.pick([0, 0, draw.spread(0.01, 2), draw.spread(1, 5_000), draw.spread(1_000, 4_000_000)])
        if radius == 0:
            spot = draw.whole(0, len(points.ids) - 1)
            return int(points.latitudes[spot]), int(points.longitudes[spot]), 0, draw.limit(200)
        if draw.one_in(6):
            pole = draw.pick([QUARTER, -QUARTER])
            return pole, draw.whole(-HALF, HALF), radius, draw.limit(200)
        return *centre(draw, points, draw.pick([3, 30, 300_000])), radius, draw.limit(200)

    return points, query


def world(draw):
    """The whole sphere with some towns; radii up to half the girth, limits up to 1000."""
    towns = [draw.anywhere() for _ in range(30)]
    points = numbered([draw.anywhere() for _ in range(1_500)] + town_points(draw, 1_500, towns))

    def query():
        place = draw.anywhere() if draw.one_in(2) else centre(draw, points, 2_000_000)
        radius = draw.pick([draw.spread(1_000, LARGEST_RADIUS), draw.spread(2_000_000, LARGEST_RADIUS),
                            LARGEST_RADIUS, LARGEST_RADIUS - draw.whole(1, 50_000)])
        return *place, radius, draw.whole(201, 1_000) if draw.one_in(60) else draw.limit(40)

    return points, query


def antipodes(draw):
    """Centres opposite to the points: all of them lie at the far end of the world."""
    points = numbered(town_points(draw, 400, [(-412_865_000, 1_747_762_000)]))

    def query():
        latitude, longitude = centre(draw, points, 3_000_000)
        opposite = (longitude + WHOLE) % WHOLE - HALF
        return -latitude, opposite, LARGEST_RADIUS - draw.spread(1, 900_000), draw.limit(30)

    return points, query


def few(draw):
    """One point, and the smallest questions about it."""
    points = numbered([(601_699_000, 249_384_000)])

    def query():
        radius = draw.pick([0, draw.spread(0.01, LARGEST_RADIUS), LARGEST_RADIUS])
        return *(draw.anywhere() if draw.one_in(2) else centre(draw, points, 20_000)), radius, draw.limit(1_000)

    return points, query


def none(draw):
    """No points at all."""
    points = numbered([])
    return points, lambda: (*draw.anywhere(), draw.spread(0.01, LARGEST_RADIUS), draw.limit(1_000))


def centre(draw, points, width):
    """Beside a point most of the time, exactly on it sometimes."""
    spot = draw.whole(0, len(points.ids) - 1)
    latitude, longitude = int(points.latitudes[spot]), int(points.longitudes[spot])
    return (latitude, longitude) if draw.one_in(5) else draw.beside(latitude, longitude, width)
