"""The list of pins, and dropping one; the numbers are those of review findings."""

import re

import pytest
from playwright.sync_api import expect

from visitor import HELSINKI


@pytest.fixture
def many(server):
    """Ids by name of ten pins, the newest last."""
    names = ["Kaartinkaupunki", "Äyräpää", "Kaartinkaupunki 2", "Töölö", "Kallio", "Pasila", "Vallila", "Eira",
             "Lauttasaari", "Kamppi"]
    return {name: server.drop(60.10 + index * 0.01, 24.94, name=name, radius=50) for index, name in enumerate(names)}


def rows(visitor):
    return visitor.panel().locator(".row-name")


def order(visitor):
    return visitor.panel().get_by_label("Order of the pins")


def test_f46_c11_many_pins_are_sorted(server, visitor, many):
    visitor.open()
    expect(rows(visitor)).to_have_text([pin["name"] for pin in server.pins()])
    order(visitor).select_option("By name")
    by_name = sorted((name for name in many if name != "Äyräpää"))
    expect(rows(visitor)).to_have_text(["Äyräpää", *by_name])
    order(visitor).select_option("Nearest first")
    visitor.look_at(60.10, 24.94, 12)
    expect(rows(visitor)).to_have_text(list(many))
    visitor.look_at(60.19, 24.94, 12)
    expect(rows(visitor)).to_have_text(list(reversed(many)))
    expect(visitor.panel().locator(".row-more").first).to_contain_text(" m · ")


def test_f46_c11_pins_are_searched(server, visitor, many):
    visitor.open()
    field = visitor.panel().get_by_label("Search your pins")
    field.fill("kaartin")
    expect(rows(visitor)).to_have_text([re.compile("Kaartin"), re.compile("Kaartin")])
    expect(visitor.panel().locator(".panel-sub")).to_have_text("2 of 10 pins")
    # Accents don't matter.
    field.fill("toolo")
    expect(rows(visitor)).to_have_text(["Töölö"])
    field.fill("nowhere")
    expect(visitor.page.get_by_role("heading", name="None of these")).to_be_visible()
    visitor.tap(visitor.panel().get_by_role("button", name="Show all pins"))
    expect(rows(visitor)).to_have_count(10)
    # One that comes meanwhile is found, too.
    field.fill("kaartin")
    server.drop(60.2, 24.94, name="Kaartin")
    expect(rows(visitor)).to_have_count(3)


def test_f46_c11_few_pins_need_neither(server, visitor):
    server.drop(*HELSINKI)
    visitor.open()
    expect(rows(visitor)).to_have_count(1)
    expect(order(visitor)).to_be_hidden()


def test_b2_the_list_does_not_count_photos_twice(server, visitor):
    for step in (0, 0.0002):
        server.filled(HELSINKI[0] + step, HELSINKI[1])
    visitor.open()
    expect(visitor.panel().locator(".panel-sub")).to_have_text("2 pins")


def test_b2_callout_and_list_tell_the_same_number(server, visitor):
    pin_id = server.filled(*HELSINKI)
    [pin] = server.pins()
    photos = f"{pin['album']['photoCount']} photos"
    visitor.open().tap_pin(pin_id)
    # The text says whose number it is: places have photos, too.
    expect(visitor.callout()).to_contain_text(f"{photos} in its album")
    expect(visitor.panel().locator(".row-more")).to_contain_text(f"{photos} in its album")
    visitor.tap(visitor.callout().get_by_role("button", name="Places"))
    expect(visitor.panel().locator(".tabs.wide")).to_contain_text(f"Album{photos}")


@pytest.mark.both
def test_c10_in_drop_mode_a_click_of_the_mouse_drops(server, visitor):
    visitor.open()
    visitor.tap(visitor.page.get_by_role("button", name="Drop a pin"))
    x, y = visitor.point(*HELSINKI)
    line = visitor.page.locator("#banner")
    if visitor.is_phone:
        # A finger covers what it taps; there it is the cross that says where.
        expect(line).to_contain_text("Move the map until the cross")
        visitor.page.touchscreen.tap(x, y)
        expect(line).to_be_visible()
        visitor.tap(line.get_by_role("button", name="Drop the pin"))
    else:
        expect(line).to_contain_text("Click where the pin belongs")
        visitor.page.mouse.click(x, y)
    expect(visitor.pins()).to_have_count(1)
    expect(line).to_be_hidden()
    visitor.settle()
    [pin] = server.pins()
    if not visitor.is_phone:
        there = (pin["position"]["latitude"], pin["position"]["longitude"])
        assert there == pytest.approx(HELSINKI, abs=0.0002)
    # The mark is drawn before the callout opens: Escape would come too early for it.
    expect(visitor.callout()).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(visitor.callout()).to_have_count(0)
    # What was chosen by holding is no second pin.
    visitor.tap(visitor.page.get_by_role("button", name="Drop a pin"))
    visitor.hold(60.1705, 24.9420)
    expect(line).to_be_hidden()
    visitor.settle()
    assert len(server.pins()) == 2
