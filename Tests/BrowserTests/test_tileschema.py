"""Vector tiles of others: what their layers are in ours, and that none that is damaged traps the page or hangs it."""

import base64
import random

import pytest

from tile_simulator import OPEN_MAP_TILES, SHORTBREAD

OWN = "async (asked) => { const { ownOf } = await import('/modules/map/tileschema.js'); " \
      "return asked.map(([layer, tags]) => ownOf(layer, tags) ?? null); }"
READ = """async (tiles) => {
    const { readTile } = await import("/modules/map/vectortile.js");
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
    ("landcover", {"class": "ice", "subclass": "glacier"}, None),
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
    ("water_polygons", {"kind": "glacier"}, None),
    ("water_polygons", {"kind": "river"}, {"layer": "water", "class": "water"}),
    ("water_lines", {"kind": "stream"}, {"layer": "waterways", "class": "stream"}),
    ("boundaries", {"admin_level": 4, "maritime": False}, {"layer": "borders", "class": "region"}),
    ("place_labels", {"kind": "state_capital"}, {"layer": "places", "class": "city"}),
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
