"""What the edge of an extract leaves of lines and areas. Positions are (longitude, latitude) in 1e-9 degrees.

Of a way that leaves the extract only the nodes inside are there, so where exactly it crosses the edge is not known: a
line ends at its last node, and an area of water is led on to the nearest point of the edge.
"""

from dataclasses import dataclass

from basemap.geojson import twice_area


@dataclass(frozen=True)
class Box:
    west: int
    south: int
    east: int
    north: int

    def sides(self):
        return [self.west, self.south, self.east, self.north]

    def corners(self):
        """Clockwise from the north-west, the order in which places on the edge are counted too."""
        return [(self.west, self.north), (self.east, self.north), (self.east, self.south), (self.west, self.south)]

    def outline(self):
        corners = self.corners()
        return corners + corners[:1]

    def on_edge(self, point):
        """The nearest point of the edge, and its place on it: 0 to 4, a side each."""
        x, y = (min(max(value, low), high) for value, low, high in
                zip(point, (self.west, self.south), (self.east, self.north)))
        width, height = self.east - self.west, self.north - self.south
        sides = [(self.north - y, (x, self.north), (x - self.west) / width),
                 (self.east - x, (self.east, y), 1 + (self.north - y) / height),
                 (y - self.south, (x, self.south), 2 + (self.east - x) / width),
                 (x - self.west, (self.west, y), 3 + (y - self.south) / height)]
        _, nearest, place = min(sides)
        return nearest, place

    def along(self, start, end):
        """The corners that lie clockwise between two places on the edge."""
        last = end if end >= start else end + 4
        return [self.corners()[index % 4] for index in range(1, 8) if start < index <= last]


def known_runs(extract, nodes):
    """The unbroken parts of a way that are in the extract; a closed way is cut open where it is outside."""
    if nodes[0] == nodes[-1] and nodes[0] in extract.positions:
        outside = next((index for index, node in enumerate(nodes) if node not in extract.positions), 0)
        nodes = nodes[outside:-1] + nodes[:outside + 1]
    runs = [[]]
    for node in nodes:
        if node in extract.positions:
            runs[-1].append(extract.positions[node][::-1])
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if len(run) > 1]


def closed(run):
    return run if run[0] == run[-1] else run + run[:1]


def left_closed(run, box):
    """An area cut by the edge, closed along it on the side where less is added."""
    if run[0] == run[-1]:
        return run
    (start, entry), (end, leaving) = box.on_edge(run[0]), box.on_edge(run[-1])
    led = [start, *run, end]
    ways = [led + box.along(leaving, entry) + [start], led + box.along(entry, leaving)[::-1] + [start]]
    return min(ways, key=lambda way: abs(twice_area(way)))


def water_of_coasts(runs, box):
    """Rings with the water inside: from where a coast leaves the box clockwise along its edge to where one enters."""
    ends = [(run, box.on_edge(run[0]), box.on_edge(run[-1])) for run in runs]
    found = []
    while ends:
        first = current = ends.pop(0)
        outline = []
        while True:
            run, (start, _), (end, leaving) = current
            outline += [start, *run, end]
            following = min([*ends, first], key=lambda other: (other[1][1] - leaving) % 4)
            outline += box.along(leaving, following[1][1])
            if following is first:
                break
            ends.remove(following)
            current = following
        found.append(outline + outline[:1])
    return found
