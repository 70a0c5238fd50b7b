"""P52 The stars of places, and favourites that show them; the numbers are those of Docs/Flows.md."""

import re

import pytest
from playwright.sync_api import expect

from conftest import picture
from server import PHOTOS
from test_access import too_small, violations
from test_search import helsinki, search  # noqa: F401 (a fixture)
from visitor import HELSINKI

STARS = "waymark.stars.v1.StarService"
GONE = {
    "id": "openstreetmap/node/1", "name": "<b>Café</b> that is gone", "categories": ["amenity/cafe"],
    "position": {"latitude": 60.1690, "longitude": 24.9460}, "where": "Esplanadi",
}


def stars(server):
    return server.call(f"{STARS}/ListStars").get("places", [])


@pytest.fixture(autouse=True)
def none(server):
    for each in stars(server):
        server.call(f"{STARS}/UnstarPlace", {"id": each["id"]})
    for each in server.call(f"{PHOTOS}/ListFavourites").get("favourites", []):
        photo = each["photo"]["id"]
        server.call(f"{PHOTOS}/ChangeFavourite", {"photoId": photo, "change": "FAVOURITE_CHANGE_REMOVE"})


def test_f69_a_place_gets_a_star_near_its_pin_and_is_among_the_favourites(server, visitor):
    pin_id = server.filled(*HELSINKI)
    page = visitor.open(f"#/pin/{pin_id}/places").page
    row = page.locator(".place").first
    name = row.locator(".row-name").inner_text()
    star = row.locator(".place-star")
    expect(star).to_have_attribute("aria-pressed", "false")
    with page.expect_response(re.compile("StarPlace")) as told:
        visitor.tap(star)
    assert told.value.ok
    expect(star).to_have_attribute("aria-pressed", "true")
    picture(page, "f69-place")
    assert violations(page) == []
    [kept] = stars(server)
    assert (kept["name"], kept["where"]) == (name, "Esplanadi") and kept["categories"]
    page.reload()
    expect(star).to_have_attribute("aria-pressed", "true")
    visitor.open("#/favourites")
    expect(page.locator(".favourite-places .row-name")).to_have_text([name])
    expect(page.locator(".panel-sub")).to_have_text("1 place")


@pytest.mark.phone
def test_f69_a_place_that_is_gone_stays_among_the_favourites_and_leads_to_where_it_was(server, visitor):
    server.call(f"{STARS}/StarPlace", {"place": GONE})
    pin_id = server.filled(*HELSINKI)
    photo = server.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{pin_id}"})["photos"][0]["id"]
    server.call(f"{PHOTOS}/ChangeFavourite", {"photoId": photo, "change": "FAVOURITE_CHANGE_ADD"})
    page = visitor.open("#/favourites").page
    expect(page.locator(".panel-sub")).to_have_text("1 place · 1 photo")
    row = page.locator(".favourite-places .list-row")
    expect(row.locator(".row-name")).to_have_text(GONE["name"])
    expect(row.locator(".row-more")).to_have_text("Cafe · Esplanadi")
    visitor.look_at(60.25, 25.1, 13)
    visitor.tap(row.locator(".list-open"))
    expect(page.locator(".place-flag")).to_have_text(GONE["name"])
    expect(page.locator(".place-flag")).to_be_in_viewport()
    picture(page, "f69-favourites")
    assert (too_small(visitor, ".favourite-places"), violations(page)) == ([], [])
    # It stays on the page until that is left, and can be taken back.
    star = row.get_by_role("button", name=f"Star for {GONE['name']}")
    for pressed in ["false", "true", "false"]:
        with page.expect_response(re.compile("StarPlace|UnstarPlace")) as told:
            visitor.tap(star)
        assert told.value.ok
        expect(star).to_have_attribute("aria-pressed", pressed)
    assert stars(server) == []
    visitor.open("#/")
    visitor.open("#/favourites")
    expect(page.locator(".tile")).to_have_count(1)
    expect(page.locator(".favourite-places")).to_be_hidden()


@pytest.mark.phone
def test_f69_a_place_around_here_and_one_that_was_found_get_a_star(server, helsinki):  # noqa: F811
    visitor, page = helsinki, helsinki.page
    page.goto(f"{visitor.address}/#/around")
    row = page.locator(".around-line", has=page.locator("[data-around='places']")).first
    with page.expect_response(re.compile("StarPlace")) as told:
        visitor.tap(row.locator(".place-star"))
    assert told.value.ok
    expect(row.locator(".place-star")).to_have_attribute("aria-pressed", "true")
    picture(page, "f69-around")
    [first] = stars(server)
    page.goto(f"{visitor.address}/#/")
    search(visitor, "amos r")
    visitor.tap(page.get_by_role("option").first)
    card = page.locator(".found-card")
    with page.expect_response(re.compile("StarPlace")) as told:
        visitor.tap(card.locator(".place-star"))
    assert told.value.ok
    picture(page, "f69-found")
    assert too_small(visitor, ".found-card") == []
    assert [place["id"] == first["id"] for place in stars(server)] == [False, True]


def test_f69_a_star_that_is_refused_is_taken_back_and_said(server, visitor, watchman):
    page = visitor.open("#/around").page
    page.route("**/waymark.stars.v1.StarService/StarPlace", lambda route: route.fulfill(
        status=400, content_type="application/json", body='{"code":"invalid_argument","message":"no"}'))
    watchman.tolerate("400")
    star = page.locator(".place-star").first
    visitor.tap(star)
    expect(visitor.notice("The star could not be changed")).to_be_visible()
    expect(star).to_have_attribute("aria-pressed", "false")
