"""P27 P28 Favourites: the star of a photo, and the page that lists them; the numbers are those of Docs/Flows.md."""

import base64
import hashlib
import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from server import PHOTOS
from visitor import HELSINKI, quoted

UPLOADS = "waymark.photos.v1.UploadService"
CHANGE, LIST = f"{PHOTOS}/ChangeFavourite", f"{PHOTOS}/ListFavourites"


def photos(server, subject):
    return server.call(f"{PHOTOS}/GetAlbum", {"subject": subject}).get("photos", [])


def favourites(server):
    return [each["photo"]["id"] for each in server.call(LIST, {}).get("favourites", [])]


def star_of(visitor):
    return visitor.page.locator("#viewer").get_by_role("button", name="Favourite")


@pytest.fixture
def pin(server, visitor):
    """A pin with its album, and no favourites."""
    for photo in favourites(server):
        server.call(CHANGE, {"photoId": photo, "change": "FAVOURITE_CHANGE_REMOVE"})
    return server.filled(*HELSINKI)


def test_f16_f25_a_photo_gets_a_star_and_keeps_it(server, visitor, pin):
    [first, second, *_] = photos(server, f"pin/{pin}")
    visitor.open(f"#/pin/{pin}/album/photo/{quoted(first['id'])}")
    star = star_of(visitor)
    expect(star).to_have_attribute("aria-pressed", "false")
    visitor.tap(star)
    expect(star).to_have_attribute("aria-pressed", "true")
    visitor.page.keyboard.press("ArrowRight")
    expect(visitor.page.locator(".credits")).to_contain_text(second["title"])
    expect(star).to_have_attribute("aria-pressed", "false")
    visitor.page.keyboard.press("ArrowLeft")
    expect(star).to_have_attribute("aria-pressed", "true")
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator(".tile.starred")).to_have_count(1)
    visitor.settle()
    visitor.page.reload()
    expect(visitor.page.locator(f".tile.starred[data-photo='{first['id']}']")).to_have_count(1)
    assert favourites(server) == [first["id"]]
    # By keyboard it is taken again.
    visitor.raise_panel()
    visitor.tap(visitor.page.locator(".tile.starred"))
    expect(star).to_have_attribute("aria-pressed", "true")
    visitor.page.keyboard.press("f")
    expect(star).to_have_attribute("aria-pressed", "false")
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator(".tile.starred")).to_have_count(0)
    visitor.settle()
    assert favourites(server) == []


def test_f16_a_star_that_is_refused_is_taken_back(server, visitor, pin, watchman):
    watchman.tolerate("403 (Forbidden)")
    refusal = {"code": "permission_denied", "message": "This is not yours."}
    visitor.page.route("**/*ChangeFavourite", lambda route: route.fulfill(status=403, json=refusal))
    [first, *_] = photos(server, f"pin/{pin}")
    visitor.open(f"#/pin/{pin}/album/photo/{quoted(first['id'])}")
    visitor.tap(star_of(visitor))
    expect(visitor.page.locator("#viewer").get_by_role("alert")).to_contain_text("This is not yours.")
    expect(star_of(visitor)).to_have_attribute("aria-pressed", "false")


def test_f26_favourites_are_listed_newest_first_and_outlast_their_pin(server, visitor, pin):
    ids = [photo["id"] for photo in photos(server, f"pin/{pin}")[:3]]
    for photo in ids:
        server.call(CHANGE, {"photoId": photo, "placeName": "Kruununhaka"})
    server.call("waymark.pins.v1.PinService/DeletePin", {"id": pin})
    visitor.open("#/")
    visitor.tap(visitor.page.get_by_role("button", name="Favourites"))
    expect(visitor.panel()).to_have_attribute("aria-label", "Favourites")
    expect(visitor.page.locator(".tile")).to_have_count(3)
    listed = visitor.page.locator(".tile").evaluate_all("(tiles) => tiles.map((tile) => tile.dataset.photo)")
    assert listed == ids[::-1]
    expect(visitor.page.locator(".photo-dot, .photo-pile").first).to_be_visible()
    visitor.raise_panel()
    visitor.tap(visitor.page.locator(".tile").first)
    viewer = visitor.page.locator("#viewer")
    expect(viewer.locator(".credits")).to_contain_text("Kruununhaka")
    expect(viewer.locator(".large.there")).to_be_visible()
    expect(visitor.page).to_have_url(re.compile(f"#/favourites/photo/{quoted(ids[2])}$"))
    # Without its star it stays until the page is left: one may have slipped.
    visitor.tap(star_of(visitor))
    visitor.tap(viewer.get_by_role("button", name="Close"))
    expect(viewer).to_be_hidden()
    expect(visitor.page.locator(".tile")).to_have_count(3)
    expect(visitor.page.locator(".tile.starred")).to_have_count(2)
    visitor.settle()
    visitor.page.reload()
    expect(visitor.page.locator(".tile")).to_have_count(2)


