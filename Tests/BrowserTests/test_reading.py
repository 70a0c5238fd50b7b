"""What a screen reader says, and in which order; the numbers are those of review findings."""

import pytest
from playwright.sync_api import expect

from visitor import HELSINKI

# The order: the map with its pins and what is open of them, then its tools, then the panel.
MAP = """
- link "To the list of pins"
- main /Map/:
  - button /Pin Esplanadi. Complete, .* Enter opens it./
"""
CALLOUT = """\
  - dialog "Pin Esplanadi":
    - heading "Esplanadi"
    - paragraph: Complete
    - paragraph: /places, .* with photos/
    - button /Open the album/
    - button "Places"
"""
SOURCES = """\
  - link "© OpenStreetMap contributors"
- navigation "Map tools":
  - button "Drop a pin (N)"
  - 'button "Edit: tap pins to delete them"'
  - button "Show all pins"
  - button "Where am I"
  - button "Light or dark"
"""
PINS = """\
- complementary "Pins":
  - heading "Waymark" [level=1]
  - paragraph: 1 pin
  - group "Pins, contents":
    - list:
      - listitem:
        - button /Complete Esplanadi/
"""
# What a pin is, what is done with it, its two views, then what is in the one that is shown.
PIN = """\
  - button "Map"
  - heading "Esplanadi" [level=1]
  - paragraph: /Complete/
  - button "Show all its places"
  - button "More"
  - button "Add a note"
  - button "Lists"
  - button "Share"
  - button /Places/
  - button /Album/
"""
PLACES = f"""\
- complementary "Places":
{PIN}\
  - group "Places, contents":
    - group "Which places":
      - button /With photos/ [pressed]
      - button /All/
      - combobox "Order of the places"
    - list:
      - listitem:
        - button /Svenska Teatern Theatre/
        - button /The Swedish Theatre|A photo of Svenska Teatern/
      - listitem:
        - button /Taru ja totuus/
"""
ALBUM = f"""\
- complementary "Album":
{PIN}\
  - group "Album, contents":
    - paragraph: 14 pictures
    - button "Select"
    - button "Add photos of your own"
    - button "New collection"
    - button "Download album"
    - button /The Swedish Theatre/
    - button /Favourite/
    - button /Fact and Fable/
"""
VIEWS = {"": MAP + SOURCES + PINS, "pin": MAP + CALLOUT + SOURCES + PINS,
         "places": MAP + SOURCES + PLACES, "album": MAP + SOURCES + ALBUM}

# What a marker says that nobody can go to by keyboard would be numbers without a meaning.
MARKS = ".place-mark, .photo-dot, .photo-pile"
# What has the focus, whether it is in view, and whether it stands behind what had it before.
FOCUS = """() => {
    const here = document.activeElement;
    const before = window.before;
    window.before = here;
    return {
        isEnd: here === document.body, name: here.outerHTML.slice(0, 100), isSeen: here.checkVisibility(),
        isLater: !before || (before.compareDocumentPosition(here) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
        region: here.closest("main, nav, aside")?.id ?? "",
    };
}"""


@pytest.fixture(scope="module")
def server(city):
    return city


@pytest.mark.parametrize("view", VIEWS)
def test_c9_a_screen_reader_hears_the_map_its_tools_and_then_the_panel(server, visitor, view):
    pin_id = server.filled(*HELSINKI)
    visitor.open("#/" + {"": "", "pin": f"pin/{pin_id}"}.get(view, f"pin/{pin_id}/{view}"))
    expect(visitor.page.locator("body")).to_match_aria_snapshot(VIEWS[view])
    for mark in visitor.page.locator(MARKS).all():
        assert mark.aria_snapshot() == "", mark.inner_html()


@pytest.mark.parametrize("view", ["places", "album"])
def test_c9_the_tab_key_goes_in_the_order_in_which_it_is_read(server, visitor, view):
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/{view}")
    expect(visitor.page.locator(".tile, .place").first).to_be_attached()
    visitor.page.locator(".skip").focus()
    steps = []
    while not (steps and steps[-1]["isEnd"]):
        visitor.page.keyboard.press("Tab")
        steps.append(visitor.page.evaluate(FOCUS))
        assert len(steps) < 100, steps
    regions = [step["region"] for step in steps if step["region"]]
    assert list(dict.fromkeys(regions)) == ["map", "tools", "panel"]
    assert all(step["isSeen"] and step["isLater"] for step in steps[:-1]), steps
