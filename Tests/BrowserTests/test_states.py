"""What each view shows while it loads, is empty, or gets no answer; the numbers are those of review findings, the
states those of Docs/MapStates.md."""

import json
import re

import pytest
from playwright.sync_api import expect

from visitor import HELSINKI

EVENTS = re.compile(r"/events\?")
SEA = (59.9, 24.2)
NO_PLACES = "No places around here"
# It names an address of the inside, which no page may show.
PINS_ARE_GONE = {"code": "unavailable", "message": "pins at 10.9.8.7:7703 can't be reached"}


class Fault:
    """What some requests of a page meet until it is mended. Without an answer of its own they wait for that. The route
    stays: to take one away while a request is on it fails now and then."""

    def __init__(self, page, pattern, answer=None):
        self.answer, self.held, self.is_mended = answer or self.hold, [], False
        page.route(pattern, self.meet)

    def hold(self, route):
        self.held.append(route)

    def meet(self, route):
        if self.is_mended:
            route.continue_()
        else:
            self.answer(route)

    def mend(self):
        self.is_mended = True
        for route in self.held:
            route.continue_()


def refuse(route):
    """As if no server were listening."""
    route.abort("connectionrefused")


def heading(visitor, name):
    return visitor.page.get_by_role("heading", name=name)


def never_said(visitor, *texts):
    """From the next page on; returns a function that checks that none of these texts was shown, however shortly."""
    visitor.page.add_init_script("""addEventListener("DOMContentLoaded", () => {
        window.wasSaid = false;
        const look = () => { window.wasSaid ||= %s.some((text) => document.body.textContent.includes(text)); };
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    });""" % json.dumps(texts))
    return lambda: not visitor.page.evaluate("window.wasSaid")


def fail_watch(visitor, method, error):
    """The gateway is there, but the service behind a watch is not."""
    def answer(route):
        watches = re.findall(r"watch=waymark\.([\w.]+)%2F(\w+)", route.request.url)
        lines = [{"watch": index, "error": error} for index, (_, name) in enumerate(watches) if name == method]
        if not lines:
            return route.continue_()
        body = "".join(f"data: {json.dumps(line)}\n\n" for line in lines)
        return route.fulfill(content_type="text/event-stream", body=body)

    return Fault(visitor.page, EVENTS, answer)


def test_c1_no_places_is_not_said_while_they_load(server, visitor, context):
    pin_id = server.filled(*HELSINKI)
    was_never_said = never_said(visitor, NO_PLACES)
    visitor.open()
    fault = Fault(visitor.page, re.compile("WatchPin%3A"))
    visitor.page.goto(f"{server.address}/#/pin/{pin_id}/places")
    expect(visitor.page.locator(".skeleton").first).to_be_visible()
    # It is said when that takes longer than one likes.
    expect(visitor.panel().get_by_role("status")).to_contain_text("takes long to answer")
    fault.mend()
    expect(visitor.page.locator(".place").first).to_be_attached()
    expect(visitor.panel().get_by_role("status")).to_have_count(0)
    assert was_never_said()


def test_c1_no_places_is_not_said_while_only_a_part_has_come(server, visitor, context):
    pin_id = server.filled(*HELSINKI)
    [pin] = server.pins()
    was_never_said = never_said(visitor, NO_PLACES)
    part = {"watch": 1, "message": {"pin": pin, "version": "1"}}

    def answer(route):
        whole = {"watch": 0, "message": {"pins": [pin], "isWhole": True, "version": "1"}}
        body = "".join(f"data: {json.dumps(event)}\n\n" for event in (whole, part))
        route.fulfill(content_type="text/event-stream", body=body)

    visitor.page.route(re.compile("WatchPin%3A"), answer)
    visitor.page.goto(f"{server.address}/#/pin/{pin_id}/places")
    expect(visitor.panel()).to_have_attribute("aria-label", "Places")
    expect(visitor.page.locator(".skeleton").first).to_be_visible()
    visitor.wait_until("async () => document.getElementById('panel').querySelector('.tabs b').textContent !== ''")
    assert was_never_said()


