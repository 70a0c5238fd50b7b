"""Where countries and regions are: the smallest box around them, and a point in their middle."""

import math

from basemap import natural_earth
from tables import degrees

# Natural Earth has no code for these under which it keeps them, but its own three letters.
OWN_CODES = {"FRA": "FR", "NOR": "NO", "KOS": "XK"}
# They are uninhabited, and Natural Earth leaves them out at this scale: Bouvet, and Wake for the islands of the US.
OWN_POINTS = {"BV": (3.36, -54.42), "UM": (166.62, 19.29)}
# So that a region of villages without a known population has a centre too.
PEOPLE_OF_A_VILLAGE = 200


class Shapes:
    """The countries of Natural Earth, of each only those parts in whose box a town of it lies."""

    def __init__(self, packages):
        data, rings, labels = natural_earth.countries(packages, "50")
        codes = [OWN_CODES.get(own, code) for own, code in zip(data["adm0_a3"], data["iso_a2"])]
        self.found = {code: (parts, label) for code, parts, label in zip(codes, rings, labels)}

    def extent(self, code, towns):
        """A row's columns; None for a country without towns and shape."""
        spots = [(city["longitude"], city["latitude"]) for city in towns]
        parts, label = self.found.get(code, ([], None))
        inside = [ring for ring in parts if not spots or any(holds(ring, spot) for spot in spots)]
        if inside:
            # Its small islands have towns, and no shape at this scale.
            return columns(label[1], label[0], [point for ring in inside for point in ring] + spots)
        if code in OWN_POINTS:
            return columns(*reversed(OWN_POINTS[code]), [OWN_POINTS[code]])
        return of_towns(towns) if towns else None


def holds(ring, spot):
    (west, east), (south, north) = ((min(axis), max(axis)) for axis in zip(*ring))
    return west <= spot[0] <= east and south <= spot[1] <= north


def of_towns(towns):
    """The box of the towns, and where their people live on average."""
    points = [(city["longitude"], city["latitude"]) for city in towns]
    weights = [city["population"] + PEOPLE_OF_A_VILLAGE for city in towns]
    return columns(*mean(points, weights), points)


def mean(points, weights):
    """Latitude and longitude of the mean of the directions from the Earth's middle."""
    sums = [0.0, 0.0, 0.0]
    for (longitude, latitude), weight in zip(points, weights):
        east, north = math.radians(longitude), math.radians(latitude)
        parts = math.cos(north) * math.cos(east), math.cos(north) * math.sin(east), math.sin(north)
        sums = [total + weight * part for total, part in zip(sums, parts)]
    return math.degrees(math.atan2(sums[2], math.hypot(*sums[:2]))), math.degrees(math.atan2(sums[1], sums[0]))


def columns(latitude, longitude, points):
    west, east = span([point[0] for point in points])
    south, north = min(point[1] for point in points), max(point[1] for point in points)
    numbers = {"lat": latitude, "lon": longitude, "south": south, "west": west, "north": north, "east": east}
    return {name: degrees(f"{number:.5f}") for name, number in numbers.items()}


def span(longitudes):
    """From where eastwards to where; the second is the smaller one when the span crosses the antimeridian."""
    ordered = sorted(set(longitudes))
    gaps = [(right - left, right, left) for left, right in zip(ordered, ordered[1:])]
    around = ordered[0] + 360 - ordered[-1]
    widest = max(gaps, default=(0, 0, 0))
    return (widest[1], widest[2]) if widest[0] > around else (ordered[0], ordered[-1])
