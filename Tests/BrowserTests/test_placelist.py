"""Many places in a list; the numbers are those of review findings."""

import re

import pytest
from playwright.sync_api import expect

from manyplaces import FOLD, open_all, rows
from visitor import quoted


def test_c14_entrances_and_offices_are_folded(server, visitor):
    places = open_all(server, visitor, unfold=False)
    fold = visitor.panel().get_by_role("button", name=FOLD)
    expect(fold).to_have_attribute("aria-expanded", "false")
    few = re.compile("^(Subway entrance|Company|Stop position)")
    shown = visitor.panel().locator(".place:not(.pictured) .row-more")
    assert not any(few.match(text) for text in shown.all_inner_texts())
    folded = int(re.sub(r"\D", "", fold.inner_text()))
    expect(rows(visitor)).to_have_count(len(places) - folded)
    fold.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(fold).to_be_focused()
    expect(rows(visitor)).to_have_count(len(places))
    assert sum(bool(few.match(text)) for text in shown.all_inner_texts()) > 2


def test_c14_a_link_to_a_folded_place_shows_it(server, visitor):
    places = open_all(server, visitor, unfold=False)
    offices = [place for place in places if place.get("categories") == ["office/company"]]
    place = next(place for place in offices if not place.get("photoCount"))
    [pin] = server.pins()
    visitor.open(f"#/pin/{pin['id']}/places/{quoted(place['id'])}")
    row = visitor.panel().locator(f".place[data-place='{place['id']}']")
    for is_new in (False, True):
        if is_new:
            visitor.page.reload()
            visitor.page.get_by_role("button", name=re.compile("^All")).press("Enter")
        expect(row).to_have_attribute("aria-current", "true")
        expect(row).to_be_in_viewport()
        expect(visitor.page.locator(".place-flag")).to_have_text(place["name"])


# From what people look for first to what few look for; each of one line is of the same interest.
INTEREST = [
    ["tourism/museum", "tourism/attraction", "amenity/theatre", "Art Gallery"],
    ["leisure/park", "tourism/artwork", "historic/memorial"],
    ["amenity/restaurant", "amenity/cafe", "Italian Restaurant"],
    ["shop/clothes", "shop/books", "amenity/bank"],
    ["tourism/hotel", "railway/station", "place/square", ""],
    ["office/company", "railway/subway_entrance", "public_transport/stop_position", "Bus Stop", "amenity/atm"],
]


def test_c14_interest_is_told_by_category(modules):
    told = modules.evaluate("""async (lines) => {
        const { interestOf } = await import("/modules/places/interest.js");
        return lines.map((line) => line.map((category) => interestOf({ categories: [category] })));
    }""", INTEREST)
    assert told == [[interest[0]] * len(interest) for interest in told]
    assert [line[0] for line in told] == sorted({line[0] for line in told}, reverse=True)


@pytest.mark.parametrize("label", ["Nearest first", "Sights first"])
def test_c14_places_are_sorted(server, visitor, label):
    places = {place["id"]: place for place in open_all(server, visitor, unfold=False)}
    visitor.panel().get_by_label("Order of the places").select_option(label)
    # What is the same thing as another place is listed behind it.
    ids = rows(visitor).evaluate_all(
        "(rows) => rows.filter((row) => row.dataset.standing !== 'behind').map((row) => row.dataset.place)")
    interests = visitor.page.evaluate("""async (places) => {
        const { interestOf } = await import("/modules/places/interest.js");
        return places.map(interestOf);
    }""", [places[place_id] for place_id in ids])
    assert len(set(interests)) > 3
    # Metres as the server sends them, on the same sphere but for rounding.
    order = [(-interest if label == "Sights first" else 0, places[place_id].get("distanceM", 0))
             for interest, place_id in zip(interests, ids)]
    assert all(a[0] < b[0] or (a[0] == b[0] and a[1] <= b[1] + 3) for a, b in zip(order, order[1:]))
