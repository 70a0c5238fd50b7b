"""Whatever is chosen is on the screen and not under panel or sheet; the numbers are those of review findings."""

import random

import pytest
from playwright.sync_api import expect

from visitor import HELSINKI

# What of a pin, given by its id, can't be touched where it stands: covered, or off the screen.
UNSEEN = """async (id) => {
    const pin = document.querySelector(`.pin[data-pin="${id}"]`);
    if (!pin) return "it is not on the map";
    const { left, right, top, bottom } = pin.getBoundingClientRect();
    if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) return "it is off the screen";
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return pin.contains(there) || there.closest(".pin") ? "" : `it is under ${there.outerHTML.slice(0, 80)}`;
}"""
# Of all pins and clusters on the map together, how many pins can be seen.
COUNT = """() => [...document.querySelectorAll(".pin, .cluster-icon")].reduce((sum, mark) => {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    const panel = document.getElementById("panel").getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const isCovered = x > panel.left && x < panel.right && y > panel.top && y < panel.bottom;
    if (isCovered || x < 0 || x > innerWidth || y < 0 || y > innerHeight) return sum;
    return sum + Number(mark.querySelector(".cluster-count")?.textContent ?? 1);
}, 0)"""
CITIES = {
    "Tokyo": (35.6762, 139.6503), "New York": (40.7128, -74.0060), "Sydney": (-33.8688, 151.2093),
    "Rio de Janeiro": (-22.9068, -43.1729), "Helsinki": HELSINKI,
}
PACIFIC = {"Suva": (-18.1416, 178.4419), "Apia": (-13.8333, -171.7667), "Anadyr": (64.7337, 177.4968)}


def is_seen(visitor, pin_id):
    visitor.wait_until("async (id) => (await (%s)(id)) === ''" % UNSEEN, pin_id)


def stand(visitor, presses):
    """How high a phone's sheet is: from low by so many presses of a key."""
    if visitor.is_phone:
        for _ in range(presses):
            visitor.page.locator(".grip").press("ArrowUp")


def row(visitor, pin_id):
    return visitor.panel().locator(f".pin-row[data-pin='{pin_id}']")


@pytest.mark.parametrize("presses", [0, 1, 2])
def test_c2_a_pin_chosen_in_the_list_is_seen(server, visitor, presses):
    ids = {name: server.drop(*point, name=name, radius=50) for name, point in (CITIES | PACIFIC).items()}
    ids |= {"Beside": server.drop(HELSINKI[0] + 0.0001, HELSINKI[1], name="Beside", radius=50)}
    visitor.open()
    stand(visitor, presses)
    for name, pin_id in ids.items():
        # By its key: the row may have to be scrolled to first.
        row(visitor, pin_id).press("Enter")
        expect(visitor.callout().get_by_role("heading")).to_have_text(name)
        is_seen(visitor, pin_id)
        expect(visitor.callout()).to_be_in_viewport(ratio=0.99)
        stand(visitor, 2 if presses == 2 else 0)


@pytest.mark.parametrize("name", ["Tokyo", "Apia", "Suva"])
def test_c3_a_link_to_a_far_pin_shows_it(server, visitor, name):
    # Others next to it, which form a cluster with it at most zooms.
    latitude, longitude = (CITIES | PACIFIC)[name]
    for step in (0.001, 0.002):
        server.drop(latitude + step, longitude, name="Other", radius=50)
    pin_id = server.drop(latitude, longitude, name=name, radius=50)
    visitor.open(f"#/pin/{pin_id}")
    expect(visitor.callout().get_by_role("heading")).to_have_text(name)
    is_seen(visitor, pin_id)
    visitor.open(f"#/pin/{pin_id}/places")
    is_seen(visitor, pin_id)


@pytest.mark.both
@pytest.mark.parametrize("points", [CITIES, PACIFIC, CITIES | PACIFIC], ids=["cities", "pacific", "both"])
def test_c4_all_pins_are_shown(server, visitor, points):
    for name, point in points.items():
        server.drop(*point, name=name, radius=50)
    visitor.open()
    for presses in (0, 1) if visitor.is_phone else (0,):
        stand(visitor, presses)
        visitor.look_at(*CITIES["New York"], 16)
        visitor.wait_until(f"async (count) => ({COUNT})() < count", len(points))
        visitor.tap(visitor.page.get_by_role("button", name="Show all pins"))
        visitor.wait_until(f"async (count) => ({COUNT})() === count", len(points))


def test_c4_five_hundred_pins_are_shown(server, visitor):
    # As if from the event stream: the services need not know them. Their versions are later than all that it has told.
    chance = random.Random(4)
    pins = [{"id": f"pin-{index}", "name": f"Pin {index}", "state": "PIN_STATE_NEW", "version": "1000000",
             "radiusM": 50, "position": {"latitude": chance.uniform(-80, 80), "longitude": chance.uniform(-180, 180)}}
            for index in range(500)]
    visitor.open()
    visitor.page.evaluate("""async (pins) => {
        const { putPin } = await import("/modules/pins/store.js");
        for (const pin of pins) putPin(pin);
    }""", pins)
    visitor.tap(visitor.page.get_by_role("button", name="Show all pins"))
    visitor.wait_until(f"async () => ({COUNT})() === 500")


