"""P50 The search field; the numbers are those of Docs/Flows.md."""

import re
import time

import pytest
from playwright.sync_api import expect

from conftest import picture
from test_access import too_small, violations, violations_in_both_themes
from test_states import Fault, refuse
from visitor import HELSINKI

FIND = re.compile("PlacesService/Find$")
FINDING = "waymark.places.v1.PlacesService/Find"
READING_S = 120


def field(visitor):
    return visitor.page.get_by_role("combobox")


def rows(visitor):
    return visitor.page.get_by_role("option")


def card(visitor, name):
    return visitor.page.get_by_role("dialog", name=name)


def search(visitor, text):
    """Types it letter by letter, as a person does, and waits until something is found."""
    field(visitor).press_sequentially(text)
    expect(rows(visitor).first).to_be_visible()


@pytest.fixture
def helsinki(visitor, server):
    """The map of central Helsinki, as soon as the names of its places are read; until then the answer is 503."""
    end = time.monotonic() + READING_S
    while server.system.web().call(FINDING, {"text": "amos r"})[0] != 200:
        assert time.monotonic() < end, "the names were not read in time"
        time.sleep(0.2)
    visitor.open().look_at(*HELSINKI, 14)
    return visitor


@pytest.mark.phone
def test_f70_suggestions_come_while_one_types_and_one_is_shown_on_the_map(helsinki):
    visitor, page = helsinki, helsinki.page
    search(visitor, "amos r")
    first = rows(visitor).first
    expect(first).to_contain_text("Amos Rex")
    expect(first).to_contain_text("Museum")
    expect(first).to_contain_text(re.compile(r"\d m$|\d km$"))
    expect(page.locator(".found-sources")).to_contain_text("OpenStreetMap")
    picture(page, "f70-suggestions")
    assert violations_in_both_themes(page) == []
    assert too_small(visitor, "#search") == []
    visitor.tap(first)
    expect(card(visitor, "Amos Rex")).to_be_visible()
    expect(rows(visitor)).to_have_count(0)
    expect(field(visitor)).to_have_value("Amos Rex")
    expect(page.locator(".found-here")).to_be_visible()
    latitude, longitude, zoom = visitor.seen()
    assert abs(latitude - 60.1699) < 0.002 and abs(longitude - 24.9365) < 0.004 and zoom >= 15
    picture(page, "f70-chosen")
    assert violations_in_both_themes(page) == []


KINDS = [
    ("60.1699, 24.9384", "60.1699, 24.9384", "Position"), ("Mannerheimintie 20", "Mannerheimintie 20", "Address"),
    ("Tamper", "Tampere", "Town"), ("Costa Ri", "Costa Rica", "Country"), ("JFK", "John F Kennedy", "Airport"),
    ("https://www.openstreetmap.org/#map=17/61.4991/23.7871", "61.4991, 23.7871", "Position"),
    ("cafe near Kamppi", "", "Cafe"),
]


def test_f70_anything_is_found_and_says_what_it_is(helsinki):
    visitor, here = helsinki, helsinki.page.locator(".found-here")
    for text, name, word in KINDS:
        # An address is found near what the map shows.
        visitor.look_at(*HELSINKI, 14)
        field(visitor).fill(text)
        expect(rows(visitor).first).to_contain_text(name)
        expect(rows(visitor).first).to_contain_text(word)
        field(visitor).press("Enter")
        expect(here).to_have_count(1)
        visitor.tap(visitor.page.get_by_role("button", name="Clear the search"))
        expect(here).to_have_count(0)


def test_f71_what_was_found_becomes_a_pin_in_one_tap(server, helsinki):
    visitor, page = helsinki, helsinki.page
    search(visitor, "Amos Rex")
    visitor.tap(rows(visitor).first)
    visitor.tap(card(visitor, "Amos Rex").get_by_role("button", name="Drop a pin here"))
    expect(visitor.pins()).to_have_count(1)
    expect(visitor.callout().get_by_role("heading", name="Amos Rex")).to_be_visible()
    expect(page.locator(".found-here")).to_have_count(0)
    expect(field(visitor)).to_have_value("")
    picture(page, "f71-pin")
    visitor.settle()
    [pin] = server.pins()
    assert pin["name"] == "Amos Rex" and abs(pin["position"]["latitude"] - 60.1699) < 0.001


@pytest.mark.both
def test_f71_the_way_there_is_left_to_the_phone(helsinki):
    visitor = helsinki
    search(visitor, "Amos Rex")
    visitor.tap(rows(visitor).first)
    link = card(visitor, "Amos Rex").get_by_role("link", name="Navigate")
    if not visitor.is_phone:
        expect(link).to_have_count(0)
        return
    assert re.fullmatch(r"geo:60\.1\d+,24\.9\d+\?q=60\.1\d+,24\.9\d+\(Amos%20Rex\)", link.get_attribute("href"))