def test_f26_they_are_listed_by_network(server, visitor, pin):
    picture = io.BytesIO()
    Image.new("RGB", (300, 200), (20, 90, 160)).save(picture, "JPEG")
    data = picture.getvalue()
    start = {"sha256": hashlib.sha256(data).hexdigest(), "byteCount": str(len(data)), "pinId": pin}
    upload = server.call(f"{UPLOADS}/StartUpload", start)["uploadId"]
    part = {"uploadId": upload, "data": base64.b64encode(data).decode()}
    server.call(f"{UPLOADS}/AddUploadPart", part)
    server.call(f"{UPLOADS}/FinishUpload", {"uploadId": upload})
    try:
        for photo in (upload, photos(server, f"pin/{pin}")[0]["id"]):
            server.call(CHANGE, {"photoId": photo})
        visitor.open("#/favourites")
        visitor.raise_panel()
        tiles, choice = visitor.page.locator(".tile"), visitor.page.get_by_role("group", name="Only of")
        expect(tiles).to_have_count(2)
        visitor.tap(choice.get_by_role("button", name="Your photos"))
        expect(tiles).to_have_count(1)
        expect(tiles).to_have_attribute("data-photo", upload)
        visitor.tap(choice.get_by_role("button", name="Own pictures"))
        expect(tiles).to_have_count(2)
        visitor.open("#/")
    finally:
        server.call(f"{UPLOADS}/DeletePhoto", {"id": upload})


def test_f26_without_any_it_says_how_to_begin(server, visitor, pin):
    visitor.open("#/favourites")
    expect(visitor.panel()).to_contain_text("No favourites yet")
    visitor.page.keyboard.press("Escape")
    expect(visitor.panel()).to_have_attribute("aria-label", "Pins")


def test_f25_a_photo_leads_to_where_it_was_taken(server, visitor, pin):
    photo = photos(server, f"pin/{pin}")[-1]
    visitor.open(f"#/pin/{pin}/album/photo/{quoted(photo['id'])}")
    visitor.tap(visitor.page.get_by_role("button", name="Show it on the map"))
    expect(visitor.page.locator("#viewer")).to_be_hidden()
    position = photo["position"]
    visitor.wait_until("""async ([latitude, longitude]) => {
        const { map } = await import("/modules/map/map.js");
        const { visibleMiddle } = await import("/modules/map/free.js");
        const { lat, lng } = map.containerPointToLatLng(visibleMiddle());
        return Math.abs(lat - latitude) < 1e-4 && Math.abs(lng - longitude) < 2e-4;
    }""", [position["latitude"], position["longitude"]])


def test_f24_no_button_of_the_viewer_lies_over_the_picture(server, visitor, pin):
    photo = photos(server, f"pin/{pin}")[1]
    visitor.open(f"#/pin/{pin}/album/photo/{quoted(photo['id'])}")
    expect(visitor.page.locator("#viewer .large.there")).to_be_visible()
    stage = visitor.page.locator("#viewer .stage").bounding_box()
    buttons = visitor.page.locator("#viewer button").all()
    assert len(buttons) == 7
    for button in buttons:
        box = button.bounding_box()
        beside = box["x"] + box["width"] <= stage["x"] or box["x"] >= stage["x"] + stage["width"]
        above = box["y"] + box["height"] <= stage["y"] or box["y"] >= stage["y"] + stage["height"]
        assert beside or above, button.get_attribute("aria-label")
