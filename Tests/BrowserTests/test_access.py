"""The map for people who see, hear or press in another way; the numbers are those of review findings."""

import re
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import picture
from server import PHOTOS, PrivateGateway
from visitor import HELSINKI, Visitor, quoted

SEA = (59.9, 24.2)
# The least width and height of what a finger presses, in pixels.
TARGET = 44


# The rules whose outcome depends on colours; what else there is is the same in the dark.
OF_COLOURS = ["color-contrast", "link-in-text-block"]
AXE = Axe().axe_script
FIND = """(rules) => axe.run({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) })
    .then(({ violations }) => violations)"""


@pytest.fixture(scope="module")
def server(city):
    return city


def violations(page, rules=None):
    """What axe finds on the page, of any weight: rule, and where."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    return [f"{rule['id']} ({rule['impact']}): {node['target']} {node.get('failureSummary', '')}"
            for rule in page.evaluate(FIND, rules) for node in rule["nodes"]]


@contextmanager
def dark(page):
    """The page in the dark for a while."""
    page.emulate_media(color_scheme="dark")
    yield
    page.emulate_media(color_scheme="light")


def violations_in_both_themes(page):
    found = violations(page)
    with dark(page):
        return found + [f"in the dark: {one}" for one in violations(page, OF_COLOURS)]


# What is pressed and is smaller than a finger. A link in a text is as high as its line (WCAG 2.5.8 excepts it).
SMALL = """([scope, least]) => [...document.querySelectorAll(scope)].filter((element) => {
    // What a label is around is as large as it.
    const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
    return element.checkVisibility() && (width < least || height < least);
}).map((element) => [element.outerHTML, element.getBoundingClientRect().toJSON()])"""


def too_small(visitor, scope):
    """On a phone; a mouse hits smaller things."""
    controls = f"{scope} button, {scope} input, {scope} select, {scope} [role=button]"
    assert visitor.page.locator(controls).count() > 0, controls
    return visitor.page.evaluate(SMALL, [controls, TARGET]) if visitor.is_phone else []


def test_c9_axe_finds_nothing(server, visitor):
    pin_id, bare = server.filled(*HELSINKI), server.filled(*SEA, radius=200)
    found = {}
    for place in ("#/", f"#/pin/{pin_id}", f"#/pin/{pin_id}/places", f"#/pin/{pin_id}/album", f"#/pin/{bare}/places",
                  f"#/pin/{bare}/album", "#/settings"):
        visitor.open(place)
        if place.endswith("album"):
            expect(visitor.page.locator(".tile, .empty").first).to_be_attached()
        if place.endswith("places"):
            expect(visitor.page.locator(".place, .empty").first).to_be_attached()
        found[place] = violations_in_both_themes(visitor.page)
    assert not any(found.values()), found


def test_c9_axe_finds_nothing_on_an_empty_map(visitor):
    visitor.open()
    expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
    assert violations_in_both_themes(visitor.page) == []


@pytest.mark.phone
def test_c9_axe_finds_nothing_in_a_photo_that_is_viewed(server, visitor):
    pin_id = server.filled(*HELSINKI)
    photos = server.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{pin_id}"})["photos"]
    # One in the middle has all controls.
    visitor.open(f"#/pin/{pin_id}/album/photo/{quoted(photos[1]['id'])}")
    viewer = visitor.page.locator("#viewer")
    expect(viewer.locator(".large.there")).to_be_visible()
    for name in ("Zoom in", "Zoom out", "Previous photo", "Next photo", "Close"):
        expect(viewer.get_by_role("button", name=name)).to_be_visible()
    assert violations_in_both_themes(visitor.page) == []
    assert too_small(visitor, "#viewer") == []
    # Nor while the picture is zoomed, and where there is none.
    visitor.tap(viewer.get_by_role("button", name="Zoom in"))
    expect(viewer.locator(".stage.zoomed")).to_be_visible()
    assert violations_in_both_themes(visitor.page) == []
    visitor.open(f"#/pin/{pin_id}/album/photo/of-another-album")
    expect(viewer.get_by_text("not in the album any more")).to_be_visible()
    assert violations_in_both_themes(visitor.page) == []


@pytest.mark.phone
def test_c9_axe_finds_nothing_where_one_logs_in(server, tmp_path, context, watchman, size):
    watchman.tolerate("401 (Unauthorized)")
    own = PrivateGateway(server, tmp_path, ["the-right-one-for-this-test"])
    try:
        watchman.server = own
        visitor = Visitor(context.new_page(), own.address, size == "phone")
        visitor.page.goto(f"{own.address}/")
        expect(visitor.page.get_by_label("E-mail")).to_be_focused()
        expect(visitor.page.get_by_role("button", name="Sign up with an invitation")).to_be_visible()
        assert violations_in_both_themes(visitor.page) == []
        assert too_small(visitor, ".login") == []
        field = visitor.use_token()
        expect(field).to_be_focused()
        assert violations_in_both_themes(visitor.page) == []
        assert too_small(visitor, ".login") == []
        field.fill("a wrong one")
        visitor.tap(visitor.page.get_by_role("button", name="Open the map"))
        expect(visitor.page.locator(".form-outcome")).to_have_text("That is not the token.")
        assert violations_in_both_themes(visitor.page) == []
        picture(visitor.page, "login")
        # In a language whose words are longer.
        visitor.page.evaluate("localStorage.setItem('waymark.language', 'de')")
        visitor.page.reload()
        expect(visitor.page.get_by_role("button", name="Mit Einladung registrieren")).to_be_visible()
        assert violations(visitor.page) == []
        visitor.page.close()
    finally:
        own.stop()


@pytest.mark.phone
@pytest.mark.parametrize("tool", ["Drop a pin", "Edit"])
def test_c9_axe_finds_nothing_in_the_modes_of_the_map(server, visitor, tool):
    server.filled(*HELSINKI)
    visitor.open()
    expect(visitor.pins()).to_have_count(1)
    visitor.tap(visitor.page.get_by_role("button", name=tool))
    expect(visitor.page.locator("#banner")).to_be_visible()
    assert violations_in_both_themes(visitor.page) == []
    assert too_small(visitor, "#banner") + too_small(visitor, "#tools") == []


@pytest.mark.phone
def test_c9_axe_finds_nothing_in_what_is_said_on_the_map(server, visitor, context, watchman):
    watchman.tolerate("net::ERR_")
    pin_id = server.filled(*HELSINKI)
    visitor.open()
    visitor.tap(visitor.page.locator("#edit"))
    visitor.tap_pin(pin_id)
    expect(visitor.notice("is deleted").get_by_role("button", name="Undo")).to_be_visible()
    assert too_small(visitor, "#notices") == []
    # It stays while the focus is in it.
    visitor.notice("is deleted").get_by_role("button", name="Undo").focus()
    context.set_offline(True)
    visitor.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(visitor.page.locator("#banner-link.shown")).to_be_visible()
    assert violations_in_both_themes(visitor.page) == []
    # No line covers another.
    visitor.notice("is deleted").get_by_role("button", name="Undo").click(trial=True)
    picture(visitor.page, "away")
    context.set_offline(False)
    expect(visitor.page.locator("#banner-link.shown")).to_have_count(0)
    # A page that is left would delete the pin, while the next test begins.
    visitor.tap(visitor.notice("is deleted").get_by_role("button", name="Undo"))
    expect(visitor.pin(pin_id)).to_be_visible()


@pytest.mark.phone
def test_c9_axe_finds_nothing_while_one_does_something_to_a_pin(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.tap(visitor.panel().locator(".place-head").first)
    expect(visitor.panel().locator(".place.lit")).to_have_count(1)
    visitor.choose("Rename")
    expect(visitor.page.get_by_label("Name of the pin")).to_be_focused()
    assert violations_in_both_themes(visitor.page) == []
    assert too_small(visitor, ".panel-head") == []
    visitor.tap(visitor.page.get_by_role("button", name="Save"))
    # What asks whether one is sure is red, also where the mouse lies on it.
    red, red_in_the_dark = "rgb(196, 58, 43)", "rgb(255, 122, 107)"
    visitor.choose("Delete the pin")
    expect(visitor.panel().locator(".sure")).to_have_css("background-color", red)
    with dark(visitor.page):
        expect(visitor.panel().locator(".sure")).to_have_css("background-color", red_in_the_dark)
    assert violations_in_both_themes(visitor.page) == []
    visitor.open(f"#/pin/{pin_id}")
    visitor.tap(visitor.callout().locator(".delete"))
    expect(visitor.callout().locator(".sure")).to_have_css("background-color", red)
    assert violations_in_both_themes(visitor.page) == []


@pytest.mark.phone
def test_c9_an_album_is_used_with_a_finger(server, visitor):
    visitor.open(f"#/pin/{server.filled(*HELSINKI)}/album")
    visitor.tap(visitor.page.get_by_role("button", name="Select"))
    visitor.tap(visitor.page.locator(".tile").first)
    expect(visitor.page.get_by_role("button", name="Remove 1")).to_be_visible()
    assert too_small(visitor, ".album-tools") == []


@pytest.mark.phone
def test_c9_the_grip_is_as_large_as_a_finger(visitor):
    if not visitor.is_phone:
        pytest.skip("a desktop has no sheet to pull")
    box = visitor.open().page.locator(".grip").bounding_box()
    assert box["height"] >= TARGET and box["width"] >= TARGET


def test_c9_an_empty_album_can_be_scrolled_by_keyboard(server, visitor):
    pin_id = server.filled(*SEA, radius=200)
    visitor.open(f"#/pin/{pin_id}/album")
    expect(visitor.page.get_by_role("heading", name="No images")).to_be_attached()
    body = visitor.page.locator(".panel-body")
    body.focus()
    expect(body).to_be_focused()
    expect(body).to_have_attribute("aria-label", re.compile("Album"))


@pytest.mark.phone
def test_c9_networks_are_switched_with_a_finger(server, visitor):
    visitor.open("#/settings").raise_panel()
    expect(visitor.page.get_by_role("switch").first).to_be_visible()
    assert too_small(visitor, ".network-list") == []
    bare = server.filled(*SEA, radius=200)
    visitor.open(f"#/pin/{bare}/album").raise_panel()
    ask = visitor.page.locator(".network-ask")
    expect(ask.get_by_role("button", name="Ask both")).to_be_visible()
    assert too_small(visitor, ".network-ask") == []
