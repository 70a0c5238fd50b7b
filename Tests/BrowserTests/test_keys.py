"""P26 Keys of one's own for networks of photos, given and removed; the numbers are those of Docs/Flows.md."""

import re

import pytest
from playwright.sync_api import expect

from conftest import picture
from keys_simulator import KEY, LOCATION, MEDIUM, QUAY, TOKEN, KeysSimulator
from server import FINAL, PHOTOS, Server
from visitor import quoted

KEYS = "waymark.photos.v1.NetworkKeyService"
# Where a page could keep something.
TRACES = """() => [location.href, document.documentElement.outerHTML, document.cookie, JSON.stringify(localStorage),
    JSON.stringify(sessionStorage), ...[...document.querySelectorAll("input")].map((field) => field.value)].join()"""


@pytest.fixture(scope="module")
def server():
    """A system of its own, which asks the simulator and nobody else."""
    simulator = KeysSimulator()
    server = Server(**simulator.settings())
    yield server
    server.stop()
    simulator.stop()


@pytest.fixture(autouse=True)
def no_keys(server):
    for key in kept(server):
        server.call(f"{KEYS}/DeleteNetworkKey", {"network": key["network"], "server": key["server"]})


def kept(server):
    return server.call(f"{KEYS}/ListNetworkKeys").get("keys", [])


def card(visitor, network):
    return visitor.page.locator(f".network[data-network='{network}']")


def open_networks(visitor):
    visitor.open("#/settings")
    visitor.raise_panel()


def give(visitor, network, noun, key, server=None):
    """Opens the form, and sends the key."""
    form = card(visitor, network).locator("form")
    if form.count() == 0:
        visitor.tap(card(visitor, network).get_by_role("button", name=f"Give your {noun}"))
    if server:
        form.locator("select").select_option(server)
    form.locator("input").fill(key)
    visitor.tap(form.get_by_role("button", name=f"Keep the {noun}"))
    return form


