"""P16 P35 P54 What is around the middle of the map; the numbers are those of Docs/Flows.md."""

import re

import pytest
from playwright.sync_api import expect

from conftest import picture
from test_access import too_small, violations
from visitor import HELSINKI


def metres(row):
    number, unit = row.split(" · ")[-1].split()
    return float(number.replace(",", "")) * (1000 if unit == "km" else 1)


def chip(page, kind):
    return page.locator(".around-kinds .chip").filter(has_text=kind)


@pytest.mark.phone
def test_f67_one_list_has_places_pins_and_photos_nearest_first(server, visitor):
    pin_id = server.filled(*HELSINKI)
    page = visitor.open("#/").page
    visitor.look_at(*HELSINKI, 16)
    picture(page, "f67-home")
    visitor.tap(page.get_by_role("button", name="Around here"))
    rows = page.locator(".around-row")
    expect(rows.first).to_be_visible()
    expect(chip(page, "People").locator("b")).to_have_text("0")
    expect(chip(page, "Places").locator("b")).to_have_text("50+")
    far = [metres(row) for row in page.locator(".around-row .row-more").all_inner_texts()]
    assert far == sorted(far) and len(far) > 50
    assert {kind.get_attribute("data-around") for kind in rows.all()} == {"places", "pins", "photos"}
    expect(page.locator(".place-dot, .place-number").first).to_be_attached()
    assert (too_small(visitor, ".around-kinds"), violations(page)) == ([], [])
    picture(page, "f67-around")
    # A kind is left out, and comes back.
    visitor.tap(chip(page, "Places"))
    expect(page.locator("[data-around=places]")).to_have_count(0)
    expect(page.locator(".place-dot, .place-number")).to_have_count(0)
    visitor.tap(chip(page, "Places"))
    expect(page.locator("[data-around=places]")).to_have_count(50)
    # Where nothing is, that is said.
    visitor.look_at(-40.0, -140.0, 8)
    visitor.tap(page.get_by_role("button", name="Look here again"))
    expect(page.get_by_role("heading", name="Nothing is around here")).to_be_visible()
    visitor.look_at(*HELSINKI, 16)
    visitor.tap(page.get_by_role("button", name="Look here again"))
    visitor.tap(page.locator("[data-around=pins]"))
    expect(page.locator(f".pin.selected[data-pin='{pin_id}']")).to_be_attached()


def test_f67_a_kind_that_is_late_comes_behind_the_others_and_one_that_fails_says_so(server, visitor):
    server.filled(*HELSINKI)
    page = visitor.open("#/").page
    visitor.look_at(*HELSINKI, 16)
    with server.halted("photos"):
        visitor.tap(page.get_by_role("button", name="Around here"))
        expect(page.locator("[data-around=places]")).to_have_count(50)
        expect(chip(page, "Photos").locator("b")).to_have_text("…")
        expect(page.locator(".around .skeleton").first).to_be_visible()
        picture(page, "f67-late")
    expect(page.locator("[data-around=photos]").first).to_be_visible()
    expect(page.locator(".around .skeleton")).to_have_count(0)


@pytest.mark.phone
def test_f86_what_is_around_says_what_was_done_for_it_and_what_each_step_took(server, visitor):
    server.filled(*HELSINKI)
    page = visitor.open("#/").page
    visitor.look_at(*HELSINKI, 16)
    visitor.tap(page.get_by_role("button", name="Around here"))
    why = page.get_by_role("button", name="Why")
    expect(why).to_have_attribute("aria-expanded", "false")
    visitor.tap(why)
    expect(why).to_have_attribute("aria-expanded", "true")
    steps = page.get_by_role("list", name="What the answer took").get_by_role("listitem")
    names = [step.get_attribute("data-step") for step in steps.all()]
    assert names[:2] == ["explore", "wait"] and names[-1] == "answer"
    assert {"places", "pins", "photos", "posts", "queue", "search"} <= set(names)
    search = page.locator("[data-step=search]").first
    expect(search).to_contain_text("tested")
    expect(search.locator(".waterfall-time")).to_have_text(re.compile(r"^[0-9.]+ [mµ]s$"))
    expect(page.locator("[data-step=places]")).to_contain_text("found 50+ · replica 1 of 1")
    # A bar lies within that of the whole.
    bars = (page.locator(f"[data-step={name}] .waterfall-bar") for name in ("explore", "places"))
    whole, places = (bar.bounding_box() for bar in bars)
    assert whole["x"] <= places["x"] and places["x"] + places["width"] <= whole["x"] + whole["width"] + 1
    assert (too_small(visitor, ".panel-bar"), violations(page)) == ([], [])
    picture(page, "f86-why")
    visitor.tap(why)
    expect(page.locator(".waterfall")).to_have_count(0)
