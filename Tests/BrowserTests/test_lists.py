"""P52 Named lists of pins, on the map as layers; the numbers are those of Docs/Flows.md."""

import re

import pytest
from playwright.sync_api import expect

from conftest import picture
from test_access import OF_COLOURS, dark, too_small, violations
from visitor import HELSINKI

LISTS = "waymark.lists.v1.ListService"
NAME = "<b>Summer</b> 2026"


def lists(server):
    return server.call(f"{LISTS}/ListLists").get("lists", [])


def make(server, name, colour, *pins):
    made = server.call(f"{LISTS}/CreateList", {"name": name, "colour": f"LIST_COLOUR_{colour}"})["list"]["id"]
    if pins:
        server.call(f"{LISTS}/AddToList", {"id": made, "pinIds": list(pins)})
    return made


@pytest.fixture(autouse=True)
def none(server):
    for each in lists(server):
        server.call(f"{LISTS}/DeleteList", {"id": each["id"]})


@pytest.fixture
def pins(server):
    """The ids of three pins that stand apart."""
    return [server.drop(*HELSINKI), server.drop(60.1682, 24.9420, name="Station"),
            server.drop(60.1668, 24.9440, name="Cathedral")]


def dots(visitor, pin):
    return [each.get_attribute("data-colour") for each in visitor.pin(pin).locator(".list-dots i").all()]


@pytest.mark.phone
def test_f68_a_pin_is_put_into_lists_on_its_page_and_taken_out(server, visitor):
    pin_id = server.filled(*HELSINKI)
    make(server, "Cafes to try", "TEAL")
    page = visitor.open(f"#/pin/{pin_id}/places").page
    part = page.locator(".pin-lists")
    visitor.tap(part.get_by_text("Lists", exact=True))
    visitor.tap(part.get_by_role("button", name="Cafes to try"))
    expect(part.locator(".list-chips")).to_have_text("Cafes to try")
    part.get_by_label("Name of a new list").fill(f"  {NAME} ")
    visitor.tap(part.get_by_role("button", name="Add"))
    expect(part.locator(".list-chips li")).to_have_text(["Cafes to try", NAME])
    picture(page, "f68-pin")
    assert (too_small(visitor, ".list-choices, .list-new"), violations(page)) == ([], [])
    expect(part.locator(".list-choice[aria-pressed='true']")).to_have_count(2)
    visitor.settle()
    assert [(each["name"], each["pinCount"]) for each in lists(server)] == [("Cafes to try", 1), (NAME, 1)]
    visitor.tap(part.locator(".list-choice", has_text="Cafes to try"))
    expect(part.locator(".list-chips li")).to_have_text([NAME])
    # A chip leads to its list.
    visitor.tap(part.locator(".list-chips button"))
    expect(page.get_by_role("heading", level=1)).to_have_text(NAME)
    expect(page.locator(".list-row .row-name")).to_have_text(["Esplanadi"])


