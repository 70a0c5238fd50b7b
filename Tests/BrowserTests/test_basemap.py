"""The bundled map below the pins; the numbers are those of Docs/Flows.md and of review findings."""

import pytest
from playwright.sync_api import expect

from firstload import CAME
from visitor import HELSINKI


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
    visitor.wait_until(CAME, ["/map/world/5/31/17", "/map/world/5/0/17"])


def test_f43_a_piece_of_the_map_that_could_not_be_fetched_comes_by_itself(visitor, watchman):
    watchman.tolerate("net::ERR_CONNECTION_RESET")
    page, asked = visitor.page, []

    def reset_once(route):
        asked.append(route.request.url)
        return route.abort("connectionreset") if len(asked) == 1 else route.continue_()

    page.route("**/map/towns.json", reset_once)
    visitor.open()
    visitor.look_at(*HELSINKI, 12)
    visitor.wait_until("async () => (await import('/modules/map/mapdata.js')).namesOf('towns', 12).length > 0")
    assert len(asked) == 2, asked
