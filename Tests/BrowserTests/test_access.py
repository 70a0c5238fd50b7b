"""The map for people who see, hear or press in another way; the numbers are those of review findings."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from visitor import HELSINKI

SEA = (59.9, 24.2)
# The least width and height of what a finger presses, in pixels.
TARGET = 44


def violations(page):
    """What axe finds on the page, of any weight: rule, and where."""
    found = Axe().run(page).response["violations"]
    return [f"{rule['id']} ({rule['impact']}): {node['target']} {node.get('failureSummary', '')}"
            for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_c9_axe_finds_nothing(server, visitor, theme):
    pin_id, bare = server.filled(*HELSINKI), server.filled(*SEA, radius=200)
    visitor.page.emulate_media(color_scheme=theme)
    found = {}
    for place in ("#/", f"#/pin/{pin_id}", f"#/pin/{pin_id}/places", f"#/pin/{pin_id}/album", f"#/pin/{bare}/places",
                  f"#/pin/{bare}/album"):
        visitor.open(place)
        if place.endswith("album"):
            expect(visitor.page.locator(".tile, .empty").first).to_be_attached()
        if place.endswith("places"):
            expect(visitor.page.locator(".place, .empty").first).to_be_attached()
        found[place] = violations(visitor.page)
    assert not any(found.values()), found


def test_c9_axe_finds_nothing_on_an_empty_map(visitor):
    visitor.open()
    expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
    assert violations(visitor.page) == []


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
