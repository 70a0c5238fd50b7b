"""What holds on every page; the numbers are those of Docs/Flows.md."""

import base64
import hashlib
import os
import re
import signal
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import PLAIN_ADDRESS
from server import PrivateGateway
from visitor import HELSINKI, Visitor


def test_f33_everything_is_reached_by_keyboard(server, visitor):
    page = visitor.open().page
    visitor.look_at(*HELSINKI, 16)
    # A pin is dropped …
    page.locator("#map").focus()
    page.keyboard.press("n")
    expect(page.locator("#banner")).to_contain_text("Drop the pin")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(visitor.callout()).to_be_visible()
    visitor.settle()
    [pin] = server.pins()
    # … its callout opened, and its places …
    page.keyboard.press("Escape")
    expect(visitor.callout()).to_have_count(0)
    visitor.pin(pin["id"]).focus()
    page.keyboard.press("Enter")
    expect(visitor.callout()).to_be_visible()
    expect(visitor.callout().get_by_role("button", name="Places")).to_be_focused()
    page.keyboard.press("Enter")
    expect(visitor.panel()).to_have_attribute("aria-label", "Places")
    # … it is moved …
    page.get_by_role("button", name="More", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Rename")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="More", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Move", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#banner")).to_contain_text("Put it here")
    page.keyboard.press("ArrowDown")
    with page.expect_response(re.compile("MovePin")):
        page.keyboard.press("Enter")
    # … and everything is left again.
    page.keyboard.press("Escape")
    expect(visitor.callout()).to_be_visible()
    page.keyboard.press("Escape")
    expect(visitor.callout()).to_have_count(0)


def test_f33_what_has_the_focus_is_seen_and_has_a_name(server, visitor):
    server.filled(*HELSINKI)
    page = visitor.open().page
    expect(visitor.pins()).to_have_count(1)
    seen = []
    page.evaluate("document.body.focus()")
    for _ in range(12):
        page.keyboard.press("Tab")
        # The ring is drawn with the next frame.
        seen.append(page.wait_for_function("""() => {
            const focused = document.activeElement;
            const style = getComputedStyle(focused);
            const body = focused.querySelector(".pin-body");
            const bar = focused.closest(".search-bar");
            const ring = style.outlineStyle !== "none" || (body && getComputedStyle(body).filter !== "none")
                || (bar && getComputedStyle(bar).boxShadow.includes("2.5px"));
            return ring && (focused.getAttribute("aria-label") ?? focused.textContent);
        }""").json_value())
    assert len(set(seen)) > 8, seen


@pytest.mark.both
def test_f34_nothing_is_wider_than_the_screen(server, visitor):
    pin_id = server.filled(*HELSINKI)
    for place in ("#/", f"#/pin/{pin_id}", f"#/pin/{pin_id}/places", f"#/pin/{pin_id}/album"):
        visitor.open(place)
        width = visitor.page.evaluate("document.documentElement.clientWidth")
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
        box = visitor.panel().bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
    if visitor.is_phone:
        # The sheet is below the map, and pulled up it leaves a strip of it.
        assert box["width"] == width
        visitor.raise_panel()
        visitor.page.wait_for_function("() => document.getElementById('panel').offsetHeight > innerHeight * 0.8")
        assert visitor.panel().bounding_box()["y"] >= 40
        for key, is_so in (("Space", "< innerHeight * 0.3"), ("Enter", "> innerHeight * 0.4")):
            visitor.page.locator(".grip").press(key)
            visitor.page.wait_for_function(f"() => document.getElementById('panel').offsetHeight {is_so}")


def test_f38_the_page_finds_back_by_itself_after_the_gateway_was_killed(server, visitor, watchman):
    if server.address.startswith("https:"):
        pytest.skip("the gateway that answers by https is another one, which is not started again")
    # However the browser words that the server did not answer.
    watchman.tolerate("net::ERR_")
    kept = server.filled(*HELSINKI, name="Before")
    visitor.open()
    expect(visitor.pin(kept)).to_be_visible()
    visitor.page.evaluate("""() => {
        window.barWasShown = false;
        new MutationObserver(() => {
            window.barWasShown ||= document.querySelector("#banner-link.shown") !== null;
        }).observe(document.body, { subtree: true, childList: true, attributes: true });
    }""")
    x, y = visitor.point(60.1705, 24.9400)
    os.kill(server.gateway_pid(), signal.SIGKILL)
    # A pin dropped just then arrives, once.
    visitor.press(x, y)
    expect(visitor.pins()).to_have_count(2)
    visitor.release()
    visitor.settle()
    assert len(server.pins()) == 2
    # And what others do is seen again.
    added = server.drop(60.1720, 24.9460, name="After")
    expect(visitor.pin(added)).to_have_attribute("data-state", "ready")
    expect(visitor.page.locator("#banner-link.shown")).to_have_count(0)


def test_f38_the_bar_goes_with_any_answer(server, visitor, watchman):
    watchman.tolerate("503 (Service Unavailable)", "404 (Not Found)")
    pin_id = server.drop(*HELSINKI)
    visitor.open().tap_pin(pin_id)
    answers = [(503, "unavailable")]

    def refuse(route):
        status, code = answers[-1]
        route.fulfill(status=status, json={"code": code})

    visitor.page.route("**/*DeletePin", refuse)
    delete = visitor.callout().locator(".delete")
    visitor.tap(delete)
    visitor.tap(delete)
    visitor.tap(visitor.notice("is deleted").get_by_role("button", name="Close"))
    bar = visitor.page.locator("#banner-link.shown")
    expect(bar).to_contain_text("1 change waits for it")
    answers.append((404, "not_found"))
    expect(bar).to_have_count(0)
    expect(visitor.pins()).to_have_count(0)


def test_f39_light_and_dark(visitor):
    page = visitor.open().page
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    visitor.tap(page.get_by_role("button", name="Light or dark"))
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    visitor.open()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark", "the choice is kept"


def test_f41_a_private_server_asks_for_its_token(server, tmp_path, context, watchman, size):
    server.clear()
    watchman.tolerate("401 (Unauthorized)", "502 (Bad Gateway)")
    own = PrivateGateway(server, tmp_path, ["an-old-token-of-this-test", "the-right-one-for-this-test"])
    try:
        watchman.server = own
        visitor = Visitor(context.new_page(), own.address, size == "phone")
        visitor.page.goto(f"{own.address}/")
        # The list behind it is not empty, and the server is not away.
        expect(visitor.page.locator(".waits").first).to_contain_text("Log in to see this.")
        field, outcome = visitor.use_token("a wrong one"), visitor.page.locator(".form-outcome")
        expect(outcome).to_have_text("That is not the token.")
        field.fill("the-right-one-for-this-test")
        # As where a cookie for https comes to a plain address: the browser drops it.
        visitor.page.route("**/session", lambda route: route.fulfill(status=204), times=1)
        visitor.tap(visitor.page.get_by_role("button", name="Open the map"))
        expect(outcome).to_contain_text("keeps no cookie")
        visitor.tap(visitor.page.get_by_role("button", name="Open the map"))
        expect(field).to_have_count(0)
        expect(visitor.page.locator(".skeleton")).to_have_count(0)
        visitor.look_at(*HELSINKI, 15)
        visitor.hold(*HELSINKI)
        # The page asks for it once only.
        visitor.open()
        expect(visitor.pins()).to_have_count(1)
        # Until it isn't known any more, also when something in between said first that the server was away.
        context.clear_cookies()
        away = re.compile("/events|GetProfile")
        visitor.page.route(away, lambda route: route.fulfill(status=502), times=2)
        visitor.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(visitor.page.get_by_role("heading", name="Log in again")).to_be_visible()
        visitor.page.close()
    finally:
        own.stop()


SECRET = "AAAAAAAAAAAAAAAAAAAAAA"


def login_link(folder, token, secret=SECRET):
    """A link as `waymark login-link` makes it: a file named by the digest of its secret, good for ten minutes."""
    links = Path(folder, "links")
    links.mkdir(mode=0o700, exist_ok=True)
    name = base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()).decode().rstrip("=")
    (links / name).write_text(f"{int(time.time() * 1000) + 599_000}\n{token}\n")
    return f"#/login/{secret}"


