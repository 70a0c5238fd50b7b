"""P49 What accounts share with each other; the numbers are those of Docs/Flows.md."""

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from accounts import call_as, enter, sign_up, visit
from conftest import picture
from server import PHOTOS, PINS, REGION, Server
from test_access import too_small, violations
from test_uploads import choose, jpeg
from visitor import HELSINKI

GRANTS = "waymark.shares.v1.GrantService"
SHARED = "waymark.gateway.v1.SharedWithMeService"


@pytest.fixture(scope="module")
def server():
    """A system of its own, where everyone may sign up."""
    server = Server(has_map=True, sign_up="open")
    yield server
    server.stop()


@pytest.fixture
def people(server):
    """Ann, who has a pin with an album, and Ben."""
    ann, ben = sign_up(server, firstName="Ann", lastName="Tester"), sign_up(server, firstName="Ben")
    for who in (ann, ben):
        call_as(server, who["token"], f"{PINS}/SetMapRegion", {"region": REGION})
    request = {"position": dict(zip(("latitude", "longitude"), HELSINKI)), "radiusM": 300, "name": "Our summer"}
    pin = call_as(server, ann["token"], f"{PINS}/CreatePin", request)["pin"]["id"]
    await_album(server, ann, pin)
    note = {"id": pin, "note": "<b>not bold</b>", "visitedDate": "2026-05-04"}
    call_as(server, ann["token"], f"{PINS}/AnnotatePin", note)
    return ann, ben, pin


def await_album(server, ann, pin):
    """Until its photos are there."""
    watch = f"{PHOTOS}/WatchAlbum:" + json.dumps({"subject": f"pin/{pin}"})
    path = "/events?watch=" + quote(watch, safe="")
    for event in server.system.web().events(path, Authorization=f"Bearer {ann['token']}"):
        summary = event.get("message", {}).get("album", {}).get("summary", {})
        if summary.get("state") == "ALBUM_STATE_COMPLETE" and summary.get("readyCount") == summary.get("photoCount"):
            return


def share(server, ann, ben, pin, right="GRANT_RIGHT_READ"):
    request = {"pinId": pin, "email": ben["account"]["email"], "right": right}
    return call_as(server, ann["token"], f"{GRANTS}/CreateGrant", request)["grant"]


def come(context, server, who, size, place):
    context.clear_cookies()
    enter(context, server.address, who["token"])
    return visit(context, server.address, size, place)


def status(context, server, path):
    return context.request.get(server.address + path).status