def test_c4_the_box_around_points_is_the_smallest(modules):
    around = """async (points) => {
        const { boxAround } = await import("/modules/ground/box.js");
        const { southWest, northEast } = boxAround(points);
        return [southWest.latitude, southWest.longitude, northEast.latitude, northEast.longitude];
    }"""
    chance = random.Random(7)
    for _ in range(200):
        points = [{"latitude": chance.uniform(-90, 90), "longitude": chance.uniform(-180, 180)}
                  for _ in range(chance.randint(1, 9))]
        south, west, north, east = modules.evaluate(around, points)
        width = (east - west) % 360
        for point in points:
            assert south <= point["latitude"] <= north
            assert (point["longitude"] - west) % 360 <= width
        # None that begins at another point is smaller.
        for first in points:
            others = [(point["longitude"] - first["longitude"]) % 360 for point in points]
            assert width <= max(others) + 1e-9


def test_c4_pins_stand_where_one_looks_on_both_sides_of_the_antimeridian(server, visitor):
    ids = [server.drop(-16.9, longitude, name=str(longitude), radius=50) for longitude in (179.98, -179.98)]
    visitor.open()
    for longitude in (179.99, -179.99):
        visitor.look_at(-16.9, longitude, 12)
        for pin_id in ids:
            is_seen(visitor, pin_id)


@pytest.mark.parametrize("latitude", [84.9, -84.9])
def test_c2_a_pin_near_a_pole_is_seen(server, visitor, latitude):
    pin_id = server.drop(latitude, 20, name="Cold", radius=50)
    visitor.open()
    stand(visitor, 1)
    row(visitor, pin_id).press("Enter")
    expect(visitor.callout().get_by_role("heading")).to_have_text("Cold")
    is_seen(visitor, pin_id)


def test_c2_a_cluster_opens_beside_the_panel(server, visitor):
    ids = [server.drop(60.16 + step, 24.93 + step, name="One", radius=50) for step in (0, 0.01, 0.02)]
    visitor.open()
    visitor.look_at(60.17, 24.94, 7)
    visitor.tap(visitor.page.locator(".cluster-icon"))
    for pin_id in ids:
        is_seen(visitor, pin_id)


def test_f02_c4_the_map_opens_again_where_it_was_left_across_the_antimeridian(server, visitor):
    visitor.open()
    with visitor.page.expect_request(lambda request: "SetMapRegion" in request.url) as told:
        visitor.look_at(-16.9, 180, 8)
    assert told.value.response().ok
    before = visitor.seen()
    visitor.open()
    visitor.wait_until("async () => (await import('/modules/map/map.js')).map.getCenter().lat < 0")
    after = visitor.seen()
    assert abs((after[1] - before[1] + 180) % 360 - 180) < 0.01
    assert after[0] == pytest.approx(before[0], abs=0.01) and after[2] == before[2]


@pytest.mark.phone
@pytest.mark.parametrize("presses", [0, 1])
def test_v8_the_grip_of_the_sheet_stays_where_it_is(server, visitor, presses):
    """What is brought into view in the sheet scrolls the sheet's list, and never the sheet."""
    ids = [server.drop(60.16 + step / 1000, 24.93, name=f"Pin {step}", radius=50) for step in range(8)]
    visitor.open()
    stand(visitor, presses)
    for pin_id in (ids[0], ids[-1]):
        visitor.page.evaluate("(id) => { location.hash = `#/pin/${id}`; }", pin_id)
        expect(visitor.callout()).to_be_visible()
        expect(visitor.page.locator(".grip")).to_be_in_viewport(ratio=1)
        assert visitor.page.evaluate("document.getElementById('panel').scrollTop") == 0


# How far the tip of a pin is from where the map says that it is, in pixels.
ASIDE = """async ([id, latitude, longitude]) => {
    const { map } = await import("/modules/map/map.js");
    const { left, top } = document.querySelector(`.pin[data-pin="${id}"]`).getBoundingClientRect();
    const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
    return Math.max(Math.abs(left + 17 - x), Math.abs(top + 43 - y));
}"""
# What scrolls the map does not, then.
RESTS = "async () => getComputedStyle(document.querySelector('.map-frame')).overflow === 'hidden'"


def test_f33_the_map_is_scrolled_by_nothing_but_itself(server, visitor):
    pin_id = server.drop(*HELSINKI, radius=50)
    page = visitor.open().page
    before = visitor.point(*HELSINKI)
    x, y = (195, 300) if visitor.is_phone else (800, 600)
    visitor.drag((x, y), (x - 90, y - 60))
    visitor.wait_until(RESTS)
    after = visitor.point(*HELSINKI)
    assert before[0] - after[0] > 60 and before[1] - after[1] > 30
    assert page.evaluate(ASIDE, [pin_id, *HELSINKI]) < 1.5
    visitor.pin(pin_id).focus()
    for key in ("PageDown", "End", " "):
        page.keyboard.press(key)
    assert page.evaluate(ASIDE, [pin_id, *HELSINKI]) < 1.5
    # Whatever else scrolls it, as a browser does to show what has the focus: it goes back.
    page.evaluate("document.querySelector('.map-frame').scrollBy(300, 200)")
    visitor.wait_until("async (given) => (await (%s)(given)) < 1.5" % ASIDE, [pin_id, *HELSINKI])