@pytest.mark.parametrize("view", ["places", "album"])
def test_c1_a_view_without_a_gateway_says_so_and_keeps_its_buttons(server, visitor, watchman, view, context):
    watchman.tolerate("net::ERR_")
    pin_id = server.filled(*HELSINKI)
    was_never_said = never_said(visitor, NO_PLACES, "No images", "can't be shown")
    visitor.open()
    expect(visitor.pin(pin_id)).to_be_visible()
    # With the script of later pages, which comes with the first touch.
    visitor.page.evaluate("import('/modules/ground/later.js').then(({ laterPages }) => laterPages())")
    fault = Fault(visitor.page, "**/*", refuse)
    visitor.page.evaluate("(hash) => { location.hash = hash; }", f"#/pin/{pin_id}/{view}")
    expect(visitor.panel()).to_have_attribute("aria-label", re.compile(view, re.IGNORECASE))
    expect(visitor.panel().get_by_role("status")).to_contain_text("The server is not answering")
    # A button that is drawn only now has its drawing.
    visitor.tap(visitor.page.get_by_role("button", name="Light or dark"))
    visitor.tap(visitor.page.get_by_role("button", name="More", exact=True))
    for name in ("Light or dark", "Rename", "Delete the pin"):
        drawn = visitor.page.get_by_role("button", name=name).locator("use").evaluate("(use) => use.getBBox().width")
        assert drawn > 0, name
    fault.mend()
    expect(visitor.page.locator(".place, .tile").first).to_be_attached()
    expect(visitor.panel().get_by_role("status")).to_have_count(0)
    assert was_never_said()


def test_c1_the_list_of_pins_says_that_the_gateway_is_gone(server, visitor, watchman):
    watchman.tolerate("net::ERR_")
    server.drop(*HELSINKI)
    fault = Fault(visitor.page, re.compile(r"/events\?|/waymark\."), refuse)
    visitor.page.goto(server.address)
    expect(visitor.panel().get_by_role("status")).to_contain_text("The server is not answering")
    expect(heading(visitor, "Drop your first pin")).to_have_count(0)
    fault.mend()
    expect(visitor.pins()).to_have_count(1)
    expect(visitor.panel().get_by_role("status")).to_have_count(0)


def test_c1_the_list_of_pins_says_that_a_service_is_gone(server, visitor):
    server.drop(*HELSINKI)
    fault = fail_watch(visitor, "WatchPins", PINS_ARE_GONE)
    visitor.page.goto(server.address)
    expect(visitor.panel().get_by_role("status")).to_contain_text("Part of the server is not running")
    assert "10.9.8.7" not in visitor.page.content()
    fault.mend()
    expect(visitor.pins()).to_have_count(1)


