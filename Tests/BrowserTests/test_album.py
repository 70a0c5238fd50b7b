"""P38 A pin's album and its photos; the numbers are those of Docs/Flows.md."""

import json
import re

import pytest
from playwright.sync_api import expect

from server import PHOTOS
from visitor import HELSINKI, quoted

SEA = (59.9, 24.2)


def photos(server, pin_id):
    return server.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{pin_id}"}).get("photos", [])


@pytest.fixture
def album(server, visitor):
    """The id of a pin whose full album is open."""
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/album")
    visitor.raise_panel()
    expect(visitor.page.locator(".tile")).to_have_count(len(photos(server, pin_id)))
    return pin_id


def choose(visitor, *tiles):
    visitor.tap(visitor.page.get_by_role("button", name="Select"))
    for index in tiles:
        visitor.tap(visitor.page.locator(".tile").nth(index))


def test_f18_the_album_has_a_map_at_its_pin(server, visitor):
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/album")
    expect(visitor.pin(pin_id)).to_be_in_viewport()
    expect(visitor.pin(pin_id)).to_have_class(re.compile("selected"))
    latitude, longitude, _ = visitor.seen()
    assert (latitude, longitude) == pytest.approx(HELSINKI, abs=0.004)
    # Its pictures stand where they were taken.
    expect(visitor.page.locator(".photo-dot, .photo-pile").first).to_be_in_viewport()


def test_f19_placeholders_fill_in(server, visitor):
    pin_id = server.filled(*HELSINKI)
    count = len(photos(server, pin_id))
    held = []
    visitor.page.route(re.compile("/pictures/"), lambda route: held.append(route))
    visitor.open(f"#/pin/{pin_id}/album")
    tiles = visitor.page.locator(".tile")
    expect(tiles).to_have_count(count)
    expect(visitor.page.locator(".tile canvas")).to_have_count(count)
    expect(visitor.page.locator(".tile img.there")).to_have_count(0)
    expect(visitor.page.locator(".album-note").first).to_have_text(f"{count} pictures")
    # What comes from here on passes at once; to unroute would let go of what is held by itself.
    visitor.page.route(re.compile("/pictures/"), lambda route: route.continue_())
    for route in held:
        route.continue_()
    expect(visitor.page.locator(".tile img.there")).to_have_count(count)


def test_f20_an_album_without_photos_says_no_images(server, visitor):
    pin_id = server.filled(*SEA, radius=200)
    visitor.open(f"#/pin/{pin_id}/album")
    expect(visitor.page.get_by_role("heading", name="No images")).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Select")).to_be_disabled()


def test_f20_an_album_that_can_not_be_shown_says_why(server, visitor, watchman):
    watchman.tolerate("500 (Internal Server Error)")
    error = {"code": "internal", "message": "The disk can't be read."}
    visitor.page.route("**/*OpenAlbum", lambda route: route.fulfill(status=500, json=error))
    visitor.open(f"#/pin/{server.drop(*SEA)}/album")
    expect(visitor.page.get_by_role("heading", name="The album can't be shown")).to_be_visible()
    expect(visitor.panel()).to_contain_text("The disk can't be read.")


def test_f21_a_new_collection_can_not_be_asked_for_while_one_loads(server, visitor, album):
    fresh = visitor.page.get_by_role("button", name="New collection")
    expect(fresh).to_be_enabled()
    with server.halted("photos"):
        visitor.tap(fresh)
        expect(fresh).to_be_disabled()
    expect(fresh).to_be_enabled()
    expect(visitor.page.locator("#spoken")).to_contain_text("The album is complete")
    answer = server.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{album}"})
    assert answer["album"]["collection"] == 2
    expect(visitor.page.locator(".tile")).to_have_count(len(answer["photos"]))


def test_f22_several_photos_are_selected_and_removed(server, visitor, album):
    before = [photo["id"] for photo in photos(server, album)]
    choose(visitor, 0, 2)
    expect(visitor.page.locator(".tile-open[aria-pressed=true]")).to_have_count(2)
    visitor.tap(visitor.page.get_by_role("button", name="Remove 2"))
    expect(visitor.page.locator(".tile")).to_have_count(len(before) - 2)
    expect(visitor.notice("2 photos are removed")).to_be_visible()
    expect(visitor.page.get_by_text("2 photos are hidden")).to_be_attached()
    assert [photo["id"] for photo in photos(server, album)] == [before[1], *before[3:]]


def test_f23_a_removal_is_undone(server, visitor, album):
    before = [photo["id"] for photo in photos(server, album)]
    choose(visitor, 1)
    visitor.tap(visitor.page.get_by_role("button", name="Remove 1"))
    expect(visitor.page.locator(".tile")).to_have_count(len(before) - 1)
    visitor.tap(visitor.notice("removed").get_by_role("button", name="Undo"))
    expect(visitor.page.locator(".tile")).to_have_count(len(before))
    shown = visitor.page.locator(".tile").evaluate_all("(tiles) => tiles.map((tile) => tile.dataset.photo)")
    assert shown == before == [photo["id"] for photo in photos(server, album)]


def test_f23_a_removal_is_undone_from_another_view(server, visitor, album):
    before = [photo["id"] for photo in photos(server, album)]
    choose(visitor, 0, 1)
    visitor.tap(visitor.page.get_by_role("button", name="Remove 2"))
    line = visitor.notice("removed")
    expect(line).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(visitor.callout()).to_be_visible()
    with visitor.page.expect_response(re.compile("RestorePhotos")) as told:
        visitor.tap(line.get_by_role("button", name="Undo"))
    assert told.value.ok
    assert [photo["id"] for photo in photos(server, album)] == before


