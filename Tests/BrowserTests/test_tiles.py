"""F75 The map of one's own city: drawn from the tiles of an import, in both themes; F77 in the language that one has
chosen; F78 the operator's own map below it."""

import base64
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import SIZES, picture
from server import BIN, System, imported_places
from smallcity import LATITUDE, LONGITUDE, WIDTH, small_town
from test_states import Fault
from visitor import PATIENCE_MS, Visitor

# The colour of the map at a point, and those of the palette: [[red, green, blue], {name: [red, green, blue]}].
COLOURS = """async ([latitude, longitude, names]) => {
    const { map } = await import("/modules/map/map.js");
    const { colours } = await import("/modules/map/palette.js");
    const at = map.latLngToContainerPoint({ lat: latitude, lng: longitude });
    const frame = document.getElementById("map").getBoundingClientRect();
    for (const canvas of document.querySelectorAll("canvas.leaflet-tile")) {
        const { left, top, right, bottom, width } = canvas.getBoundingClientRect();
        const [x, y] = [at.x + frame.left - left, at.y + frame.top - top];
        if (x < 0 || y < 0 || x >= right - left || y >= bottom - top) continue;
        const scale = canvas.width / width;
        const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        pen.drawImage(canvas, -Math.floor(x * scale), -Math.floor(y * scale));
        const found = pen.getImageData(0, 0, 1, 1).data;
        if (found[3] === 0) continue; // One that is not drawn yet.
        const palette = Object.fromEntries(names.map((name) => {
            pen.fillStyle = colours()[name];
            pen.fillRect(0, 0, 1, 1);
            return [name, [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)];
        }));
        return [[...found].slice(0, 3), palette];
    }
    return [null, {}];
}"""
IS_COLOUR = "async (argument) => { const [found, palette] = await (%s)(argument); " \
            "return found && Object.values(palette).some((one) => one.every((value, i) => " \
            "Math.abs(value - found[i]) < 3)); }" % COLOURS
# Where the map is drawn.
NAMES = """async (zoom) => {
    const { drawn } = await import("/modules/paint/painter.js");
    return drawn.namedTiles(zoom).flatMap(({ layers }) => Object.values(layers).flat().map(({ name }) => name));
}"""


@pytest.fixture(scope="module")
def server(city):
    return city


def place(north, east):
    return LATITUDE + north * WIDTH, LONGITUDE + east * WIDTH


@pytest.fixture(scope="module")
def town(server, tmp_path_factory):
    """The map of a small town, for all tests of this file."""
    path = tmp_path_factory.mktemp("town") / "town.osm.pbf"
    path.write_bytes(small_town())
    words = ["import", path, "--dataset", "town", "--target", server.system.gateway]
    subprocess.run([BIN / "waymark", *words], check=True, capture_output=True, text=True)
    yield
    remove = ["dataset", "rm", "town", "--yes", "--target", server.system.gateway]
    subprocess.run([BIN / "waymark", *remove], check=True, capture_output=True)


def test_f75_what_is_not_known_yet_looks_neither_like_sea_nor_like_land(visitor, town):
    """R11: pieces that were still loading looked like sea, in hard squares."""
    page = visitor.page
    fault = Fault(page, re.compile(r"/tiles/town/"))
    visitor.open()
    show(visitor, 15)
    # Streets, and the sea in the south.
    for north in (0.6, 0.1):
        has_colour(visitor, north, 0.45, "unknown")
    picture(page, "f75-unknown")
    fault.mend()
    has_colour(visitor, 0.6, 0.45, "street")


def has_colour(visitor, north, east, *names):
    visitor.wait_until(IS_COLOUR, [*place(north, east), list(names)])


def show(visitor, zoom, north=0.5, east=0.5):
    visitor.look_at(*place(north, east), zoom)


def test_f75_an_imported_city_has_streets_water_parks_and_buildings(visitor, town):
    visitor.open()
    show(visitor, 15)
    has_colour(visitor, 0.5, 0.8, "main")
    has_colour(visitor, 0.6, 0.45, "street")
    has_colour(visitor, 0.55, 0.25, "park")
    has_colour(visitor, 0.55, 0.65, "building")
    has_colour(visitor, 0.55, 0.45, "land")
    has_colour(visitor, -0.1, 0.5, "sea")
    picture(visitor.page, "f75-town-light")
    # Closer than its last tiles, and from far away.
    show(visitor, 18)
    has_colour(visitor, 0.56, 0.56, "building", "land")
    show(visitor, 12)
    # Beside the name of the town.
    has_colour(visitor, 0.26, 0.25, "park")
    picture(visitor.page, "f75-town-far")


def test_f75_it_is_dark_where_the_page_is(visitor, town):
    visitor.open()
    show(visitor, 15)
    has_colour(visitor, 0.55, 0.25, "park")
    visitor.tap(visitor.page.get_by_role("button", name="Light or dark"))
    has_colour(visitor, 0.55, 0.25, "park")
    has_colour(visitor, 0.55, 0.45, "land")
    picture(visitor.page, "f75-town-dark")


