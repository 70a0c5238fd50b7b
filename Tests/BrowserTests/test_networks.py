"""P45 Networks of places and photos on the map; the numbers are those of Docs/Flows.md."""

import random
import re

import pytest
from playwright.sync_api import expect

from conftest import picture
from network_simulator import PLACES, NetworkSimulator
from server import PHOTOS, PrivateGateway, Server
from visitor import HELSINKI

OF_PLACES, OF_PHOTOS = "waymark.places.v1.PlacesService", "waymark.photos.v1.PhotoNetworkService"
SWITCHES = {
    "openstreetmap": f"{OF_PLACES}/SwitchNetwork", "commons": f"{OF_PHOTOS}/SwitchPhotoNetwork",
    "panoramax": f"{OF_PHOTOS}/SwitchPhotoNetwork",
}


@pytest.fixture(scope="module")
def simulator():
    simulator = NetworkSimulator()
    yield simulator
    simulator.stop()


@pytest.fixture(scope="module")
def server(simulator):
    """A system of its own, which asks the simulator and nobody else."""
    server = Server(**simulator.settings())
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def all_off(server):
    for network in SWITCHES:
        turn(server, network, False)


@pytest.fixture
def lonely():
    """Somewhere in the South Pacific, where nothing is known."""
    return random.uniform(-48, -40), random.uniform(-130, -115)


def turn(server, network, on):
    server.call(SWITCHES[network], {"network": network, "on": on})


def is_on(server, network):
    answers = [server.call(f"{OF_PLACES}/ListNetworks"), server.call(f"{OF_PHOTOS}/ListPhotoNetworks")]
    return any(each["name"] == network and each.get("on") for answer in answers for each in answer["networks"])


def chosen(server):
    """The networks that the open profile's searches ask."""
    settings = server.call("waymark.accounts.v1.SettingsService/GetSettings")["settings"]
    return SWITCHES if settings.get("allNetworks") else settings["networks"]


def card(visitor, network):
    return visitor.page.locator(f".network[data-network='{network}']")


def test_f49_networks_are_listed_and_switched(server, visitor):
    visitor.open()
    visitor.tap(visitor.page.get_by_role("button", name="Settings"))
    expect(visitor.page.get_by_role("heading", name="Networks")).to_be_visible()
    visitor.raise_panel()
    expect(visitor.page.locator(".network-note")).to_contain_text("never leaves this server: where exactly a pin is")
    commons = card(visitor, "commons")
    expect(commons).to_contain_text("Wikimedia Commons")
    expect(commons).to_contain_text("It learns which squares of the map")
    expect(card(visitor, "foursquare")).to_contain_text("It needs a key")
    expect(card(visitor, "foursquare").get_by_role("switch")).to_have_count(0)
    switch = commons.get_by_role("switch", name="Wikimedia Commons")
    expect(switch).to_have_attribute("aria-checked", "false")
    visitor.tap(switch)
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(commons).to_contain_text("of 5,000 requests left today")
    assert is_on(server, "commons")
    visitor.page.reload()
    expect(switch).to_have_attribute("aria-checked", "true")
    # By keyboard as well, and the switch keeps the focus. Others are still asked for it.
    switch.press("Enter")
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(switch).to_be_focused()
    assert is_on(server, "commons") and "commons" not in chosen(server)
    visitor.tap(commons.get_by_role("button", name="Switch off for everyone here"))
    expect(commons.get_by_role("button")).to_have_count(0)
    assert not is_on(server, "commons")
    visitor.tap(switch)
    expect(switch).to_have_attribute("aria-checked", "true")
    assert is_on(server, "commons") and "commons" in chosen(server)