def test_c1_the_places_say_that_a_service_is_gone(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open()
    fault = fail_watch(visitor, "WatchPin", PINS_ARE_GONE)
    visitor.page.goto(f"{server.address}/#/pin/{pin_id}/places")
    expect(visitor.panel().get_by_role("status")).to_contain_text("Part of the server is not running")
    fault.mend()
    expect(visitor.page.locator(".place").first).to_be_attached()


def test_c1_an_album_says_that_its_service_is_gone_and_comes_by_itself(server, visitor, watchman):
    watchman.tolerate("503 (Service Unavailable)")
    pin_id = server.filled(*HELSINKI)
    error = {"code": "unavailable", "message": "photos at 10.9.8.7:7703 can't be reached"}
    fault = Fault(visitor.page, "**/*OpenAlbum", lambda route: route.fulfill(status=503, json=error))
    visitor.page.goto(f"{server.address}/#/pin/{pin_id}/album")
    expect(visitor.panel().get_by_role("status")).to_contain_text("Part of the server is not running")
    assert "10.9.8.7" not in visitor.page.content()
    fault.mend()
    expect(visitor.page.locator(".tile").first).to_be_attached()


def test_c1_a_map_whose_last_place_is_not_told_can_be_used(server, visitor):
    fault = Fault(visitor.page, re.compile("GetMapRegion"))
    visitor.page.goto(server.address)
    expect(heading(visitor, "Drop your first pin")).to_be_attached()
    visitor.look_at(*HELSINKI, 15)
    visitor.hold(*HELSINKI)
    fault.mend()
    expect(visitor.page.locator("[aria-busy]")).to_have_count(0)
    # What a person has moved stays.
    assert visitor.seen()[2] == 15


def test_b3_a_pin_that_waits_for_the_server_says_so(server, visitor):
    visitor.open()
    fault = Fault(visitor.page, re.compile("CreatePin"))
    x, y = visitor.point(*HELSINKI)
    visitor.press(x, y)
    bar = visitor.page.locator("#banner-link.shown")
    expect(bar).to_contain_text("The server takes long to answer. 1 change waits for it.")
    visitor.release()
    fault.mend()
    expect(visitor.pins()).to_have_count(1)
    expect(bar).to_have_count(0)
    assert len(server.pins()) == 1


def test_c1_c13_where_nothing_is_known_it_says_what_would_bring_it(server, visitor):
    pin_id = server.filled(*SEA, radius=200)
    visitor.open(f"#/pin/{pin_id}/places")
    expect(heading(visitor, NO_PLACES)).to_be_visible()
    expect(visitor.panel()).to_contain_text("Catalog found no place within 200 m of this pin.")
    expect(visitor.panel()).to_contain_text("waymark import")
    # That is not called complete.
    expect(visitor.panel().locator(".state")).to_have_text("Nothing found")
    expect(visitor.pin(pin_id)).to_have_attribute("data-state", "bare")
    visitor.open(f"#/pin/{pin_id}/album")
    expect(heading(visitor, "No images")).to_be_visible()
    expect(visitor.panel()).to_contain_text("waymark up --pictures")


FAULTY = {"network": "openstreetmap", "state": "NETWORK_SEARCH_STATE_FAILED",
          "warning": "10.9.8.7:7703 is not there; it is asked again"}


@pytest.mark.parametrize("state, words", [
    ("NETWORK_SEARCH_STATE_FAILED", "OpenStreetMap did not answer"),
    ("NETWORK_SEARCH_STATE_RETRYING", "OpenStreetMap can't be reached just now"),
])
def test_b4_what_failed_is_told_without_an_address_of_the_inside(server, visitor, state, words):
    pin_id = server.filled(*HELSINKI)
    [pin] = server.pins()
    pin["searches"].append(FAULTY | {"state": state})
    whole = json.dumps({"watch": 0, "message": {"pins": [pin], "isWhole": True, "version": "1"}})
    visitor.page.route(EVENTS, lambda route: route.fulfill(
        content_type="text/event-stream", body=f"data: {whole}\n\n"))
    visitor.page.goto(f"{server.address}/#/pin/{pin_id}")
    expect(visitor.callout().locator(".fault")).to_contain_text(words)
    visitor.page.goto(f"{server.address}/#/pin/{pin_id}/places")
    expect(visitor.panel()).to_contain_text(words)
    assert "10.9.8.7" not in visitor.page.content()
    expect(visitor.panel().locator(".state")).to_have_text("Partly found")


INSIDES = [
    "127.0.0.1:36587 is not there", "photos at photos.internal:7703 time out", "[::1]:80 is not there",
    "no file at /var/lib/waymark/a.db", "http://overpass.example/api says no",
]
FOR_PEOPLE = ["The key is not accepted", "There are more photos; the nearest 1,000 were looked at"]


def test_b4_sentences_of_the_server_are_shown_when_they_are_for_people(modules):
    said = modules.evaluate("""async (texts) => {
        const { plain } = await import("/modules/ground/words.js");
        return texts.map((text) => plain(text[0].toLowerCase() + text.slice(1), "other"));
    }""", INSIDES + FOR_PEOPLE)
    assert said == ["other"] * len(INSIDES) + FOR_PEOPLE


def test_v11_a_field_says_why_it_is_refused_whatever_was_typed(modules):
    said = modules.evaluate("""async (texts) => {
        const { refusal } = await import("/modules/ground/words.js");
        return texts.map(([text, typed]) => refusal(text, typed));
    }""", [['"ftp://x" is not allowed; only http and https are', "ftp://x"], ["it has 3 letters; 8 are needed", "abc"]])
    assert said == ["This is not allowed; only http and https are", "It has 3 letters; 8 are needed"]


def with_pin(visitor, pin, **differs):
    """The page is told that of a pin, whatever is so."""
    whole = {"watch": 0, "message": {"pins": [pin | differs], "isWhole": True, "version": "1"}}
    body = f"data: {json.dumps(whole)}\n\n"
    Fault(visitor.page, EVENTS, lambda route: route.fulfill(content_type="text/event-stream", body=body))


def test_c1_photos_that_are_not_known_are_not_counted_and_not_complete(server, visitor):
    """It said "Complete" and "0 photos in its album" while the photo service was away."""
    server.filled(*HELSINKI)
    [pin] = server.pins()
    away = "the photo service can't be reached now; it is asked again"
    with_pin(visitor, pin, album={"state": "ALBUM_STATE_FAILED"}, photoWarning=away)
    page = visitor.open().page
    expect(visitor.pin(pin["id"])).to_have_attribute("data-state", "gaps")
    expect(page.locator(".pin-row")).to_contain_text("its photos are not known yet")
    visitor.tap_pin(pin["id"])
    expect(visitor.callout()).to_contain_text("A source of photos did not answer")
    expect(visitor.callout()).to_contain_text(away)


def test_c1_an_album_without_its_sources_is_not_called_empty(server, visitor, watchman, context):
    watchman.tolerate("net::ERR_")
    pin_id = server.filled(*SEA, radius=200)

    def answer(route):
        album = {"subject": f"pin/{pin_id}", "summary": {"state": "ALBUM_STATE_EMPTY"}, "collection": 1, "version": "1",
                 "warning": "commons: it fails (503); panoramax: it fails (500)"}
        route.fulfill(json={"album": album})

    Fault(visitor.page, re.compile("OpenAlbum"), answer)
    Fault(visitor.page, re.compile("WatchAlbum"), refuse)
    was_never_said = never_said(visitor, "No images", "No source of photos has one")
    page = visitor.page
    page.goto(f"{server.address}/#/pin/{pin_id}/album", wait_until="domcontentloaded")
    expect(heading(visitor, "No photos so far")).to_be_attached()
    expect(visitor.panel()).to_contain_text("Wikimedia Commons: it fails (503); Panoramax: it fails (500)")
    assert was_never_said()


def test_c1_a_search_that_is_asked_again_says_so(server, visitor, watchman):
    watchman.tolerate("net::ERR_")
    pin_id = server.filled(*SEA, radius=200)
    [pin] = server.pins()
    retrying = {"network": "openstreetmap", "state": "NETWORK_SEARCH_STATE_RETRYING", "warning": "it fails (500)"}
    told = {"pin": pin | {"state": "PIN_STATE_FAILED", "searches": [retrying]}, "version": "1"}

    def answer(route):
        watches = re.findall(r"watch=waymark\.[\w.]+%2F(\w+)", route.request.url)
        messages = {"WatchPins": {"pins": [told["pin"]], "isWhole": True, "version": "1"},
                    "WatchPin": told | {"isWhole": True, "placeCount": 0}}
        events = [{"watch": index, "message": messages[name]} for index, name in enumerate(watches) if name in messages]
        body = "".join(f"data: {json.dumps(each)}\n\n" for each in events)
        route.fulfill(content_type="text/event-stream", body=body)

    Fault(visitor.page, EVENTS, answer)
    visitor.page.goto(f"{server.address}/#/pin/{pin_id}/places", wait_until="domcontentloaded")
    expect(heading(visitor, "The search failed")).to_be_attached()
    expect(visitor.panel()).to_contain_text("It is asked again by itself.")
    expect(visitor.panel()).not_to_contain_text("Move the pin")


def test_c1_a_part_that_is_away_is_not_the_server(server, visitor, watchman):
    watchman.tolerate("503 (Service Unavailable)")
    pin_id = server.filled(*HELSINKI)
    body = {"code": "unavailable", "message": "the photo service can't be reached"}
    fault = Fault(visitor.page, re.compile("OpenAlbum"), lambda route: route.fulfill(status=503, json=body))
    visitor.page.goto(f"{server.address}/#/pin/{pin_id}/album", wait_until="domcontentloaded")
    bar = visitor.page.locator("#banner-link.shown")
    expect(bar).to_contain_text("Part of the server is not running.")
    fault.mend()
    expect(bar).to_have_count(0)