def test_f41_a_link_logs_in_once_and_is_forgotten(server, tmp_path, context, watchman, size):
    server.clear()
    watchman.tolerate("401 (Unauthorized)")
    own = PrivateGateway(server, tmp_path, ["the-right-one-for-this-test"])
    try:
        watchman.server = own
        visitor = Visitor(context.new_page(), own.address, size == "phone")
        asked = []
        visitor.page.on("request", lambda request: asked.append(request.url + str(request.headers)))
        field = visitor.page.locator("dialog.login")
        visitor.page.goto(f"{own.address}/{login_link(tmp_path, 'the-right-one-for-this-test')}")
        expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
        expect(field).to_have_count(0)
        assert visitor.page.evaluate("location.hash") == "#/"
        assert visitor.page.evaluate("history.length") <= 2
        # It is in no address and no header that anybody gets, and in no cookie.
        assert asked and not [line for line in asked if SECRET in line]
        assert SECRET not in str(context.cookies())
        visitor.page.reload()
        expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
        expect(field).to_have_count(0)
        # Where one is logged in already a spent link does no harm, also when it is opened in the open map.
        # It loads itself again. A page that is closed at that moment sometimes never is.
        with visitor.page.expect_event("load"):
            visitor.page.goto(f"{own.address}/#/login/{SECRET}")
        expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
        expect(visitor.page).to_have_url(f"{own.address}/#/")
        expect(field).to_have_count(0)
        visitor.page.close()
        # Elsewhere it is spent.
        context.clear_cookies()
        visitor = Visitor(context.new_page(), own.address, size == "phone")
        visitor.page.goto(f"{own.address}/#/login/{SECRET}")
        outcome = visitor.page.locator(".form-outcome")
        expect(outcome).to_contain_text("This link was used, or is older than ten minutes")
        assert visitor.page.evaluate("location.hash") == "#/"
        visitor.use_token("the-right-one-for-this-test")
        expect(visitor.page.locator("dialog.login")).to_have_count(0)
        expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
        visitor.page.close()
    finally:
        own.stop()