@pytest.mark.phone
def test_f68_lists_are_made_changed_and_deleted_and_their_pins_stay(server, visitor, watchman, pins):
    # Whose pins are asked for once more when a change has come late, and the list is gone by then.
    watchman.tolerate("404")
    make(server, "Cafes to try", "TEAL", pins[0], pins[1])
    page = visitor.open().page
    visitor.tap(visitor.panel().get_by_role("button", name="Lists"))
    expect(page.locator(".list-row")).to_have_count(1)
    expect(page.locator(".list-row .row-more")).to_have_text("2 pins")
    visitor.tap(page.get_by_role("button", name="New list"))
    page.get_by_label("Name").fill(NAME)
    visitor.tap(page.get_by_role("radio", name="orange"))
    picture(page, "f68-form")
    assert (too_small(visitor, ".list-making"), violations(page)) == ([], [])
    visitor.tap(page.get_by_role("button", name="Make the list"))
    expect(page.locator(".list-row .row-name")).to_have_text(["Cafes to try", NAME])
    picture(page, "f68-lists")
    assert (too_small(visitor, ".lists"), violations(page)) == ([], [])
    with dark(page):
        picture(page, "f68-lists-dark")
        assert violations(page, OF_COLOURS) == []
    visitor.tap(page.get_by_role("button", name="Cafes to try 2 pins"))
    expect(page.locator(".list-row .row-name")).to_have_count(2)
    visitor.tap(page.get_by_role("button", name="Name and colour"))
    page.get_by_label("Name", exact=True).fill("Cafes that I tried")
    visitor.tap(page.get_by_role("radio", name="purple"))
    visitor.tap(page.get_by_role("button", name="Save"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Cafes that I tried")
    visitor.tap(page.get_by_role("button", name="Take Esplanadi out of the list"))
    expect(page.locator(".list-row .row-name")).to_have_text(["Station"])
    visitor.tap(visitor.notice("is out of the list").last.get_by_role("button", name="Undo"))
    expect(page.locator(".list-row .row-name")).to_have_text(["Esplanadi", "Station"])
    visitor.tap(page.get_by_role("button", name="Take Esplanadi out of the list"))
    expect(page.locator(".list-row .row-name")).to_have_text(["Station"])
    visitor.tap(visitor.notice("is out of the list").last.get_by_role("button", name="Close"))
    picture(page, "f68-list")
    assert (too_small(visitor, ".lists, .list-tools"), violations(page)) == ([], [])
    visitor.settle()
    [first, second] = lists(server)
    assert (first["name"], first["colour"], first["pinCount"]) == ("Cafes that I tried", "LIST_COLOUR_PURPLE", 1)
    assert second["colour"] == "LIST_COLOUR_ORANGE"
    visitor.press_twice(page.get_by_role("button", name="Delete the list"), "Press again to delete the list")
    expect(page.locator(".list-row .row-name")).to_have_text([NAME])
    assert len(lists(server)) == 1 and len(server.pins()) == 3


@pytest.mark.phone
def test_f68_lists_are_layers_of_the_map_and_one_is_shown_alone(server, visitor, pins):
    cafes = make(server, "Cafes to try", "TEAL", pins[0], pins[1])
    make(server, NAME, "ORANGE", pins[1])
    page = visitor.open("#/lists").page
    visitor.look_at(*HELSINKI, 17)
    for name in ["Cafes to try", NAME]:
        visitor.tap(page.get_by_role("button", name=f"Show {name} on the map"))
        expect(page.get_by_role("button", name=f"Show {name} on the map")).to_have_attribute("aria-pressed", "true")
    for pin, colours in zip(pins, (["teal"], ["teal", "orange"], [])):
        expect(visitor.pin(pin).locator(".list-dots i")).to_have_count(len(colours))
        assert dots(visitor, pin) == colours
    expect(visitor.pin(pins[1])).to_have_attribute("aria-label", re.compile(re.escape(f"In Cafes to try, {NAME}.")))
    picture(page, "f68-layers")
    # It is remembered. Where the map was may not be, so soon; from far away the pins are one number.
    page.reload()
    visitor.wait_until("async () => !document.querySelector('[aria-busy]')")
    visitor.look_at(*HELSINKI, 17)
    expect(visitor.pin(pins[1]).locator(".list-dots i")).to_have_count(2)
    visitor.open(f"#/lists/{cafes}")
    visitor.tap(page.get_by_role("button", name="Only this list"))
    expect(visitor.pins()).to_have_count(2)
    expect(visitor.pin(pins[2])).to_have_count(0)
    expect(page.locator("#layerbar")).to_contain_text("Only “Cafes to try”")
    picture(page, "f68-only")
    assert (too_small(visitor, "#layerbar"), violations(page)) == ([], [])
    # A pin that is opened is seen all the same.
    page.goto(f"{visitor.address}/#/pin/{pins[2]}")
    expect(visitor.pin(pins[2])).to_have_count(1)
    page.goto(f"{visitor.address}/#/lists")
    expect(visitor.pin(pins[2])).to_have_count(0)
    visitor.tap(page.locator("#layerbar").get_by_role("button", name="Show all pins"))
    visitor.look_at(*HELSINKI, 17)
    expect(visitor.pins()).to_have_count(3)
    expect(page.locator("#layerbar")).to_be_hidden()
    # A list that is hidden has no dots, nor one that is deleted.
    visitor.tap(page.get_by_role("button", name="Show Cafes to try on the map"))
    expect(visitor.pin(pins[1]).locator(".list-dots i")).to_have_count(1)
    expect(visitor.pin(pins[0]).locator(".list-dots i")).to_have_count(0)
    visitor.tap(page.get_by_role("button", name=f"{NAME} 1 pin"))
    visitor.press_twice(page.get_by_role("button", name="Delete the list"), "Press again to delete the list")
    expect(visitor.page.locator(".list-dots")).to_have_count(0)


def test_f68_what_is_refused_is_said_and_a_list_that_is_not_there_leads_to_the_lists(server, visitor, watchman, pins):
    watchman.tolerate("400", "404")
    page = visitor.open("#/lists/0190a1b2-c3d4-7e5f-8a6b-000000000000").page
    expect(page.get_by_text("No lists yet")).to_be_visible()
    expect(visitor.notice("That list is not there")).to_be_visible()
    picture(page, "f68-none")
    visitor.tap(page.get_by_role("button", name="New list"))
    visitor.tap(page.get_by_role("button", name="Make the list"))
    expect(page.get_by_text("Fill this in.")).to_be_visible()
    page.get_by_label("Name").press("Escape")
    expect(page.get_by_role("button", name="New list")).to_be_focused()


def test_f68_layers_that_do_not_come_at_the_start_come_later(server, visitor, watchman, pins, context):
    watchman.tolerate("500")
    cafes = make(server, "Cafes to try", "TEAL", pins[0])
    page = visitor.open("#/lists").page
    visitor.look_at(*HELSINKI, 17)
    visitor.tap(page.get_by_role("button", name="Show Cafes to try on the map"))
    expect(visitor.pin(pins[0]).locator(".list-dots i")).to_have_count(1)
    page.clock.install()
    failed = []

    def fail(route):
        failed.append(route.request.url)
        route.fulfill(status=500, json={"code": "internal", "message": "not now"})

    page.route("**/*ListPinsOfList", fail, times=1)
    page.route("**/*ListLists", fail, times=1)
    visitor.open()
    page.reload(wait_until="domcontentloaded")
    visitor.look_at(*HELSINKI, 17)
    visitor.wait_until("async () => localStorage.getItem('waymark.layers') !== null")
    assert cafes in page.evaluate("localStorage.getItem('waymark.layers')")
    page.clock.run_for(31_000)
    expect(visitor.pin(pins[0]).locator(".list-dots i")).to_have_count(1)
    assert len(failed) == 2
