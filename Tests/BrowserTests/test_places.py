"""The places of a pin; the numbers are those of Docs/Flows.md."""

import re

from playwright.sync_api import expect

from conftest import picture
from server import PINS
from visitor import HELSINKI, quoted

CHOSEN = ".place[aria-current]"
# A row that comes into view opens its place's album; where the pin is deleted first, that is answered with a 404.
ALBUM_THAT_WENT = "404 (Not Found) ({}/waymark.photos.v1.PhotoService/OpenAlbum)"


def places_with_photos(server, pin_id):
    request = {"id": pin_id, "pageSize": 1000, "withPhotos": True}
    return server.call(f"{PINS}/ListPinPlaces", request)["places"]


def tap_dot(visitor, place):
    """The dots are drawn on a canvas; they are tapped by where they are."""
    position = place["position"]
    x, y = visitor.point(position["latitude"], position["longitude"])
    if visitor.is_phone:
        visitor.page.touchscreen.tap(x, y)
    else:
        visitor.page.mouse.click(x, y)


def scroll_to(visitor, index):
    """That row of the list."""
    row = visitor.page.locator(".place").nth(index)
    row.evaluate("(row) => row.scrollIntoView({ block: 'start', behavior: 'instant' })")
    return row


def test_f13_a_tap_on_a_place_scrolls_to_its_photos(server, visitor):
    pin_id = server.filled(*HELSINKI)
    place = places_with_photos(server, pin_id)[6]
    visitor.open(f"#/pin/{pin_id}/places")
    row = visitor.page.locator(f".place[data-place='{place['id']}']")
    expect(row).to_have_count(1)
    # Close enough that no other dot lies on it.
    visitor.look_at(place["position"]["latitude"], place["position"]["longitude"], 18)
    tap_dot(visitor, place)
    expect(row).to_have_attribute("aria-current", "true")
    expect(row).to_be_in_viewport()
    expect(row.locator("img.there").first).to_be_in_viewport()
    expect(visitor.page.locator(".place-flag")).to_have_text(place["name"])


