"""The map and its pins; the numbers are those of Docs/Flows.md."""

import re

import pytest
from playwright.sync_api import expect

from visitor import CENTRE, HELSINKI

NEAR = (60.1690, 24.9450)
STATES = """() => {
    window.states = [];
    new MutationObserver(() => {
        const pin = document.querySelector(".pin[data-state]");
        if (pin && window.states.at(-1) !== pin.dataset.state) window.states.push(pin.dataset.state);
    }).observe(document.getElementById("map"), { subtree: true, childList: true, attributes: true });
}"""


def test_f02_the_map_opens_where_it_was_left(server, visitor):
    visitor.open()
    with visitor.page.expect_request(re.compile("SetMapRegion")) as told:
        visitor.look_at(48.8566, 2.3522, 12)
    assert told.value.response().ok
    before = visitor.seen()
    visitor.open()
    visitor.wait_until("async () => (await import('/modules/map/map.js')).map.getCenter().lat < 50")
    assert visitor.seen() == pytest.approx(before, abs=0.01)


def test_f03_a_long_press_drops_a_pin(server, visitor):
    visitor.open().hold(*HELSINKI)
    visitor.settle()
    [pin] = server.pins()
    assert pin["position"]["latitude"] == pytest.approx(HELSINKI[0], abs=0.0005)
    assert pin["position"]["longitude"] == pytest.approx(HELSINKI[1], abs=0.0005)
    expect(visitor.callout()).to_be_visible()


def test_f03_a_short_press_and_a_drag_of_the_map_drop_none(server, visitor):
    visitor.open()
    x, y = visitor.point(*HELSINKI)
    visitor.press(x, y)
    visitor.release()
    before = visitor.seen()
    visitor.drag((x, y), (x - 80, y - 60))
    visitor.wait_until(f"async (was) => (await ({CENTRE})())[0] !== was", before[0])
    assert server.pins() == []


