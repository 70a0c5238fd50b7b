"""The bundled map below the pins; the numbers are those of Docs/Flows.md and of review findings."""

import pytest
from playwright.sync_api import expect

from conftest import SIZES, picture
from firstload import CAME
from test_tiles import IS_WRITTEN, WRITTEN
from visitor import HELSINKI, PATIENCE_MS, Visitor


@pytest.fixture(scope="module")
def server(city):
    return city


def test_f35_attribution_is_always_visible(server, visitor):
    pin_id = server.filled(*HELSINKI)
    for place in ("#/", f"#/pin/{pin_id}", f"#/pin/{pin_id}/places", f"#/pin/{pin_id}/album"):
        visitor.open(place)
        line = visitor.page.locator(".leaflet-control-attribution")
        for text in ("Leaflet", "Natural Earth", "GeoNames", "OpenStreetMap contributors"):
            expect(line).to_contain_text(text)
        expect(line).to_be_in_viewport()
        box = line.bounding_box()
        top = visitor.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('.leaflet-control-attribution') !== null",
            [box["x"] + box["width"] / 2, box["y"] + 8])
        assert top, f"{place}: something covers it"


def test_c8_the_coast_comes_on_both_sides_of_the_antimeridian(visitor):
    visitor.open()
    visitor.look_at(-17, 180, 8)
    visitor.wait_until(CAME, ["/map/world/7/127/70", "/map/world/7/0/70"])


def test_f43_a_piece_of_the_map_that_could_not_be_fetched_comes_by_itself(visitor, watchman):
    watchman.tolerate("net::ERR_CONNECTION_RESET")
    page, asked = visitor.page, []

    def reset_once(route):
        asked.append(route.request.url)
        return route.abort("connectionreset") if len(asked) == 1 else route.continue_()

    page.route("**/map/countries.json", reset_once)
    visitor.open()
    visitor.look_at(*HELSINKI, 6)
    visitor.wait_drawn(
        "async () => (await import('/modules/paint/painter.js')).drawn.namesOf('countries', 6).length > 0")
    assert len(asked) == 2, asked


def test_c8_the_towns_of_the_world_are_the_important_ones_of_what_is_seen(visitor):
    """V2: the 2,000 towns of the whole world were the same at each zoom level; nine of them were called Washington."""
    page = visitor.open().page
    visitor.painter().evaluate(WRITTEN)
    towns = (39.29, -76.61, "Baltimore"), (55.95, -3.19, "Edinburgh"), (47.56, 7.57, "Basel")
    for latitude, longitude, town in towns:
        visitor.look_at(latitude, longitude, 8)
        visitor.wait_drawn(IS_WRITTEN, [town])
        picture(page, f"c8-{town.lower()}")
    visitor.painter().evaluate("() => self.written.clear()")
    visitor.look_at(39.5, -98, 5)
    visitor.wait_drawn(IS_WRITTEN, ["Denver", "Omaha"])


def test_c8_names_make_room_for_pins_that_were_there_before_the_map(server, visitor):
    server.drop(*HELSINKI)
    held = []
    visitor.page.route("**/map/index.json", lambda route: held.append(route))
    with visitor.page.expect_request("**/map/index.json"):
        visitor.open("#/lists")
    expect(visitor.pins().first).to_be_visible()
    held[0].continue_()
    visitor.wait_drawn("async () => (await import('/modules/paint/painter.js')).drawn.keptClear().length > 0")


def test_f77_countries_have_their_names_in_the_readers_language(browser, server, watchman, size):
    context = browser.new_context(**SIZES[size], reduced_motion="reduce", locale="fi")
    context.set_default_timeout(PATIENCE_MS)
    watchman.look_after(context)
    visitor = Visitor(context.new_page(), server.address, size == "phone").open()
    visitor.painter().evaluate(WRITTEN)
    visitor.look_at(50, 8, 5)
    visitor.wait_drawn(IS_WRITTEN, ["SAKSA"])
    context.close()