@pytest.mark.parametrize(("locale", "names"), [
    ("en", {"Smalltown", "Querstraße 3", "Stadtpark"}), ("fi", {"Pikkukaupunki", "Poikkikatu 3", "Stadtpark"}),
    ("pt", {"Kleinstadt", "Querstraße 3"}),
])
def test_f75_names_are_in_the_readers_language(browser, server, watchman, town, size, locale, names):
    server.clear()
    context = browser.new_context(**SIZES[size], reduced_motion="reduce", locale=locale)
    context.set_default_timeout(PATIENCE_MS)
    watchman.look_after(context)
    visitor = Visitor(context.new_page(), server.address, size == "phone").open()
    show(visitor, 15)
    has = "async ([zoom, names]) => { const found = new Set(await (%s)(zoom)); " \
          "return names.every((one) => found.has(one)); }"
    visitor.wait_drawn(has % NAMES, [15, sorted(names)])
    context.close()


HAS_NAMES = "async ([zoom, names]) => { const found = new Set(await (%s)(zoom)); " \
            "return names.every((one) => found.has(one)); }" % NAMES


# What is written on the map from now on.
WRITTEN = """() => {
    self.written = new Set();
    const pen = OffscreenCanvasRenderingContext2D.prototype;
    const write = pen.fillText;
    pen.fillText = function (text, ...place) {
        self.written.add(text);
        write.call(this, text, ...place);
    };
}"""
IS_WRITTEN = "async (texts) => texts.every((text) => self.written.has(text))"


def test_f75_numbers_of_roads_marks_and_numbers_of_houses_are_written(visitor, town):
    page = visitor.open().page
    visitor.painter().evaluate(WRITTEN)
    show(visitor, 14)
    visitor.wait_drawn(IS_WRITTEN, ["Smalltown", "B 1", "Kogel", "812 m"])
    show(visitor, 17, 0.55, 0.55)
    visitor.wait_drawn(IS_WRITTEN, ["Café Mitte", "21"])
    picture(page, "f75-marks")


def test_f75_no_name_is_written_below_a_pin(server, visitor, town):
    page = visitor.open().page
    visitor.painter().evaluate(WRITTEN)
    show(visitor, 14)
    visitor.wait_drawn(IS_WRITTEN, ["Smalltown", "B 1"])
    server.drop(*place(0.5, 0.5), name="Here")
    expect(page.locator(".pin")).to_be_visible()
    page.wait_for_function("() => new Promise((done) => requestIdleCallback(() => done(true)))")
    # All of it is drawn again.
    visitor.painter().evaluate("() => self.written.clear()")
    page.evaluate("() => document.dispatchEvent(new Event('themechange'))")
    visitor.wait_drawn(IS_WRITTEN, ["B 1"])
    visitor.wait_drawn("async () => (await import('/modules/paint/painter.js')).drawn.isDone()")
    assert not visitor.painter().evaluate(IS_WRITTEN, ["Smalltown"])
    picture(page, "f75-below-a-pin")


def test_f77_names_are_in_the_language_that_is_chosen(visitor, server, town):
    page = visitor.open("#/settings").page
    choice = page.get_by_label("Names on the map")
    expect(choice).to_have_value("")
    with page.expect_response(re.compile("UpdateSettings")):
        choice.select_option("fi")
    picture(page, "f77-settings")
    show(visitor, 15)
    visitor.wait_drawn(HAS_NAMES, [15, ["Pikkukaupunki", "Poikkikatu 3", "Stadtpark"]])
    # It is the account's: another page has it from the beginning.
    page.reload(wait_until="domcontentloaded")
    show(visitor, 15)
    visitor.wait_drawn(HAS_NAMES, [15, ["Pikkukaupunki"]])
    server.call("waymark.accounts.v1.SettingsService/UpdateSettings", {"language": ""})


def test_f78_a_map_of_the_operators_is_drawn(browser, server, town, tmp_path, size):
    archive = next(Path(server.system.folder.name).glob("data/**/town/*.pmtiles"))
    system = System(places=imported_places(), basemap=archive)
    context = browser.new_context(**SIZES[size], reduced_motion="reduce", locale="en")
    context.set_default_timeout(PATIENCE_MS)
    visitor = Visitor(context.new_page(), system.http, size == "phone").open()
    try:
        show(visitor, 15)
        has_colour(visitor, 0.55, 0.25, "park")
        visitor.wait_drawn(HAS_NAMES, [15, ["Smalltown"]])
        picture(visitor.page, "f78-basemap")
    finally:
        context.close()
        system.stop()


def test_f75_f66_a_shared_map_has_the_streets_of_the_city_too(server, context, town):
    latitude, longitude = place(0.5, 0.5)
    # Complete, and so as green as what a share shows.
    pin_id = server.filled(latitude, longitude, name="Here")
    request = {"pinId": pin_id, "spanDegrees": 0.012, "width": 600, "height": 315, "scale": 2}
    own = server.call("waymark.gateway.v1.MapService/GetPinMap", request)
    assert "OpenStreetMap" in own["attribution"]
    made = server.call("waymark.shares.v1.ShareService/CreateShare", {"pinId": pin_id})["share"]
    token = made["path"].split("/")[-1]
    shared = server.call("waymark.gateway.v1.SharedService/GetSharedPin", {"token": token})
    answer = context.request.get(server.address + shared["mapUrl"])
    assert answer.body() == base64.b64decode(own["png"])


def test_f75_a_tile_that_did_not_come_comes_by_itself(visitor, town, watchman):
    failed = []

    def fail_once(route):
        if route.request.url in failed:
            return route.continue_()
        failed.append(route.request.url)
        return route.abort()

    watchman.tolerate("/tiles/town/")
    visitor.page.route("**/tiles/town/**", fail_once)
    visitor.open()
    show(visitor, 15)
    has_colour(visitor, 0.55, 0.25, "park")
    assert failed