def test_f49_who_is_no_administrator_sees_who_can(server, visitor, watchman, tmp_path):
    gateway = PrivateGateway(server, tmp_path, ["a-token-of-somebody user"])
    try:
        watchman.server = gateway
        # The gateway goes before the page.
        watchman.tolerate("401", "/events?watch", "net::ERR_")
        visitor.page.goto(f"{gateway.address}/#/settings")
        visitor.use_token("a-token-of-somebody")
        commons = card(visitor, "commons")
        expect(commons).to_contain_text("Off on this server: an administrator can switch it on.")
        visitor.tap(commons.get_by_role("switch"))
        expect(commons.get_by_role("switch")).to_have_attribute("aria-checked", "false")
        assert "commons" not in chosen(server) and not is_on(server, "commons")
        visitor.tap(commons.get_by_role("switch"))
        expect(commons.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    finally:
        gateway.stop()


def test_f49_a_list_that_does_not_come_says_why(server, visitor):
    with server.halted("photos"):
        visitor.page.goto(f"{visitor.address}/#/settings", wait_until="domcontentloaded")
        expect(visitor.page.locator("#panel .waits")).to_contain_text("takes long to answer")
        expect(visitor.page.locator(".network")).to_have_count(0)
    expect(card(visitor, "commons")).to_be_visible()


def test_f50_an_album_without_photos_offers_what_is_off_and_fills(server, simulator, visitor, lonely):
    pin = server.filled(*lonely, name="Lonely")
    visitor.open(f"#/pin/{pin}/album")
    visitor.raise_panel()
    expect(visitor.page.get_by_role("heading", name="No images")).to_be_visible()
    ask = visitor.page.locator(".network-ask")
    expect(ask).to_contain_text("Panoramax and Wikimedia Commons are off")
    expect(ask).to_contain_text("never leaves this server")
    picture(visitor.page, "f50-an-album-offers-networks")
    visitor.tap(ask.get_by_role("button", name="Ask both"))
    expect(visitor.page.locator(".tile")).to_have_count(4)
    expect(visitor.page.locator(".album-note").first).to_contain_text("4 pictures")
    assert "commons" in simulator.asked and "panoramax" in simulator.asked


def test_f50_a_pin_without_places_offers_what_is_off_and_fills(server, visitor, lonely):
    pin = server.filled(*lonely, name="Lonely")
    visitor.open(f"#/pin/{pin}/places")
    visitor.raise_panel()
    expect(visitor.page.get_by_role("heading", name="No places around here")).to_be_visible()
    ask = visitor.page.locator(".network-ask")
    expect(ask).to_contain_text("OpenStreetMap is off")
    picture(visitor.page, "f50-places-offer-networks")
    visitor.tap(ask.get_by_role("button", name="Ask OpenStreetMap"))
    for name in PLACES:
        expect(visitor.page.locator(".place").filter(has_text=name).first).to_be_visible()
    expect(ask).to_have_count(0)


def test_f51_an_album_is_filtered_by_network(server, visitor):
    turn(server, "commons", True)
    pin = server.filled(*HELSINKI)
    photos = server.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{pin}"})["photos"]
    of_commons = sum(photo["id"].startswith("commons/") for photo in photos)
    assert 0 < of_commons < len(photos)
    visitor.open(f"#/pin/{pin}/album")
    visitor.raise_panel()
    tiles = visitor.page.locator(".tile")
    expect(tiles).to_have_count(len(photos))
    own, commons = (visitor.page.get_by_role("button", name=name) for name in ("Own pictures", "Wikimedia Commons"))
    # One tap for one of them, and none is ticked while all are shown.
    expect(own).to_have_attribute("aria-pressed", "false")
    visitor.tap(commons)
    expect(tiles).to_have_count(of_commons)
    expect(commons).to_have_attribute("aria-pressed", "true")
    visitor.tap(own)
    expect(tiles).to_have_count(len(photos))
    visitor.tap(commons)
    expect(tiles).to_have_count(len(photos) - of_commons)


def test_f15_places_are_filtered_by_network_and_seen_on_the_map(server, visitor):
    turn(server, "openstreetmap", True)
    pin = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin}/places")
    others = visitor.page.locator(".place[data-place^='catalog/']")
    expect(others.first).to_be_attached()
    network = visitor.page.get_by_role("button", name="OpenStreetMap", exact=True)
    visitor.tap(network)
    # None of them has a photo; the choice that hides all can be opened.
    expect(visitor.page.get_by_role("heading", name="None of these")).to_be_attached()
    visitor.page.get_by_role("button", name="Show all places").press("Enter")
    expect(others.first).to_be_attached()
    visitor.look_at(0, 0, 4)
    visitor.tap(network)
    expect(others).to_have_count(0)
    expect(visitor.page.locator(".place[data-place^='openstreetmap/']").first).to_be_attached()
    visitor.wait_until("async () => (await import('/modules/map/map.js')).map.getZoom() > 12")


def test_f54_where_no_server_takes_keys_the_setting_is_named(visitor):
    visitor.open("#/settings")
    visitor.raise_panel()
    immich = card(visitor, "immich")
    expect(immich).to_contain_text("Not here")
    expect(immich).to_contain_text("The setting is --immich-servers (WAYMARK_IMMICH_SERVERS).")
    expect(immich.get_by_role("button")).to_have_count(0)
    immich.scroll_into_view_if_needed()
    picture(visitor.page, "f54-no-server-takes-keys")


def test_f67_a_network_that_is_asked_now_brings_what_it_has_around_here(server, visitor, lonely):
    turn(server, "openstreetmap", True)
    page = visitor.open().page
    visitor.look_at(*lonely, 15)
    visitor.tap(page.get_by_role("button", name="Around here"))
    chip = page.locator(".around-kinds .chip").filter(has_text="OpenStreetMap")
    expect(chip.locator("b")).to_have_text(re.compile(r"^[1-9]"))
    rows = page.locator("[data-around=places]")
    expect(rows.first).to_contain_text(re.compile("|".join(PLACES)))
    picture(page, "f67-live")
    # Its places can be left out.
    visitor.tap(chip)
    expect(rows).to_have_count(0)
    visitor.tap(chip)
    expect(rows.first).to_be_visible()