def test_f72_all_of_it_goes_by_keyboard(helsinki):
    visitor, page = helsinki, helsinki.page
    page.locator("#map").focus()
    page.keyboard.press("/")
    expect(field(visitor)).to_be_focused()
    page.keyboard.type("helsink")
    expect(rows(visitor).nth(2)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(rows(visitor).nth(1)).to_have_attribute("aria-selected", "true")
    expect(field(visitor)).to_have_attribute("aria-activedescendant", "found-1")
    picture(page, "f72-keyboard")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(rows(visitor).last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(rows(visitor)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(field(visitor)).to_have_value("")
    # Enter before there is an answer takes the first of it.
    page.keyboard.type("amos rex")
    page.keyboard.press("Enter")
    expect(card(visitor, "Amos Rex")).to_be_visible()
    # Elsewhere a slash begins another search; in a text it is a slash.
    page.locator("#map").focus()
    page.keyboard.press("/")
    page.keyboard.type("1/2")
    expect(field(visitor)).to_have_value("1/2")


def test_f73_an_overtaken_answer_never_comes_behind_a_later_one(helsinki):
    visitor, page = helsinki, helsinki.page
    fault = Fault(page, FIND)
    with page.expect_request(FIND):
        field(visitor).fill("amos")
    with page.expect_request(FIND):
        field(visitor).fill("ateneum")
    expect(visitor.page.locator("#search .skeleton").first).to_be_visible()
    fault.mend()
    expect(rows(visitor).first).to_contain_text("Ateneum")
    expect(rows(visitor).filter(has_text="Amos Rex")).to_have_count(0)


def test_f73_nothing_found_and_a_server_that_is_away_are_said(helsinki, watchman):
    watchman.tolerate("net::ERR_")
    visitor, page = helsinki, helsinki.page
    field(visitor).fill("qwertzuiop")
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()
    picture(page, "f73-nothing")
    assert violations(page) == []
    fault = Fault(page, FIND, refuse)
    field(visitor).fill("amos")
    expect(page.locator("#search .waits")).to_contain_text("The server is not answering.")
    picture(page, "f73-away")
    fault.mend()
    expect(rows(visitor).first).to_contain_text("Amos")


@pytest.mark.phone
def test_f73_while_the_server_is_away_ones_own_pins_are_searched(server, visitor, watchman):
    watchman.tolerate("net::ERR_")
    pin_id = server.filled(*HELSINKI, name="Café Amos")
    page = visitor.open().page
    Fault(page, FIND, refuse)
    field(visitor).fill("cafe a")
    expect(page.locator("#search .waits")).to_contain_text("Only what is kept in this browser can be searched:")
    assert violations(page) == [] and too_small(visitor, "#search") == []
    picture(page, "f73-own-pins")
    visitor.tap(page.locator(".found-pin", has_text="Café Amos"))
    expect(visitor.callout()).to_contain_text("Café Amos")
    assert page.url.endswith(f"#/pin/{pin_id}")


def test_f73_a_script_that_does_not_come_is_said(visitor, watchman):
    watchman.tolerate("net::ERR_")
    page = visitor.page
    page.route("**/modules/pages.js", lambda route: route.abort("connectionrefused"))
    visitor.open()
    visitor.tap(field(visitor))
    expect(page.get_by_role("heading", name="The search did not come")).to_be_visible()
    picture(page, "f73-no-script")


def test_f74_the_field_is_cleared_and_the_mark_with_it(helsinki):
    visitor, page = helsinki, helsinki.page
    search(visitor, "Amos Rex")
    visitor.tap(rows(visitor).first)
    expect(page.locator(".found-here")).to_be_visible()
    visitor.tap(page.get_by_role("button", name="Clear the search"))
    expect(page.locator(".found-here")).to_have_count(0)
    expect(field(visitor)).to_have_value("")
    expect(field(visitor)).to_be_focused()
    expect(page.get_by_role("button", name="Clear the search")).to_have_count(0)


@pytest.mark.phone
def test_f70_a_found_area_is_what_one_looks_in_until_its_chip_is_closed(helsinki):
    visitor, page = helsinki, helsinki.page
    search(visitor, "finland")
    visitor.tap(rows(visitor).filter(has_text="Country").first)
    visitor.tap(card(visitor, "Finland").get_by_role("button", name="Search in Finland"))
    chip = page.get_by_role("button", name="Search everywhere, not only in Finland")
    expect(chip).to_be_visible()
    expect(page.locator("path.area-border:not(.area-box)")).to_be_attached()
    with page.expect_request(FIND) as asked:
        search(visitor, "amos r")
    assert asked.value.post_data_json["area"] == "country/FI"
    expect(rows(visitor).first).to_contain_text("Amos Rex")
    picture(page, "f70-area")
    assert (violations_in_both_themes(page), too_small(visitor, "#search")) == ([], [])
    page.keyboard.press("Escape")
    visitor.look_at(*HELSINKI, 15)
    visitor.tap(page.get_by_role("button", name="Around here"))
    expect(page.get_by_role("heading", name="In Finland")).to_be_visible()
    expect(page.locator("[data-around=places]").first).to_be_visible()
    picture(page, "f70-area-around")
    with page.expect_request(FIND) as asked:
        visitor.tap(chip)
    assert "area" not in asked.value.post_data_json
    expect(page.get_by_role("heading", name="Around here")).to_be_visible()
    expect(page.locator("path.area-border")).to_have_count(0)
