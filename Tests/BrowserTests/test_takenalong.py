"""P69, F92 A part of the map is taken along, and is there when there is no network."""

import pytest
from playwright.sync_api import expect

from conftest import SIZES, Watchman, picture
from test_access import violations
from test_tiles import HAS_NAMES
from visitor import HELSINKI, PATIENCE_MS, Visitor

CONTROLLED = "async () => navigator.serviceWorker.controller !== null"
FULL = """() => {
    window.put = Cache.prototype.put;
    Cache.prototype.put = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
}"""
STORES = "async () => (await caches.keys()).filter((name) => name.startsWith('waymark-taken-')).length"


@pytest.fixture(scope="module")
def server(city):
    return city


@pytest.fixture
def guest(browser, server, size):
    """A visitor whose browser has a service worker, at a pin's place and close to it."""
    server.clear()
    watchman = Watchman(server)
    watchman.tolerate("net::ERR_", "Failed to load resource", "the base map is not there", "when fetching the script")
    context = browser.new_context(**SIZES[size], reduced_motion="reduce", locale="en", service_workers="allow")
    context.set_default_timeout(PATIENCE_MS)
    watchman.look_after(context)
    guest = Visitor(context.new_page(), server.address, size == "phone")
    guest.pin_id = server.filled(*HELSINKI, name="Harbour")
    guest.open()
    guest.look_at(*HELSINKI, 15)
    guest.wait_until(CONTROLLED)
    yield guest
    context.close()
    assert watchman.unexpected() == []


def offer(guest):
    """What is said of how much the map shows, with the button that takes it."""
    guest.tap(guest.page.get_by_role("button", name="Show places and photos"))
    guest.tap(guest.page.get_by_role("button", name="Take this area along"))
    taken = guest.page.locator(".taken")
    expect(taken).to_contain_text("pieces of the map")
    return taken


def test_f92_what_the_map_shows_is_taken_along_until_it_is_removed(server, guest):
    page = guest.page
    taken = offer(guest)
    expect(taken.get_by_role("status")).to_contain_text("1 pin")
    guest.raise_panel()
    picture(page, "f92-offer")
    guest.tap(taken.get_by_role("button", name="Take along", exact=True))
    row = taken.locator("li")
    expect(row.get_by_role("button", name="Remove")).to_be_visible()
    expect(row).not_to_contain_text("What has come stays")
    expect(row).to_contain_text("kB")
    row.scroll_into_view_if_needed()
    picture(page, "f92-taken")
    assert violations(page) == []
    # Nothing of this was looked at: neither the streets that close, nor the pin's places, nor its photos.
    page.context.set_offline(True)
    page.goto(f"{guest.address}/#/pin/{guest.pin_id}/album", wait_until="domcontentloaded")
    page.reload(wait_until="domcontentloaded")
    guest.raise_panel()
    expect(page.locator("#banner-link")).to_contain_text("You are offline")
    expect(page.locator(".tile img.there").first).to_be_attached()
    assert page.locator(".tile img.there").count() > 1
    picture(page, "f92-album-offline")
    page.evaluate(f"location.hash = '#/pin/{guest.pin_id}/places'")
    expect(page.locator(".place img.there").first).to_be_attached()
    field = page.locator("#search [role=combobox]")
    field.fill("svenska t")
    expect(page.locator(".found-pin", has_text="Svenska Teatern")).to_be_visible()
    field.fill("")
    guest.look_at(*HELSINKI, 17)
    guest.wait_drawn(HAS_NAMES, [17, ["Mannerheimintie"]])
    picture(page, "f92-offline")
    page.evaluate("location.hash = '#/settings'")
    guest.raise_panel()
    guest.tap(row.get_by_role("button", name="Remove"))
    expect(row).to_have_count(0)
    assert page.evaluate(STORES) == 0


def test_f92_what_ends_it_is_said_and_the_rest_is_taken_later(server, guest):
    page = guest.page
    taken = offer(guest)
    guest.raise_panel()
    row = taken.locator("li").last
    take = taken.get_by_role("button", name="Take along", exact=True)
    rest = row.get_by_role("button", name="Take the rest")
    with server.halted("gateway"):
        guest.tap(take)
        guest.tap(row.get_by_role("button", name="Stop"))
        expect(row).to_contain_text("It was stopped. What has come stays.")
    page.evaluate(FULL)
    guest.tap(rest)
    expect(row).to_contain_text("This browser has no more room. What has come stays.")
    picture(page, "f92-no-room")
    page.evaluate("() => { Cache.prototype.put = put; }")
    guest.tap(rest)
    expect(rest).to_have_count(0)
    expect(row.get_by_role("button", name="Remove")).to_be_visible()
    # Of this the browser has nothing yet.
    guest.look_at(-33.87, 151.21, 15)
    guest.tap(taken.get_by_role("button", name="Take along what the map shows"))
    expect(take).to_be_visible()
    page.context.set_offline(True)
    guest.tap(take)
    expect(taken.locator("li").first).to_contain_text("The server is not answering. What has come stays.")
    page.context.set_offline(False)
    # Who comes after finds nothing of it.
    page.evaluate("async () => (await import('/modules/server/session.js')).leave()")
    assert page.evaluate(STORES) == 0