@pytest.mark.phone
def test_f83_a_pin_is_shared_with_an_account_which_reads_it_until_that_ends(server, people, context, watchman, size):
    watchman.tolerate("404", "400")
    (ann, ben, pin), email = people, people[1]["account"]["email"]
    visitor = come(context, server, ann, size, f"#/pin/{pin}/places")
    page, part = visitor.page, visitor.page.locator(".shares")
    visitor.tap(part.get_by_text("Share", exact=True))
    expect(part.get_by_text("Only you see this pin.")).to_be_visible()
    visitor.tap(part.get_by_role("button", name="Share with an account"))
    part.get_by_label("The address that they log in with").fill("ben")
    visitor.tap(part.locator(".grants").get_by_role("button", name="Share", exact=True))
    expect(part.locator(".field-wrong").filter(has_text=re.compile("."))).to_have_count(1)
    part.get_by_label("The address that they log in with").fill(email)
    picture(page, "f83-form")
    visitor.tap(part.locator(".grants").get_by_role("button", name="Share", exact=True))
    row = part.locator(".grants li")
    expect(row).to_contain_text(email)
    expect(part.get_by_text("Only you see this pin.")).not_to_be_visible()
    row.scroll_into_view_if_needed()
    picture(page, "f83-owner")
    assert (too_small(visitor, ".shares"), violations(page)) == ([], [])
    # An address that no account has looks the same.
    visitor.tap(part.get_by_role("button", name="Share with an account"))
    part.get_by_label("The address that they log in with").fill("none@example.org")
    visitor.tap(part.locator(".grants").get_by_role("button", name="Share", exact=True))
    expect(row).to_have_count(2)
    page.close()

    visitor = come(context, server, ben, size, "#/shared")
    page = visitor.page
    expect(page.locator(".list-row")).to_contain_text("Our summer")
    expect(page.locator(".list-row")).to_contain_text("by Ann Tester")
    picture(page, "f83-list")
    assert violations(page) == []
    visitor.tap(page.locator(".list-open"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Our summer")
    visitor.raise_panel()
    expect(page.locator(".shared-note")).to_have_text("<b>not bold</b>")
    expect(page.locator(".panel-sub").first).to_have_text("Shared by Ann Tester · visited May 4, 2026")
    expect(page.locator(".shared-photos li").first).to_be_visible()
    assert page.locator(".shared-places li").count() > 3
    assert page.evaluate("document.querySelector('.shared-map').decode().then(() => true)")
    expect(page.get_by_role("button", name="Add photos of your own")).not_to_be_visible()
    picture(page, "f83-page")
    assert violations(page) == []
    visitor.tap(page.locator(".shared-photos button").first)
    expect(page.locator(".shared-viewer .large.there")).to_be_visible()
    following = page.locator(".shared-viewer").get_by_role("button", name="Next photo")
    following.press("Enter")
    expect(following).to_be_focused()
    assert violations(page) == []
    picture(page, "f83-photo")
    page.keyboard.press("Escape")
    expect(page.locator(".shared-viewer")).to_have_count(0)
    # By its id the pin is as if it never was.
    refused, _ = server.system.web().call(f"{PINS}/GetPin", {"id": pin}, Authorization=f"Bearer {ben['token']}")
    assert refused == 404
    grants = call_as(server, ann["token"], f"{GRANTS}/ListGrants")["grants"]
    grant = next(grant for grant in grants if grant["email"] == email)
    answer = call_as(server, ben["token"], f"{SHARED}/GetSharedWithMe", {"id": grant["id"]})
    assert pin not in str(answer) and "folder/" not in str(answer)
    pictures = [answer["content"]["mapUrl"], answer["content"]["photos"][0]["thumbnailUrl"]]
    assert [status(context, server, path) for path in pictures] == [200, 200]
    # It ends with its pictures.
    call_as(server, ann["token"], f"{GRANTS}/DeleteGrant", {"id": grant["id"]})
    visitor.wait_until(
        "async (paths) => (await Promise.all(paths.map((path) => fetch(path)))).every(({ status }) => status === 404)",
        [server.address + path for path in pictures])
    page.reload()
    expect(page.get_by_role("heading", name="Nothing is shared with you")).to_be_visible()


def test_f83_it_is_taken_off_ones_own_list(server, people, context, size):
    ann, ben, pin = people
    grant = share(server, ann, ben, pin)
    visitor = come(context, server, ben, size, f"#/shared/{grant['id']}")
    visitor.raise_panel()
    visitor.press_twice(visitor.page.get_by_role("button", name="Take it off my list"))
    expect(visitor.page.get_by_role("heading", name="Nothing is shared with you")).to_be_visible()
    assert "grants" not in call_as(server, ann["token"], f"{GRANTS}/ListGrants")


def test_f83_the_pins_of_a_list_are_read(server, people, context, size):
    ann, ben, pin = people
    lists = "waymark.lists.v1.ListService"
    made = call_as(server, ann["token"], f"{lists}/CreateList", {"name": "Summer", "colour": "LIST_COLOUR_ORANGE"})
    call_as(server, ann["token"], f"{lists}/AddToList", {"id": made["list"]["id"], "pinIds": [pin]})
    request = {"listId": made["list"]["id"], "email": ben["account"]["email"]}
    grant = call_as(server, ann["token"], f"{GRANTS}/CreateGrant", request)["grant"]
    visitor = come(context, server, ben, size, f"#/shared/{grant['id']}")
    page = visitor.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Summer")
    visitor.raise_panel()
    expect(page.locator(".shared-mark")).to_have_count(1)
    picture(page, "f83-shared-list")
    assert violations(page) == []
    visitor.tap(page.locator(".list-open"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Our summer")
    expect(page.locator(".shared-photos li").first).to_be_visible()
    # One that is no more in the list is not shown.
    call_as(server, ann["token"], f"{lists}/RemoveFromList", {"id": made["list"]["id"], "pinIds": [pin]})
    refused, _ = server.system.web().call(
        f"{SHARED}/GetSharedWithMe", {"id": grant["id"], "pinId": pin}, Authorization=f"Bearer {ben['token']}")
    assert refused == 404


def test_f84_photos_are_added_to_a_shared_album(server, people, context, watchman, size):
    ann, ben, pin = people
    watchman.tolerate("404")
    grant = share(server, ann, ben, pin, "GRANT_RIGHT_ADD_PHOTOS")
    visitor = come(context, server, ben, size, f"#/shared/{grant['id']}")
    page = visitor.page
    expect(page.get_by_role("button", name="Add photos of your own")).to_be_visible()
    visitor.raise_panel()
    choose(visitor, ("one.jpg", jpeg(10)), ("two.jpg", jpeg(200)))
    mine = page.locator(".shared-photos li").filter(has_text="by you")
    expect(mine).to_have_count(2)
    mine.last.scroll_into_view_if_needed()
    picture(page, "f84-added")
    assert violations(page) == []
    visitor.tap(mine.first.locator("button"))
    picture(page, "f84-photo")
    delete = page.locator(".shared-viewer").get_by_role("button", name="Delete the photo")
    visitor.press_twice(delete, "Press again to delete the photo")
    expect(mine).to_have_count(1)
    page.close()

    # Ann sees who has added it, and removes it as any.
    visitor = come(context, server, ann, size, f"#/pin/{pin}/album")
    page = visitor.page
    visitor.raise_panel()
    tile = page.locator(".tile[data-photo^='upload/']")
    expect(tile).to_have_count(1)
    visitor.tap(tile)
    expect(page.locator("#viewer .credits")).to_contain_text("Ben added it")
    expect(page.locator("#viewer").get_by_role("button", name="Delete the photo")).to_have_count(0)
    picture(page, "f84-owner")
    page.keyboard.press("Escape")
    visitor.tap(page.get_by_role("button", name="Select"))
    visitor.tap(tile)
    visitor.tap(page.get_by_role("button", name="Remove 1"))
    expect(tile).to_have_count(0)
    # With the right to look alone nothing can be added.
    call_as(server, ann["token"], f"{GRANTS}/ChangeGrant", {"id": grant["id"], "right": "GRANT_RIGHT_READ"})
    own = call_as(server, ben["token"], "waymark.photos.v1.UploadService/ListUploads")["photos"]
    refused, _ = server.system.web().call(
        f"{SHARED}/AddSharedPhoto", {"id": grant["id"], "uploadId": own[0]["id"]},
        Authorization=f"Bearer {ben['token']}")
    assert refused == 403


def test_f83_without_accounts_there_are_links_only(server, context, size):
    """In open mode all have one profile."""
    pin = server.drop(*HELSINKI)
    visitor = visit(context, server.address, size, f"#/pin/{pin}/places")
    visitor.tap(visitor.page.locator(".shares").get_by_text("Share", exact=True))
    expect(visitor.page.get_by_role("button", name="Make a link")).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Share with an account")).not_to_be_visible()
    visitor.page.goto(f"{server.address}/#/shared")
    expect(visitor.page.get_by_role("heading", name="Not logged in")).to_be_visible()
    picture(visitor.page, "f83-open")
    assert server.system.web().call(f"{GRANTS}/ListGrants", {})[0] == 401
    server.call(f"{PINS}/DeletePin", {"id": pin})