def test_f23_a_removal_is_undone_also_after_a_new_collection(server, visitor, album):
    [first, *_] = photos(server, album)
    choose(visitor, 0)
    visitor.tap(visitor.page.get_by_role("button", name="Remove 1"))
    expect(visitor.notice("removed")).to_be_visible()
    fresh = visitor.page.get_by_role("button", name="New collection")
    with visitor.page.expect_response(re.compile("NewCollection")):
        visitor.tap(fresh)
    expect(fresh).to_be_enabled()
    assert first["id"] not in [photo["id"] for photo in photos(server, album)]
    visitor.tap(visitor.panel().get_by_role("button", name="Bring"))
    expect(visitor.page.locator(f".tile[data-photo='{first['id']}']")).to_have_count(1)
    assert first["id"] in [photo["id"] for photo in photos(server, album)]


def test_f23_an_undo_that_fails_says_so(server, visitor, album, watchman):
    watchman.tolerate("403 (Forbidden)")
    refusal = {"code": "permission_denied", "message": "This is not yours."}
    visitor.page.route("**/*RestorePhotos", lambda route: route.fulfill(status=403, json=refusal))
    choose(visitor, 0)
    visitor.tap(visitor.page.get_by_role("button", name="Remove 1"))
    visitor.tap(visitor.notice("removed").get_by_role("button", name="Undo"))
    expect(visitor.notice("could not be restored. This is not yours.")).to_be_visible()


def test_f24_a_photo_is_viewed_zoomed_and_moved(server, visitor, album):
    [first, second, *_] = photos(server, album)
    visitor.tap(visitor.page.locator(".tile").first)
    viewer = visitor.page.locator("#viewer")
    expect(viewer.locator(".large.there")).to_be_visible()
    # Who made it and under which terms is always there.
    for text in (first["title"], first["author"], first["licence"], "Own pictures"):
        expect(viewer.locator(".credits")).to_contain_text(text)
    stage = viewer.locator(".stage")
    visitor.tap(viewer.get_by_role("button", name="Zoom in"))
    expect(stage).to_have_attribute("data-scale", "1.50")
    before = viewer.locator(".large").evaluate("(image) => image.style.transform")
    box = stage.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    visitor.drag(middle, (middle[0] + 40, middle[1] + 20))
    assert viewer.locator(".large").evaluate("(image) => image.style.transform") != before
    # The button that leads on keeps the focus.
    following = viewer.get_by_role("button", name="Next photo")
    following.press("Enter")
    expect(viewer.locator(".credits")).to_contain_text(second["title"])
    expect(following).to_be_focused()
    visitor.page.keyboard.press("ArrowLeft")
    expect(viewer.locator(".credits")).to_contain_text(first["title"])
    visitor.page.keyboard.press("ArrowRight")
    expect(viewer.locator(".credits")).to_contain_text(second["title"])
    expect(visitor.page).to_have_url(re.compile(re.escape(quoted(second["id"]))))
    visitor.page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    expect(visitor.page).to_have_url(re.compile("/album$"))


def test_f24_a_photo_that_is_on_its_way_comes_by_itself(server, visitor, context):
    pin_id = server.filled(*HELSINKI)
    [first, *_] = photos(server, pin_id)
    opened, watched = [], []
    context.route("**/*OpenAlbum", lambda route: opened.append(route))
    context.route(re.compile("WatchAlbum"), lambda route: watched.append(route))
    page, viewer = visitor.page, visitor.page.locator("#viewer")
    page.clock.install()
    # A link to it, while the album is not known for quite a while …
    with page.expect_request("**/*OpenAlbum"):
        page.goto(f"{server.address}/#/pin/{pin_id}/album/photo/{quoted(first['id'])}")
    expect(visitor.panel()).to_have_attribute("aria-label", "Album")
    page.clock.run_for(10_000)
    expect(viewer).to_be_hidden()
    # … and then its picture isn't there yet.
    answer = opened[0].fetch().json()
    answer["album"] |= {"version": "1", "summary": {"state": "ALBUM_STATE_DOWNLOADING", "photoCount": 1}}
    on_its_way = {"state": "PHOTO_STATE_DOWNLOADING", "thumbnailUrl": "", "largeUrl": ""}
    with page.expect_request(re.compile("WatchAlbum")):
        opened[0].fulfill(json=answer | {"photos": [first | on_its_way]})
    expect(viewer.locator(".stage canvas")).to_be_visible()
    expect(viewer.locator(".credits")).to_contain_text("1 of 1")
    expect(viewer.locator(".large")).to_have_count(0)
    watched[-1].continue_()
    expect(viewer.locator(".large.there")).to_be_visible()
    expect(viewer.get_by_role("button", name="Next photo")).to_be_visible()


def test_f45_an_album_of_older_data_takes_the_place_of_the_newer(server, visitor, album):
    """As when the photo service comes back from a backup."""
    [first, *_] = photos(server, album)
    summary = {"state": "ALBUM_STATE_COMPLETE", "photoCount": 1, "readyCount": 1}
    news = {"album": {"subject": f"pin/{album}", "version": "1", "summary": summary}, "photos": [first]}
    event = "data: " + json.dumps({"watch": 1, "message": news | {"isWhole": True, "version": "1"}}) + "\n\n"
    visitor.page.route(
        re.compile(r"/events\?"), lambda route: route.fulfill(content_type="text/event-stream", body=event))
    visitor.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(visitor.page.locator(".tile")).to_have_count(1)