def test_f54_a_key_opens_a_library_and_its_removal_closes_it(server, visitor):
    open_networks(visitor)
    immich = card(visitor, "immich")
    expect(immich).to_contain_text("No key")
    expect(immich).to_contain_text("no other account sees them")
    visitor.tap(immich.get_by_role("button", name="Give your key"))
    field = immich.get_by_label("API key")
    expect(field).to_have_attribute("type", "password")
    expect(field).to_have_attribute("autocomplete", "off")
    immich.scroll_into_view_if_needed()
    picture(visitor.page, "f54-a-form-for-a-key")
    give(visitor, "immich", "key", KEY, "https://photos.example.org")
    expect(immich.locator(".key-row")).to_contain_text("Your key is kept")
    expect(immich.locator(".key-row")).to_contain_text("photos.example.org")
    expect(immich.locator("form")).to_have_count(0)
    assert [(key["network"], key["server"]) for key in kept(server)] == [("immich", "https://photos.example.org")]
    immich.scroll_into_view_if_needed()
    picture(visitor.page, "f54-a-key-is-kept")
    pin = server.filled(*QUAY, radius=100)
    visitor.open(f"#/pin/{pin}/album")
    own = visitor.page.locator(".tile[data-photo^='immich/']")
    expect(own.locator("img.there")).to_have_count(1)
    open_networks(visitor)
    visitor.press_twice(immich.get_by_role("button", name="Remove"))
    expect(immich.locator(".key-row")).to_have_count(0)
    expect(immich).to_contain_text("No key")
    assert kept(server) == []
    assert all(not photo["id"].startswith("immich/")
               for photo in server.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{pin}"}).get("photos", []))


def test_f54_a_key_is_nowhere_in_the_page_once_it_was_sent(visitor, context):
    addresses = []
    visitor.page.on("request", lambda request: addresses.append(request.url))
    open_networks(visitor)
    give(visitor, "immich", "key", KEY, "https://photos.example.org")
    expect(card(visitor, "immich").locator(".key-row")).to_have_count(1)
    assert KEY not in visitor.page.evaluate(TRACES)
    assert not any(KEY in address for address in addresses)
    visitor.page.reload()
    expect(card(visitor, "immich").locator(".key-row")).to_have_count(1)
    assert KEY not in visitor.page.evaluate(TRACES)


def test_f54_a_key_that_opens_nothing_says_so_beside_its_field(server, visitor, watchman):
    watchman.tolerate("400 (Bad Request)", "503 (Service Unavailable)")
    open_networks(visitor)
    form = give(visitor, "immich", "key", "not-the-key", "https://photos.example.org")
    wrong = form.locator(".key-field", has_text="API key").locator(".network-wrong")
    expect(wrong).to_contain_text("The server does not accept the key; it needs the permissions asset.read")
    expect(form.locator("input")).to_be_focused()
    expect(form.locator("input")).to_have_value("")
    assert "not-the-key" not in visitor.page.evaluate(TRACES)
    form.scroll_into_view_if_needed()
    picture(visitor.page, "f54-a-key-that-opens-nothing")
    # What no key has in it is refused before any server is asked.
    give(visitor, "immich", "key", "two words", "https://photos.example.org")
    expect(wrong).to_contain_text(re.compile("visible characters of ASCII"))
    # The other server fails; which address it has behind the name is no matter of the user's.
    give(visitor, "immich", "key", KEY, "https://family.example.org")
    expect(form.locator("> .network-wrong")).to_contain_text("The key could not be tried:")
    expect(wrong).to_be_empty()
    assert kept(server) == []


def test_f54_a_token_of_ones_own_is_kept_and_says_that_the_api_is_gone(server, visitor, watchman):
    watchman.tolerate("400 (Bad Request)")
    open_networks(visitor)
    instagram = card(visitor, "instagram")
    form = give(visitor, "instagram", "token", "no-token")
    expect(form).to_contain_text("This API is gone from the public: Instagram itself has ended it.")
    expect(form.locator("select")).to_have_count(0)
    expect(form.locator(".key-field .network-wrong")).not_to_be_empty()
    give(visitor, "instagram", "token", TOKEN)
    expect(instagram.locator(".key-row")).to_contain_text("Your token is kept")
    expect(instagram.get_by_role("button", name="Give another token")).to_be_focused()
    assert [key["network"] for key in kept(server)] == ["instagram"]
    # Beside it is the network's own switch, which has nothing to do with the token.
    expect(instagram.get_by_role("switch")).to_have_attribute("aria-checked", "true")
    instagram.scroll_into_view_if_needed()
    picture(visitor.page, "f54-a-token-is-kept")


def test_f25_a_photo_of_instagram_says_whether_one_likes_it_there(server, visitor):
    server.clear()
    server.filled(*QUAY)
    subject = f"place/instagram/{LOCATION}"
    album = server.call(f"{PHOTOS}/OpenAlbum", {"subject": subject})["album"]
    watch = quoted(f'{PHOTOS}/WatchAlbum:{{"subject":"{subject}"}}')
    for event in server.system.web().events(f"/events?watch={watch}"):
        album = event.get("message", {}).get("album", album)
        if album.get("summary", {}).get("state") in FINAL:
            break
    place = f"#/photo/{quoted(f'instagram/{MEDIUM}')}"
    # Without a token of one's own that is not known, and nothing is said of it.
    page = visitor.open(place).page
    expect(page.locator("#viewer h2")).to_have_text("Steps at dusk")
    expect(page.locator("#viewer .heart")).to_be_hidden()
    open_networks(visitor)
    give(visitor, "instagram", "token", TOKEN)
    expect(card(visitor, "instagram").locator(".key-row")).to_contain_text("Your token is kept")
    visitor.open("#/")
    page.evaluate("(place) => { location.hash = place; }", place)
    expect(page.locator("#viewer .heart.liked")).to_have_text("You like it on Instagram")
    picture(page, "f25-heart")


def test_f54_by_keyboard_a_form_is_opened_and_left(visitor):
    open_networks(visitor)
    immich = card(visitor, "immich")
    button = immich.get_by_role("button", name="Give your key")
    button.press("Enter")
    expect(immich.locator("select")).to_be_focused()
    immich.get_by_role("button", name="Cancel").press("Enter")
    expect(immich.locator("form")).to_have_count(0)
    expect(button).to_be_focused()
