"""Vector tiles of others: what their layers are in ours, and that none that is damaged traps the page or hangs it."""

import base64
import random

import pytest

from conftest import page_of_modules
from tile_simulator import OPEN_MAP_TILES, SHORTBREAD

OWN = "async (asked) => { const { loadSchema, ownOf } = await import('/modules/paint/tileschema.js'); " \
      "await loadSchema(); return asked.map(([layer, tags]) => ownOf(layer, tags) ?? null); }"
READ = """async (tiles) => {
    const { readTile } = await import("/modules/paint/vectortile.js");
    const found = [];
    for (const text of tiles) {
        const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
        try {
            const { groups } = await readTile(bytes, { set: { isForeign: true }, x: 0, y: 0, z: 14 });
            found.push([...groups.keys()]);
        } catch (error) {
            found.push(error.constructor.name);
        }
    }
    return found;
}"""


@pytest.fixture(scope="module")
def modules(browser, city):
    """The words of others are with the map's data."""
    yield from page_of_modules(browser, city)


def street(kind, **more):
    return {"layer": "streets", "class": kind, **more}


@pytest.mark.parametrize(("layer", "tags", "own"), [
    # OpenMapTiles
    ("transportation", {"class": "motorway"}, street("motorway")),
    ("transportation", {"class": "trunk_link"}, street("trunk")),
    ("transportation", {"class": "minor", "brunnel": "tunnel"}, street("residential", tunnel=1)),
    ("transportation", {"class": "path", "subclass": "cycleway"}, street("cycle")),
    ("transportation", {"class": "transit", "subclass": "subway"}, {"layer": "rails", "class": "rail"}),
    ("transportation", {"class": "motorway_construction"}, None),
    ("transportation_name", {"class": "primary"}, street("primary", isName=True)),
    ("landcover", {"class": "grass", "subclass": "park"}, {"layer": "parks", "class": "park"}),
    ("landcover", {"class": "wood", "subclass": "forest"}, {"layer": "parks", "class": "wood"}),
    ("landcover", {"class": "ice", "subclass": "glacier"}, {"layer": "parks", "class": "glacier"}),
    ("landuse", {"class": "industrial"}, {"layer": "parks", "class": "industrial"}),
    ("transportation", {"class": "primary", "brunnel": "bridge", "oneway": 1}, street("primary", bridge=1, oneway=1)),
    ("transportation", {"class": "minor", "oneway": -1}, street("residential", oneway=1, isTurned=True)),
    ("transportation", {"class": "path", "oneway": 1}, street("foot")),
    ("transportation", {"class": "ferry"}, {"layer": "rails", "class": "ferry"}),
    ("aeroway", {"class": "runway"}, street("runway")),
    ("poi", {"class": "railway", "subclass": "halt"}, {"layer": "marks", "class": "halt"}),
    ("poi", {"class": "toilets", "subclass": "toilets"}, None),
    ("mountain_peak", {"class": "peak", "ele": 812}, {"layer": "marks", "class": "peak"}),
    ("housenumber", {"housenumber": "12a"}, {"layer": "numbers", "class": "number", "name": "12a"}),
    ("place", {"class": "town", "rank": 10}, {"layer": "places", "class": "town", "population": 1e6}),
    ("place", {"class": "continent"}, None),
    ("boundary", {"admin_level": 2, "maritime": 0}, {"layer": "borders", "class": "country"}),
    ("boundary", {"admin_level": 2, "maritime": 1}, None),
    # Shortbread
    ("streets", {"kind": "living_street", "tunnel": False}, street("residential")),
    ("streets", {"kind": "tram", "tunnel": True}, {"layer": "rails", "class": "tram", "tunnel": 1}),
    ("street_labels", {"kind": "secondary"}, street("secondary", isName=True)),
    ("street_polygons", {"kind": "pedestrian"}, {"layer": "squares", "class": "square"}),
    ("land", {"kind": "forest"}, {"layer": "parks", "class": "wood"}),
    ("water_polygons", {"kind": "glacier"}, {"layer": "parks", "class": "glacier"}),
    ("streets", {"kind": "service", "oneway_reverse": True}, street("service", oneway=1, isTurned=True)),
    ("streets", {"kind": "primary", "bridge": True, "tunnel": False}, street("primary", bridge=1)),
    ("pois", {"amenity": "cafe"}, {"layer": "marks", "class": "cafe"}),
    ("pois", {"shop": "bicycle"}, {"layer": "marks", "class": "shop"}),
    ("public_transport", {"kind": "bus_stop"}, {"layer": "marks", "class": "stop"}),
    ("addresses", {"housenumber": "7"}, {"layer": "numbers", "class": "number", "name": "7"}),
    ("ferries", {"kind": "ferry"}, {"layer": "rails", "class": "ferry"}),
    ("water_polygons", {"kind": "river"}, {"layer": "water", "class": "water"}),
    ("water_lines", {"kind": "stream"}, {"layer": "waterways", "class": "stream"}),
    ("boundaries", {"admin_level": 4, "maritime": False}, {"layer": "borders", "class": "region"}),
    ("place_labels", {"kind": "state_capital"}, {"layer": "places", "class": "city"}),
    # Protomaps
    ("roads", {"kind": "highway", "is_bridge": True, "oneway": "yes"}, street("motorway", bridge=1, oneway=1)),
    ("buildings", {"kind": "address", "addr_housenumber": "3"}, {"layer": "numbers", "class": "number", "name": "3"}),
    ("pois", {"kind": "museum"}, {"layer": "marks", "class": "museum"}),
    # Neither.
    ("constructor", {"class": "a"}, None), ("transportation", {"class": "constructor"}, None),
    ("streets", {"kind": 7}, None), ("__proto__", {}, None),
])
def test_what_others_call_things_is_known(modules, layer, tags, own):
    assert modules.evaluate(OWN, [[layer, tags]]) == [own]


def test_tiles_of_both_schemas_give_the_same_map(modules):
    first, second = read(modules, [OPEN_MAP_TILES, SHORTBREAD])
    assert set(first) == {"water lake", "parks park", "streets primary", "buildings building"}
    assert set(second) == {"water water", "parks park", "streets primary", "buildings building"}


def test_damaged_tiles_are_known_for_that(modules):
    chance = random.Random(44)
    tiles = [OPEN_MAP_TILES[:count] for count in range(0, len(OPEN_MAP_TILES), 7)]
    for _ in range(400):
        tile = bytearray(chance.choice([OPEN_MAP_TILES, SHORTBREAD]))
        for _ in range(chance.randrange(1, 5)):
            tile[chance.randrange(len(tile))] = chance.randrange(256)
        tiles.append(bytes(tile))
    # Layers without end, and one whose only feature says that it has half a billion points.
    tiles += [b"\x1a\x00" * 300, b"\x1a\x0f\x0a\x01a\x12\x08\x18\x02\x22\x05\xfa\xff\xff\xff\x0f"]
    found = read(modules, tiles)
    assert all(isinstance(one, list) or one == "RangeError" for one in found), found
    assert found[-2:] == ["RangeError", "RangeError"]


def read(page, tiles):
    return page.evaluate(READ, [base64.b64encode(tile).decode() for tile in tiles])