def test_f14_scrolling_selects_the_place_on_the_map(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.raise_panel()
    names = []
    for index in (2, 5):
        row = scroll_to(visitor, index)
        expect(row).to_have_attribute("aria-current", "true")
        expect(visitor.page.locator(CHOSEN)).to_have_count(1)
        expect(visitor.page.locator(".place-flag")).to_have_text(row.locator(".row-name").inner_text())
        names.append(visitor.page.locator(".place-flag").inner_text())
        expect(visitor.page).to_have_url(re.compile(re.escape(quoted(row.get_attribute("data-place"))) + "$"))
    assert len(set(names)) == 2
    # A browser takes only so many addresses in a while; the list stays where it is scrolled all the same.
    visitor.page.evaluate("() => { history.replaceState = () => { throw new DOMException('', 'SecurityError'); }; }")
    scroll_to(visitor, 3)
    expect(visitor.page.locator(".place").nth(3)).to_have_attribute("aria-current", "true")


def test_f14_a_place_is_followed_while_its_row_is_seen(server, visitor):
    pin_id = server.filled(*HELSINKI)
    place = places_with_photos(server, pin_id)[0]
    # Albums that are never full.
    filling = {"album": {"summary": {"state": "ALBUM_STATE_DOWNLOADING"}}}
    visitor.page.route("**/*OpenAlbum", lambda route: route.fulfill(json=filling))

    def pass_on_without_albums(route):
        route.continue_(url=re.sub("&watch=[^&]*WatchAlbum[^&]*", "", route.request.url))

    visitor.page.route(re.compile("WatchAlbum"), pass_on_without_albums)

    def stream(follows):
        return lambda request: "/events?" in request.url and (quoted(place["id"] + '"') in request.url) == follows

    with visitor.page.expect_request(stream(follows=True)):
        visitor.open(f"#/pin/{pin_id}/places")
    visitor.raise_panel()
    with visitor.page.expect_request(stream(follows=False)):
        scroll_to(visitor, -1)
    with visitor.page.expect_request(stream(follows=True)):
        scroll_to(visitor, 0)


def test_f15_places_are_filtered_by_photos(server, visitor):
    pin_id = server.filled(*HELSINKI)
    pictured = places_with_photos(server, pin_id)
    [pin] = server.pins()
    visitor.open(f"#/pin/{pin_id}/places")
    rows = visitor.page.locator(".place")
    expect(rows).to_have_count(len(pictured))
    visitor.tap(visitor.page.get_by_role("button", name=re.compile("^All")))
    visitor.panel().get_by_role("button", name="and the like").press("Enter")
    expect(rows).to_have_count(pin["placeCount"])
    # Where all come from one, there is nothing to choose.
    expect(visitor.page.get_by_role("group", name="Only of")).to_be_hidden()


def test_f47_c12_a_place_tells_hours_phone_and_website(server, visitor):
    pin_id = server.filled(*HELSINKI)
    request = {"centre": dict(zip(("latitude", "longitude"), HELSINKI)), "radiusM": 250, "limit": 200}
    places = server.call("waymark.places.v1.PlacesService/Nearby", request)["places"]
    told = [(place, {fact["key"]: fact["value"] for fact in place.get("attributes", [])}) for place in places]
    place, facts = next((place, facts) for place, facts in told if {"opening_hours", "phone", "website"} <= set(facts))
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.tap(visitor.page.get_by_role("button", name=re.compile("^All")))
    row = visitor.page.locator(f".place[data-place='{place['id']}']")
    expect(row.locator(".place-facts")).to_be_hidden()
    row.locator(".place-head").press("Enter")
    expect(row.locator(".hours")).to_be_visible()
    expect(row.locator("a[href^='tel:']")).to_have_text(facts["phone"].split(";")[0])
    link = row.locator(".place-facts a[target]")
    assert link.get_attribute("href").startswith(("http://", "https://"))
    assert "noopener" in link.get_attribute("rel")
    # What came has moved the list, but chosen nothing else.
    expect(row).to_have_attribute("aria-current", "true")


def test_f47_c12_only_an_address_of_the_web_becomes_a_link(modules):
    texts = {
        "https://example.org/a": "https://example.org/a", "www.example.org": "https://www.example.org/",
        "http://example.org:8080": "http://example.org:8080/", "javascript:alert(1)": None, "JAVASCRIPT:alert(1)": None,
        "data:text/html,x": None, "file:///etc/passwd": None, "ftp://example.org": None,
        "https://me:secret@example.org": None, "not an address": None, "": None,
    }
    shown = modules.evaluate("""async (texts) => {
        const { webAddress } = await import("/modules/places/placefacts.js");
        return Object.fromEntries(texts.map((text) => [text, webAddress(text)?.href ?? null]));
    }""", list(texts))
    assert shown == texts


KINDS = {
    "public_transport/platform": "travel", "public_transport/stop_position": "travel", "office/business_park": "other",
    "Business Park": "other", "office/carparking": "other", "amenity/parking": "travel", "amenity/pub": "food",
    "shop/bakery": "food", "shop/carpet": "shop", "leisure/park": "green", "tourism/hotel": "other",
    "tourism/museum": "culture", "building/church": "culture", "amenity/fire_station": "other",
    "man_made/monitoring_station": "other", "Coffee Shop": "food", "Italian Restaurant": "food", "airport": "travel",
    "amenity/barber": "other", "place/square": "other", "": "other",
}


def test_c7_a_place_has_the_mark_of_what_it_is(modules):
    shown = modules.evaluate("""async (categories) => {
        const { kindOf } = await import("/modules/places/kinds.js");
        return Object.fromEntries(categories.map((category) => [category, kindOf({ categories: [category] })]));
    }""", list(KINDS))
    assert shown == KINDS
    # The first category that says what it is.
    two = """async () => (await import('/modules/places/kinds.js'))
        .kindOf({ categories: ['building', 'tourism/museum'] })"""
    assert modules.evaluate(two) == "culture"


def test_f17_the_pin_is_deleted_from_its_places(server, visitor, watchman):
    watchman.tolerate(ALBUM_THAT_WENT.format(server.address))
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.press_twice(visitor.in_menu("Delete the pin"), "Press again to delete the pin")
    expect(visitor.pin(pin_id)).to_have_count(0)
    expect(visitor.panel()).to_have_attribute("aria-label", "Pins")
    visitor.confirm_deletion()
    assert server.pins() == []


def test_f17_a_pin_that_is_deleted_elsewhere_leads_back_to_the_map(server, visitor, watchman):
    watchman.tolerate(ALBUM_THAT_WENT.format(server.address))
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/places")
    expect(visitor.pin(pin_id)).to_be_visible()
    server.call(f"{PINS}/DeletePin", {"id": pin_id})
    expect(visitor.pin(pin_id)).to_have_count(0)
    expect(visitor.panel()).to_have_attribute("aria-label", "Pins")


def test_f24_a_photo_of_a_place_is_viewed(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.raise_panel()
    # Of a place that was not chosen before.
    photo = visitor.page.locator(".place").nth(1).locator(".strip-photo").first
    expect(photo.locator("img.there")).to_be_visible()
    visitor.tap(photo)
    picture = visitor.page.locator("#viewer .large.there")
    expect(picture).to_be_visible()
    # Its link leads to it, too.
    visitor.page.reload()
    expect(picture).to_be_visible()
    visitor.tap(visitor.page.get_by_role("button", name="Close"))
    expect(visitor.page.locator("#viewer")).to_be_hidden()
    expect(visitor.panel()).to_have_attribute("aria-label", "Places")


def test_f36_a_pin_is_renamed(server, visitor):
    pin_id = server.filled(*HELSINKI, name="Before")
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.choose("Rename")
    field = visitor.page.get_by_label("Name of the pin")
    # Markup in a name is text, on the map as in the list.
    field.fill("<b>Where we met</b>")
    field.press("Enter")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("<b>Where we met</b>")
    expect(visitor.pin(pin_id)).to_contain_text("<b>Where we met</b>")
    visitor.settle()
    assert server.pins()[0]["name"] == "<b>Where we met</b>"


def test_f64_a_note_and_a_visit_are_kept_with_a_pin(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.raise_panel()
    visitor.tap(visitor.page.get_by_role("button", name="Add a note"))
    text = visitor.page.get_by_label("Note about the pin")
    expect(text).to_be_focused()
    text.fill("The <b>terrace</b> opens in May.\nBring coins.")
    visitor.page.get_by_label("Visited").fill("2026-05-04")
    picture(visitor.page, "f64-writing-a-note")
    visitor.tap(visitor.page.get_by_role("button", name="Save"))
    change = visitor.page.get_by_role("button", name="Change the note")
    expect(change).to_be_focused()
    note = visitor.page.locator(".pin-note")
    expect(note).to_contain_text("Visited May 4, 2026")
    expect(note).to_contain_text("The <b>terrace</b> opens in May.")
    picture(visitor.page, "f64-a-note")
    # It is there on the page of the album too, and after a reload.
    visitor.open(f"#/pin/{pin_id}/album")
    chip = visitor.page.locator(".pin-chips .chip").first
    expect(chip).to_contain_text("The <b>terrace</b> opens in May.")
    visitor.tap(chip)
    expect(note).to_contain_text("Bring coins.")
    visitor.tap(change)
    text.fill("")
    text.press("Escape")
    expect(note).to_contain_text("Bring coins.")
    visitor.tap(change)
    text.fill("")
    visitor.page.get_by_label("Visited").fill("")
    visitor.tap(visitor.page.get_by_role("button", name="Save"))
    expect(visitor.page.get_by_role("button", name="Add a note")).to_be_visible()
    visitor.settle()
    assert "hasNote" not in server.pins()[0]


def test_f64_what_was_typed_stays_when_it_cannot_be_kept(server, visitor, watchman):
    watchman.tolerate("status of 429")
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.raise_panel()
    visitor.tap(visitor.page.get_by_role("button", name="Add a note"))
    text = visitor.page.get_by_label("Note about the pin")
    text.fill("Bring coins.")
    method = "**/waymark.pins.v1.PinService/AnnotatePin"
    visitor.page.route(method, lambda route: route.fulfill(
        status=429, json={"code": "failed_precondition", "message": "the disk is full"}))
    visitor.tap(visitor.page.get_by_role("button", name="Save"))
    expect(visitor.page.locator("#notices")).to_contain_text("The note could not be kept.")
    expect(text).to_have_value("Bring coins.")
    visitor.page.unroute(method)
    visitor.tap(visitor.page.get_by_role("button", name="Save"))
    expect(visitor.page.locator(".pin-note")).to_contain_text("Bring coins.")


def test_f64_a_note_that_does_not_come_is_not_said_to_be_none(server, visitor, watchman):
    watchman.tolerate("status of 400")
    pin_id = server.filled(*HELSINKI)
    server.call(f"{PINS}/AnnotatePin", {"id": pin_id, "note": "Bring coins."})
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=400, json={"code": "failed_precondition", "message": "not now"})

    visitor.page.route("**/waymark.pins.v1.PinService/GetPin", refuse)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.raise_panel()
    note = visitor.page.locator(".pin-note")
    visitor.tap(visitor.page.locator(".pin-chips .chip").first)
    expect(note).to_contain_text("The note can't be shown now.")
    assert len(asked) == 1
    visitor.page.unroute("**/waymark.pins.v1.PinService/GetPin")
    server.call(f"{PINS}/AnnotatePin", {"id": pin_id, "note": "Bring many coins."})
    visitor.tap(note.get_by_role("button", name="Change the note"))
    expect(visitor.page.get_by_label("Note about the pin")).to_have_value("Bring many coins.")


def test_f37_reload_back_and_forward_lead_to_the_same_view(server, visitor):
    pin_id = server.filled(*HELSINKI)
    place = places_with_photos(server, pin_id)[3]
    visitor.open(f"#/pin/{pin_id}/places/{quoted(place['id'])}")
    row = visitor.page.locator(f".place[data-place='{place['id']}']")
    expect(row).to_have_attribute("aria-current", "true")
    visitor.open().tap_pin(pin_id)
    visitor.tap(visitor.callout().get_by_role("button", name="Places"))
    expect(visitor.panel()).to_have_attribute("aria-label", "Places")
    visitor.page.go_back()
    expect(visitor.callout()).to_be_visible()
    visitor.page.go_forward()
    expect(visitor.panel()).to_have_attribute("aria-label", "Places")
    visitor.page.reload()
    expect(visitor.panel()).to_have_attribute("aria-label", "Places")
