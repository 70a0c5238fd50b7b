"""P53 Places, photos and very many pins on the map; the numbers are those of Docs/Flows.md."""

import json
import random
import re
import subprocess

import pytest
from playwright.sync_api import expect

from conftest import SIZES, picture
from server import BIN, PINS, Server
from test_access import too_small, violations
from visitor import HELSINKI, Visitor

EXPLORE = "waymark.gateway.v1.ExploreService"
MANY = 6_000
WORLD = {"southWest": {"latitude": -90, "longitude": -180}, "northEast": {"latitude": 90, "longitude": 180}}
MIDDLE = (60.19, 24.94)


def menu(visitor):
    visitor.tap(visitor.page.get_by_role("button", name="Show places and photos"))
    return visitor.page.get_by_role("dialog", name="On the map")


def choice(visitor, kind):
    return visitor.page.locator(".marks-menu .chip").filter(has_text=kind)


@pytest.mark.phone
def test_f89_all_places_and_photos_are_on_the_map_if_one_wants(server, visitor):
    server.filled(*HELSINKI)
    page = visitor.open().page
    visitor.look_at(*HELSINKI, 14)
    expect(page.locator(".place-number, .place-dot")).to_have_count(0)
    expect(menu(visitor)).to_be_visible()
    visitor.tap(choice(visitor, "All places"))
    expect(choice(visitor, "All places")).to_have_attribute("aria-pressed", "true")
    expect(choice(visitor, "All places").locator("b")).to_have_text(re.compile(r"^[\d,]+$"))
    expect(page.locator(".place-number").first).to_be_visible()
    visitor.tap(choice(visitor, "All photos"))
    expect(page.locator(".photo-pile, .photo-dot").first).to_be_visible()
    assert (too_small(visitor, ".marks-menu"), violations(page)) == ([], [])
    picture(page, "f89-menu")
    page.keyboard.press("Escape")
    expect(page.locator(".marks-menu")).to_have_count(0)
    # A number opens what it stands for; a place has its card, with a star and a pin.
    visitor.look_at(*HELSINKI, 18)
    dot = page.locator(".leaflet-places-pane .place-dot").first
    expect(dot).to_be_visible()
    picture(page, "f89-near")
    dot.dispatch_event("click")
    expect(page.get_by_role("button", name="Drop a pin here")).to_be_visible()
    visitor.tap(page.locator(".found-card").get_by_role("button", name="Close"))
    # A photo opens in the viewer, by an address of its own. The card had moved the map to its place.
    visitor.look_at(*HELSINKI, 18)
    page.locator(".photo-dot").first.dispatch_event("click")
    expect(page.locator("#viewer[open]")).to_be_visible()
    assert "#/photo/" in page.url
    page.keyboard.press("Escape")
    expect(page.locator("#viewer[open]")).to_have_count(0)
    # The browser remembers it.
    page.reload()
    expect(page.locator(".place-number, .place-dot").first).to_be_attached()
    menu(visitor)
    for kind in ("All places", "All photos"):
        visitor.tap(choice(visitor, kind))
    expect(page.locator(".place-number, .place-dot, .photo-pile, .photo-dot")).to_have_count(0)


# Whether each photo that is on the screen has its picture.
PICTURED = """(marks) => {
    const isSeen = (box) => box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
    const seen = [...document.querySelectorAll(marks)].filter((mark) => isSeen(mark.getBoundingClientRect()));
    return seen.length > 0 && seen.every((mark) => mark.querySelector("img.there"));
}"""


# How often a method was asked for.
ASKED = "(method) => performance.getEntriesByType('resource').filter(({ name }) => name.includes(method)).length"


