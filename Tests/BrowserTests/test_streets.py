"""F91 Streets anywhere, from a network that gives them; the numbers are those of Docs/Flows.md."""

import base64
import math
import subprocess

import pytest
from playwright.sync_api import expect

from conftest import SIZES, picture
from server import BIN, Server
from smallcity import LATITUDE, LONGITUDE, WIDTH, small_town
from test_tiles import HAS_NAMES, IS_COLOUR
from tile_simulator import ATTRIBUTION, TileSimulator
from visitor import PATIENCE_MS, Visitor

# On land, far from all bundled cities.
TILE = (14, 8874, 5682)


@pytest.fixture(scope="module")
def simulator():
    simulator = TileSimulator()
    yield simulator
    simulator.stop()


@pytest.fixture(scope="module", params=["openmaptiles", "shortbread"])
def server(request, simulator):
    """A system of its own, which asks the simulator and no one else."""
    server = Server(has_map=True, streetmap_url=f"{simulator.address}/{request.param}", contact="tester@example.org")
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def off(server, simulator):
    simulator.is_away = simulator.is_flooded = False
    turn(server, False)
    simulator.asked.clear()


def turn(server, is_on):
    server.call("waymark.places.v1.PlacesService/SwitchNetwork", {"network": "streetmap", "on": is_on})


def place(x, y):
    """Where a part of the tile is, in degrees."""
    zoom, column, row = TILE
    north = math.pi * (1 - 2 * (row + y) / 2**zoom)
    return math.degrees(math.atan(math.sinh(north))), (column + x) / 2**zoom * 360 - 180


def has_colour(visitor, x, y, *names):
    visitor.wait_until(IS_COLOUR, [*place(x, y), list(names)])


def sees_streets(visitor):
    has_colour(visitor, 0.2, 0.5, "main")
    has_colour(visitor, 0.25, 0.25, "park")
    has_colour(visitor, 0.75, 0.75, "building")
    has_colour(visitor, 0.45, 0.75, "land")


def of_november(route, response):
    route.fulfill(response=response, headers=response.headers | {"waymark-old-since": "1764000000"})


def test_f91_names_of_streets_are_in_the_readers_language(browser, server, watchman, size):
    turn(server, True)
    context = browser.new_context(**SIZES[size], reduced_motion="reduce", locale="fi")
    context.set_default_timeout(PATIENCE_MS)
    watchman.look_after(context)
    visitor = Visitor(context.new_page(), server.address, size == "phone").open()
    visitor.look_at(*place(0.5, 0.5), 15)
    visitor.wait_drawn(HAS_NAMES, [15, ["Pääkatu"]])
    context.close()


def test_f91_imported_maps_stay_above(server, simulator, visitor, tmp_path):
    path = tmp_path / "town.osm.pbf"
    path.write_bytes(small_town())
    words = ["import", path, "--dataset", "town", "--target", server.system.gateway]
    subprocess.run([BIN / "waymark", *words], check=True, capture_output=True, text=True)
    simulator.is_flooded = True
    turn(server, True)
    visitor.open()
    visitor.look_at(LATITUDE + 0.5 * WIDTH, LONGITUDE + 0.5 * WIDTH, 15)
    for north, east, colour in ((0.55, 0.25, "park"), (0.55, 0.65, "building"), (0.55, 0.45, "land")):
        visitor.wait_until(IS_COLOUR, [LATITUDE + north * WIDTH, LONGITUDE + east * WIDTH, [colour]])
    picture(visitor.page, "f91-seam")
    visitor.look_at(*place(80.5, 0.5), 15)
    has_colour(visitor, 80.5, 0.5, "sea")


# From here on the simulator is away at times, and is then left alone.
@pytest.mark.both
def test_f91_streets_are_switched_on_and_stay_while_their_server_is_away(server, simulator, visitor, watchman):
    page = visitor.open().page
    visitor.look_at(*place(0.5, 0.5), 15)
    has_colour(visitor, 0.45, 0.75, "land")
    assert simulator.asked == []
    picture(page, "f91-without-streets")

    visitor.tap(page.get_by_role("button", name="Settings"))
    visitor.raise_panel()
    card = page.locator(".network[data-network='streetmap']")
    expect(card).to_contain_text("Streets of the world")
    expect(card).to_contain_text("It learns which squares of the map")
    visitor.tap(card.get_by_role("switch"))
    expect(card.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    expect(card).to_contain_text(ATTRIBUTION)
    card.scroll_into_view_if_needed()
    picture(page, "f91-card")

    visitor.open()
    visitor.look_at(*place(0.5, 0.5), 15)
    sees_streets(visitor)
    expect(page.locator(".leaflet-control-attribution")).to_contain_text(ATTRIBUTION)
    visitor.wait_drawn(HAS_NAMES, [15, ["Hauptstraße"]])
    picture(page, "f91-streets")
    # Closer than the last tiles, and from far away.
    visitor.look_at(*place(0.5, 0.5), 17)
    has_colour(visitor, 0.47, 0.5, "main")
    visitor.look_at(*place(0.5, 0.5), 15)

    # What was seen is kept here, not only by the browser.
    watchman.tolerate("/tiles/streetmap/")
    simulator.is_away = True
    zoom, x, y = TILE
    status, headers, _ = server.system.web().ask("GET", f"/tiles/streetmap/{zoom}/{x}/{y}")
    assert status == 200 and headers["Cache-Control"] == "private, max-age=86400"
    # A tile that should have been asked for again says how old it is.
    page.route("**/tiles/streetmap/**", lambda route: of_november(route, route.fetch()))
    page.reload(wait_until="domcontentloaded")
    visitor.look_at(*place(0.5, 0.5), 15)
    sees_streets(visitor)
    expect(page.locator(".leaflet-control-attribution")).to_contain_text(f"{ATTRIBUTION} (as of November 24, 2025)")
    picture(page, "f91-old")
    page.unroute_all(behavior="ignoreErrors")
    # More than may be taken from a server of others.
    visitor.look_at(*place(0.5, 0.5), 8)
    look = "async () => (await (await import('/modules/taken/takealong.js')).lookAtArea()).lent"
    assert page.evaluate(look) == 250


def test_f91_what_lies_below_is_seen_where_no_tile_comes(server, simulator, visitor, watchman):
    watchman.tolerate("/tiles/streetmap/")
    simulator.is_away = True
    turn(server, True)
    visitor.open()
    # Farther east, where no test has looked.
    visitor.look_at(*place(40.5, 0.5), 15)
    visitor.wait_until(IS_COLOUR, [*place(40.45, 0.75), ["land"]])


def test_f91_f66_the_map_of_a_shared_pin_has_the_streets_that_its_account_sees(server, simulator, context):
    pin_id = server.filled(*place(0.25, 0.4), name="Here")
    made = server.call("waymark.shares.v1.ShareService/CreateShare", {"pinId": pin_id})["share"]
    request = {"pinId": pin_id, "spanDegrees": 0.012, "width": 600, "height": 315, "scale": 2}
    pictures = []
    for is_on in (False, True):
        turn(server, is_on)
        shared = server.call("waymark.gateway.v1.SharedService/GetSharedPin", {"token": made["path"].split("/")[-1]})
        if is_on:
            own = server.call("waymark.gateway.v1.MapService/GetPinMap", request)
            assert ATTRIBUTION in own["attribution"]
        pictures.append(context.request.get(server.address + shared["mapUrl"]).body())
    assert pictures[1] == base64.b64decode(own["png"])
    assert pictures[0] != pictures[1]