def test_f04_a_pin_is_dragged_to_move_it(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open()
    expect(visitor.pin(pin_id)).to_be_visible()
    start, end = visitor.point(*HELSINKI), visitor.point(*NEAR)
    # A pin is taken by its head, and its point is what is moved; it goes along.
    seen = []
    with visitor.page.expect_response(re.compile("MovePin")) as told:
        visitor.drag((start[0], start[1] - 26), (end[0], end[1] - 26),
                     see=lambda: seen.append(visitor.pin(pin_id).bounding_box()))
    assert told.value.ok
    [box] = seen
    assert box["x"] <= end[0] <= box["x"] + box["width"] and box["y"] <= end[1] - 26 <= box["y"] + box["height"]
    [pin] = server.pins()
    assert pin["position"]["latitude"] == pytest.approx(NEAR[0], abs=0.0003)
    assert pin["position"]["longitude"] == pytest.approx(NEAR[1], abs=0.0003)
    expect(visitor.pin(pin_id)).to_have_attribute("data-state", "ready")


# The colour of a pin, and what is drawn in its middle: one that is searched for is a drawing that turns, others are one
# picture each.
LOOK = """(body) => {
    const drop = body.querySelector(".pin-drop");
    if (drop) return [getComputedStyle(drop).fill, body.querySelector("use").getAttribute("href")];
    const picture = decodeURIComponent(getComputedStyle(body).backgroundImage);
    return [/<path d="M17[^>]* fill=.?"([^"\\\\]+)/.exec(picture)[1], /<g .*<.g>/.exec(picture)[0]];
}"""


def test_f05_a_pin_turns_from_red_to_purple_to_green(server, visitor):
    visitor.open()
    with server.halted("photos"):
        with server.halted("places"):
            visitor.hold(*HELSINKI)
            visitor.settle()
            [pin] = server.pins()
            marker = visitor.pin(pin["id"])
            expect(marker).to_have_attribute("data-state", "new")
            # Never by colour alone: the mark inside is another one, and so is what a screen reader says.
            expect(marker).to_have_attribute("aria-label", re.compile("Searching"))
            looks = [marker.locator(".pin-body").evaluate(LOOK)]
        expect(marker).to_have_attribute("data-state", "partial")
        expect(marker).to_have_attribute("aria-label", re.compile("Filling"))
        looks.append(marker.locator(".pin-body").evaluate(LOOK))
    expect(marker).to_have_attribute("data-state", "ready")
    looks.append(marker.locator(".pin-body").evaluate(LOOK))
    assert all(len(set(kinds)) == 3 for kinds in zip(*looks)), looks


def test_f06_a_tap_opens_the_callout_with_its_counts(server, visitor):
    pin_id = server.filled(*HELSINKI, name="Esplanadi")
    [pin] = server.pins()
    visitor.open().tap_pin(pin_id)
    callout = visitor.callout()
    expect(callout.get_by_role("heading")).to_have_text("Esplanadi")
    expect(callout).to_contain_text("Complete")
    expect(callout).to_contain_text(f"{pin['placeCount']:,} places")
    expect(callout).to_contain_text(f"{pin['album']['photoCount']} photos")
    expect(callout.locator("img.there")).to_have_count(4)


def test_f06_an_answer_that_comes_late_does_not_replace_the_newer_one(visitor):
    asked = []

    def answer(route, photo_count):
        route.fulfill(json={"photos": [{"id": f"folder/{number}"} for number in range(photo_count)]})

    def hold_the_first(route):
        asked.append(route)
        if len(asked) > 1:
            answer(route, 3)

    visitor.page.route("**/*GetAlbum", hold_the_first)
    page = visitor.open().page
    page.evaluate("""async () => {
        const { showCover } = await import("/modules/photos/cover.js");
        const pin = (photoCount) => ({ id: "some", album: { photoCount } });
        window.box = document.createElement("div");
        window.older = showCover(window.box, pin(1), 4);
        await showCover(window.box, pin(3), 4);
    }""")
    answer(asked[0], 1)
    page.evaluate("window.older")
    assert page.evaluate("window.box.children.length") == 3


def test_f06_pictures_come_into_their_frames_in_any_order(visitor):
    states = ["PHOTO_STATE_READY", "PHOTO_STATE_WAITING"]
    visitor.page.route("**/*GetAlbum", lambda route: route.fulfill(
        json={"photos": [{"id": "a/b", "state": states.pop()}]}))
    waiting = visitor.open().page.evaluate("""async () => {
        const { showCover } = await import("/modules/photos/cover.js");
        const box = document.createElement("div");
        const waiting = [];
        for (const readyCount of [4, 5]) {
            await showCover(box, { id: "some", album: { photoCount: 24, readyCount } }, 4);
            waiting.push(box.querySelectorAll(".waiting").length);
        }
        return waiting;
    }""")
    assert waiting == [1, 0]


def test_f06_b4_the_callout_tells_what_was_cut_and_calls_it_no_fault(server, visitor):
    pin_id = server.filled(*HELSINKI, radius=900)
    visitor.open().tap_pin(pin_id)
    expect(visitor.callout().locator(".fault")).to_have_count(0)
    expect(visitor.callout().locator(".callout-note")).to_have_text("Catalog: the nearest 1,000 are shown")


def test_f07_one_end_of_the_callout_opens_the_places(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open().tap_pin(pin_id)
    visitor.tap(visitor.callout().get_by_role("button", name="Places"))
    expect(visitor.panel()).to_have_attribute("aria-label", "Places")
    expect(visitor.page).to_have_url(re.compile(f"#/pin/{pin_id}/places"))


def test_f08_the_other_end_of_the_callout_deletes(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open().tap_pin(pin_id)
    delete = visitor.callout().locator(".delete")
    visitor.tap(delete)
    expect(delete).to_have_text("Sure?")
    assert len(server.pins()) == 1
    visitor.tap(delete)
    expect(visitor.pin(pin_id)).to_have_count(0)
    expect(visitor.callout()).to_have_count(0)
    visitor.confirm_deletion()
    assert server.pins() == []


def test_f09_the_map_shows_all_pins(server, visitor):
    for position in [HELSINKI, (48.8566, 2.3522), (64.1466, -21.9426)]:
        server.filled(*position, name="")
    visitor.open()
    visitor.tap(visitor.page.get_by_role("button", name="Show all pins"))
    expect(visitor.pins()).to_have_count(3)
    for pin in visitor.pins().all():
        expect(pin).to_be_in_viewport()


def test_f10_the_map_shows_all_places_of_a_pin(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.look_at(0, 0, 4)
    visitor.tap(visitor.page.get_by_role("button", name="Show all its places"))
    visitor.wait_until("async () => (await import('/modules/map/map.js')).map.getZoom() > 13")
    latitude, longitude, _ = visitor.seen()
    assert (latitude, longitude) == pytest.approx(HELSINKI, abs=0.004)


def test_f11_the_map_shows_where_one_is(visitor, context):
    context.grant_permissions(["geolocation"])
    context.set_geolocation({"latitude": 60.1712, "longitude": 24.9441, "accuracy": 30})
    visitor.open()
    visitor.tap(visitor.page.get_by_role("button", name="Where am I"))
    expect(visitor.page.locator(".here")).to_be_in_viewport()
    visitor.wait_until("async () => (await import('/modules/map/map.js')).map.getZoom() > 14")
    latitude, longitude, _ = visitor.seen()
    assert (latitude, longitude) == pytest.approx((60.1712, 24.9441), abs=0.002)


def test_f11_without_permission_it_says_so(visitor):
    visitor.open()
    visitor.tap(visitor.page.get_by_role("button", name="Where am I"))
    expect(visitor.notice("You have not allowed")).to_be_visible()


def test_f12_in_edit_mode_a_tap_deletes_and_a_line_says_so(server, visitor):
    kept, gone = server.filled(60.1712, 24.9420, name="Kept"), server.filled(*HELSINKI, name="Gone")
    visitor.open()
    edit = visitor.page.locator("#edit")
    visitor.tap(edit)
    line = visitor.page.locator("#banner")
    expect(line).to_contain_text("Tap a pin to delete it")
    visitor.tap_pin(gone)
    expect(visitor.pin(gone)).to_have_count(0)
    visitor.confirm_deletion()
    # Dropping a pin and editing end each other, so that no tap deletes while the line says something else.
    visitor.tap(visitor.page.get_by_role("button", name="Drop a pin"))
    expect(line).to_contain_text("Drop the pin")
    expect(edit).to_have_attribute("aria-pressed", "false")
    edit.press("Enter")
    expect(line).to_contain_text("Tap a pin to delete it")
    expect(visitor.page.locator(".aiming")).to_have_count(0)
    visitor.tap(line.get_by_role("button", name="Done"))
    expect(line).to_be_hidden()
    visitor.tap_pin(kept)
    expect(visitor.callout()).to_be_visible()
    assert [pin["id"] for pin in server.pins()] == [kept]


def test_f32_many_pins_become_clusters(server, visitor):
    for step in range(12):
        server.drop(60.1660 + step * 0.0006, 24.9430 + (step % 3) * 0.0008, name=f"Pin {step}", radius=50)
    visitor.open()
    visitor.look_at(60.17, 24.943, 10)
    cluster = visitor.page.locator(".cluster-icon")
    expect(cluster).to_have_count(1)
    expect(cluster).to_have_text("12")
    expect(cluster).to_have_attribute("aria-label", re.compile("12 pins"))
    visitor.tap(cluster)
    expect(visitor.page.locator(".cluster-icon, .pin").nth(1)).to_be_visible()


def test_v4_of_several_photos_a_favourite_stands_for_them_or_ones_own_if_it_has_a_picture(visitor):
    photos = [
        {"id": "commons/1", "smallUrl": "/a"}, {"id": "upload/2"}, {"id": "folder/3", "smallUrl": "/b"},
        {"id": "flickr/4", "smallUrl": "/c", "favourite": True},
    ]
    order = visitor.open().page.evaluate("""async (photos) => {
        const { bestFirst } = await import("/modules/photos/best.js");
        return bestFirst(photos).map(({ id }) => id);
    }""", photos)
    assert order == ["flickr/4", "folder/3", "commons/1", "upload/2"]