@pytest.mark.both
def test_f89_each_photo_on_the_map_has_its_picture_though_no_album_shows_it(server, visitor):
    page = visitor.open().page
    visitor.look_at(*HELSINKI, 17)
    menu(visitor)
    visitor.tap(choice(visitor, "All photos"))
    page.keyboard.press("Escape")
    visitor.wait_until(PICTURED, ".photo-dot, .photo-pile")
    picture(page, "f89-photos-near")
    # Of several at one mark one stands for all, which the same answer named.
    visitor.look_at(*HELSINKI, 13)
    expect(page.locator(".photo-pile").first).to_be_visible()
    visitor.wait_until(PICTURED, ".photo-dot, .photo-pile")
    assert page.evaluate(ASKED, "PhotosNear") == 0
    picture(page, "f89-photos-far")
    # They open in a strip.
    page.locator(".photo-pile").first.dispatch_event("click")
    visitor.wait_until(PICTURED, ".photo-strip .strip > button")
    picture(page, "f89-photos-strip")
    assert (too_small(visitor, ".photo-strip"), violations(page)) == ([], [])


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    """A Waymark with very many pins, all of one town but one."""
    server, chance = Server(), random.Random(3)
    features = [feature(f"Pin {number}", chance.gauss(MIDDLE[0], 0.02), chance.gauss(MIDDLE[1], 0.04))
                for number in range(MANY - 1)]
    features.append(feature("Far away", 48.85, 2.35))
    path = tmp_path_factory.mktemp("crowd") / "pins.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    subprocess.run([BIN / "waymark", "pin", "import", path, "--target", server.system.gateway], check=True,
                   capture_output=True)
    yield server
    server.stop()


def feature(name, latitude, longitude):
    return {"type": "Feature", "properties": {"name": name},
            "geometry": {"type": "Point", "coordinates": [longitude, latitude]}}


@pytest.fixture
def guest(crowded, browser, size):
    """A visitor of that Waymark, whose page must have no errors."""
    context = browser.new_context(
        **SIZES[size], reduced_motion="reduce", color_scheme="light", locale="en", service_workers="block")
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield Visitor(page, crowded.address, size == "phone").open()
    context.close()
    assert faults == []


def clusters(page):
    return page.locator(".cluster-icon .cluster-count")


def test_f90_more_pins_than_a_page_can_have_are_counted_by_the_server(crowded, guest):
    page = guest.page
    count = crowded.call(f"{EXPLORE}/Viewport", {"box": WORLD, "branches": ["pins"]})["branches"][0]["count"]
    guest.look_at(55, 15, 4)
    guest.wait_until("""async (count) => {
        const marks = [...document.querySelectorAll(".cluster-icon .cluster-count")];
        const all = marks.reduce((sum, { textContent }) => sum + Number(textContent.replace(",", "")), 0);
        return all + document.querySelectorAll(".pin").length === count;
    }""", count)
    expect(page.locator(".pin .pin-name")).to_have_text(["Far away"])
    picture(page, "f90-far")
    # The list has those that are near.
    guest.look_at(*MIDDLE, 12)
    expect(page.locator(".panel-sub")).to_have_text(f"200 nearest of {count:,} pins")
    expect(page.locator(".pin-row").first).to_be_visible()
    expect(clusters(page).first).to_be_visible()
    picture(page, "f90-town")
    # A number opens what it stands for, down to single pins.
    before = guest.seen()[2]
    page.locator(".cluster-icon").first.dispatch_event("click")
    guest.wait_until("async (zoom) => (await import('/modules/map/map.js')).map.getZoom() > zoom", before)
    guest.look_at(48.85, 2.35, 12)
    far = page.locator(".pin").filter(has_text="Far away")
    guest.tap_pin(far.get_attribute("data-pin"))
    expect(page.get_by_role("dialog", name="Pin Far away")).to_be_visible()
    guest.page.keyboard.press("Escape")


def test_f90_a_pin_of_a_crowd_is_dropped_found_in_the_list_and_deleted(crowded, guest):
    page = guest.page
    guest.look_at(52.52, 13.4, 14)
    # Until what is shown is what is here.
    expect(guest.pins()).to_have_count(0)
    guest.hold(52.52, 13.4)
    expect(page.locator(".pin.selected")).to_be_visible()
    pin_id = page.locator(".pin.selected").get_attribute("data-pin")
    expect(page.locator(f".pin-row[data-pin='{pin_id}']")).to_be_attached()
    picture(page, "f90-dropped")
    # One that comes from elsewhere appears by itself.
    other = crowded.drop(52.525, 13.41, name="From elsewhere")
    expect(guest.pin(other)).to_be_visible()
    crowded.call(f"{PINS}/DeletePin", {"id": other})
    expect(guest.pin(other)).to_have_count(0)
    crowded.call(f"{PINS}/DeletePin", {"id": pin_id})
    expect(guest.pin(pin_id)).to_have_count(0)