@pytest.mark.both
def test_f42_c6_an_empty_map_says_how_to_begin(server, visitor):
    visitor.open()
    # All of it can be seen without pulling anything up.
    expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_in_viewport(ratio=1)
    expect(visitor.page.get_by_text("Press and hold")).to_be_in_viewport(ratio=1)
    start = visitor.page.get_by_role("button", name="Start in Helsinki")
    expect(start).to_be_in_viewport(ratio=1)
    # With the first pin the sheet makes room for it.
    pin_id = server.drop(*HELSINKI)
    expect(start).to_have_count(0)
    if visitor.is_phone:
        visitor.page.wait_for_function("() => document.getElementById('panel').offsetHeight < 160")
    server.call("waymark.pins.v1.PinService/DeletePin", {"id": pin_id})
    visitor.tap(start)
    visitor.wait_until("async () => (await import('/modules/map/map.js')).map.getZoom() === 16")


@pytest.mark.parametrize("link", ["#/pin/00000000-0000-7000-8000-000000000000/places", "#/pin/%E0%A4%A/x"])
def test_f37_a_link_to_nothing_leads_to_the_map(visitor, link):
    visitor.open(link)
    expect(visitor.panel()).to_have_attribute("aria-label", "Pins")


def test_f44_a_page_at_a_plain_address_can_change_things_too(server, visitor, watchman):
    if server.address.startswith("https:"):
        pytest.skip("by https no address is plain")
    visitor.address = server.address.replace("127.0.0.1", PLAIN_ADDRESS)
    watchman.server = visitor
    visitor.open()
    assert not visitor.page.evaluate("isSecureContext")
    visitor.hold(*HELSINKI)
    visitor.settle()
    assert len(server.pins()) == 1
    visitor.tap(visitor.page.get_by_role("button", name="Where am I"))
    expect(visitor.notice("only over https")).to_be_visible()


def test_f45_what_others_do_is_seen_however_much_is_watched(server, visitor):
    pin_id = server.filled(*HELSINKI)
    page = visitor.open().page
    with page.expect_response(re.compile("/events.*WatchAlbum")) as stream:
        page.evaluate("""async (subject) => {
            const { watch } = await import("/modules/server/events.js");
            const follow = (subject, take) => watch("photos.v1.PhotoService/WatchAlbum", { subject }, take);
            // Of pins that may still come.
            window.stops = Array.from({ length: 40 }, (_, number) => follow(`pin/to-come-${number}`, () => {}));
            follow(subject, () => { window.wasTold = true; });
        }""", f"pin/{pin_id}")
    assert stream.value.ok
    added = server.drop(60.1720, 24.9460, name="Added")
    expect(visitor.pin(added)).to_be_visible()
    # What had to wait has its turn when others end.
    page.evaluate("window.stops.forEach((stop) => stop())")
    visitor.wait_until("async () => window.wasTold")


def test_f45_a_hidden_page_holds_no_stream_and_catches_up(server, visitor):
    page = visitor.open().page
    turn = """(isHidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with page.expect_event("requestfailed", lambda request: "/events?" in request.url):
        page.evaluate(turn, True)
    added = server.drop(*HELSINKI)
    page.evaluate(turn, False)
    expect(visitor.pin(added)).to_be_visible()


def test_f45_a_watch_that_failed_is_begun_again(server, visitor):
    pin_id = server.drop(*HELSINKI)
    failed = 'data: {"watch": 0, "error": {"code": "internal", "message": "the disk is full"}}\n\n'
    visitor.page.route(
        re.compile(r"/events\?"), lambda route: route.fulfill(content_type="text/event-stream", body=failed), times=1)
    visitor.open()
    expect(visitor.pin(pin_id)).to_be_visible()
