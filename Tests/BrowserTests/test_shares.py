"""P49 Links to pins; the numbers are those of Docs/Flows.md."""

import re

import pytest
from playwright.sync_api import expect

from conftest import picture
from server import PINS
from test_access import too_small, violations
from visitor import HELSINKI, Visitor

SHARES = "waymark.shares.v1.ShareService"
SHARED = "waymark.gateway.v1.SharedService/GetSharedPin"


@pytest.fixture(scope="module")
def server(city):
    return city


def share(server, pin_id, **more):
    return server.call(f"{SHARES}/CreateShare", {"pinId": pin_id} | more)["share"]


def look(context, server, made):
    """Someone opens the link who has nothing else: no cookie, and nothing of the app."""
    page = context.new_page()
    page.goto(server.address + made["path"], wait_until="domcontentloaded")
    expect(page.locator("main[aria-busy]")).to_have_count(0)
    return page


def status(context, server, path):
    return context.request.get(server.address + path).status


@pytest.mark.phone
def test_f65_a_link_is_made_copied_seen_and_ended(server, visitor, context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    pin_id = server.filled(*HELSINKI)
    page = visitor.open(f"#/pin/{pin_id}/places").page
    part = page.locator(".shares")
    visitor.tap(part.get_by_text("Share", exact=True))
    expect(part.get_by_text("Only you see this pin.")).to_be_visible()
    visitor.tap(part.get_by_role("button", name="Make a link"))
    part.get_by_label("It opens for").select_option(label="A month")
    part.get_by_label("Password, if it needs one").fill("swordfish")
    picture(page, "f65-form")
    visitor.tap(part.get_by_role("button", name="Make the link"))
    expect(part.locator("li")).to_have_count(1)
    expect(part.locator("li")).to_contain_text("with a password · not opened yet")
    assert (too_small(visitor, ".shares"), violations(page)) == ([], [])
    picture(page, "f65-made")
    made = server.call(f"{SHARES}/ListShares", {"pinId": pin_id})["shares"][0]
    assert page.evaluate("navigator.clipboard.readText()") == server.address + made["path"]
    end = part.get_by_role("button", name="End it")
    visitor.tap(end)
    visitor.tap(part.get_by_role("button", name="End it for all?"))
    expect(part.get_by_text("Only you see this pin.")).to_be_visible()
    assert "shares" not in server.call(f"{SHARES}/ListShares", {"pinId": pin_id})


def test_f66_who_has_the_link_sees_the_pin_its_places_and_its_photos_and_nothing_else(server, context, watchman):
    watchman.tolerate("404")
    pin_id = server.filled(*HELSINKI)
    server.call(f"{PINS}/AnnotatePin", {"id": pin_id, "note": "<b>not bold</b>", "visitedDate": "2026-05-04"})
    made = share(server, pin_id, withNote=True)
    page = look(context, server, made)
    expect(page.get_by_role("heading", level=1)).to_have_text("Esplanadi")
    expect(page.locator(".shared-note")).to_have_text("<b>not bold</b>")
    expect(page.locator(".shared-facts")).to_contain_text("visited May 4, 2026")
    expect(page.locator(".shared-photos li").first).to_be_visible()
    assert page.locator(".shared-places li").count() > 3
    assert page.evaluate("document.querySelector('.shared-map').decode().then(() => true)")
    picture(page, "f66-page")
    assert violations(page) == []
    page.locator(".shared-photos button").first.click()
    viewer = page.locator("#shared-viewer")
    expect(viewer.locator(".large.there")).to_be_visible()
    # The button that leads on keeps the focus.
    following = viewer.get_by_role("button", name="Next photo")
    following.press("Enter")
    following.press("Enter")
    expect(viewer.get_by_role("status")).to_have_text(re.compile("^3 of "))
    expect(following).to_be_focused()
    assert violations(page) == []
    picture(page, "f66-photo")
    page.keyboard.press("Escape")
    expect(page.locator("#shared-viewer")).not_to_be_visible()
    # Neither ids nor names of files are in what the page was sent.
    answer = server.call(SHARED, {"token": made["path"].split("/")[-1]})
    assert pin_id not in str(answer) and "folder/" not in str(answer) and ".jpg" not in str(answer)
    pictures = [answer["mapUrl"], answer["photos"][0]["thumbnailUrl"], answer["photos"][0]["largeUrl"]]
    assert [status(context, server, path) for path in pictures] == [200, 200, 200]
    assert status(context, server, pictures[1][:-2] + "AA") == 404
    # What the app had opened is closed with the link.
    server.call(f"{SHARES}/DeleteShare", {"id": made["id"]})
    Visitor(page, server.address, False).wait_until(
        "async (paths) => (await Promise.all(paths.map((path) => fetch(path)))).every(({ status }) => status === 404)",
        [server.address + path for path in pictures])
    assert status(context, server, made["path"]) == 404
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("This link leads nowhere")
    picture(page, "f66-gone")


def test_f66_beside_a_photo_is_where_it_was_taken_where_that_may_be_said(server, context):
    made = share(server, server.filled(*HELSINKI))
    page = context.new_page()

    def place(route):
        """The first photo as one of a network: those of a folder don't say where they are from."""
        answer = route.fetch().json()
        answer["photos"][0] |= {"position": {"latitude": 60.1675, "longitude": 24.943}, "mapUrl": answer["mapUrl"]}
        route.fulfill(json=answer)

    page.route(f"**/{SHARED}", place)
    with page.expect_response(f"**/{SHARED}"):
        page.goto(server.address + made["path"])
    photos = page.locator(".shared-photos button")
    expect(photos.nth(1)).to_be_visible()
    photos.first.click()
    small = page.locator("#shared-viewer .small-map")
    expect(small.get_by_role("link", name="Open in a map app")).to_have_attribute(
        "href", "geo:60.1675,24.943?q=60.1675,24.943")
    expect(small.locator("figcaption")).to_contain_text("© OpenStreetMap contributors")
    expect(small.locator("img")).to_be_visible()
    assert violations(page) == []
    picture(page, "f66-where")
    page.get_by_role("button", name="Next photo").click()
    expect(page.locator("#shared-viewer .large")).to_have_count(1)
    expect(small).to_have_count(0)


@pytest.mark.phone
def test_f65_f66_a_list_is_shared_and_who_has_the_link_sees_its_pins_and_nothing_else(
    server, visitor, context, watchman
):
    watchman.tolerate("404")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    pins = [server.drop(*HELSINKI, name="<b>Esplanadi</b>"), server.drop(60.1712, 24.9410, name="Station")]
    other = server.drop(60.18, 24.95, name="Home")
    server.call(f"{PINS}/AnnotatePin", {"id": pins[1], "note": "a secret", "visitedDate": "2026-05-04"})
    made = server.call("waymark.lists.v1.ListService/CreateList", {"name": "Summer", "colour": "LIST_COLOUR_ORANGE"})
    list_id = made["list"]["id"]
    server.call("waymark.lists.v1.ListService/AddToList", {"id": list_id, "pinIds": pins})
    page = visitor.open(f"#/lists/{list_id}").page
    part = page.locator(".shares")
    visitor.tap(part.get_by_text("Share", exact=True))
    expect(part.get_by_text("Only you see this list.")).to_be_visible()
    visitor.tap(part.get_by_role("button", name="Make a link"))
    visitor.tap(part.get_by_label("With the days of my visits"))
    visitor.tap(part.get_by_role("button", name="Make the link"))
    expect(part.locator("li")).to_have_count(1)
    picture(page, "f65-list")
    assert (too_small(visitor, ".shares"), violations(page)) == ([], [])
    made = server.call(f"{SHARES}/ListShares", {"listId": list_id})["shares"][0]
    page = look(context, server, made)
    expect(page.get_by_role("heading", level=1)).to_have_text("Summer")
    expect(page.locator(".shared-places strong")).to_have_text(["Station", "<b>Esplanadi</b>"])
    expect(page.locator(".shared-places li").first).to_contain_text("visited May 4, 2026")
    assert page.evaluate("document.querySelector('.shared-map').decode().then(() => true)")
    frame = page.locator(".shared-map").bounding_box()
    around = page.locator(".shared-marked").bounding_box()
    assert [round(around[side]) for side in around] == [round(frame[side]) for side in frame]
    for mark in page.locator(".shared-mark").all():
        box = mark.bounding_box()
        assert frame["x"] < box["x"] < frame["x"] + frame["width"] - box["width"]
        assert frame["y"] < box["y"] < frame["y"] + frame["height"] - box["height"]
    expect(page.locator(".shared-mark")).to_have_count(2)
    picture(page, "f66-list")
    assert violations(page) == []
    answer = str(server.call(SHARED, {"token": made["path"].split("/")[-1]}))
    assert not any(secret in answer for secret in [*pins, other, list_id, "secret", "Home"])
    # It ends with the list.
    server.call("waymark.lists.v1.ListService/DeleteList", {"id": list_id})
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("This link leads nowhere")


@pytest.mark.phone
def test_f65_f66_an_album_is_shared_alone_and_nothing_says_where_it_is(server, visitor, context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    pin_id = server.filled(*HELSINKI, name="Our summer")
    server.call(f"{PINS}/AnnotatePin", {"id": pin_id, "note": "a secret", "visitedDate": "2026-05-04"})
    page = visitor.open(f"#/pin/{pin_id}/places").page
    part = page.locator(".shares")
    visitor.tap(part.get_by_text("Share", exact=True))
    visitor.tap(part.get_by_role("button", name="Make a link"))
    part.get_by_label("It shows").select_option(label="Its photos alone, not where it is")
    expect(part.get_by_label("With my note and the day of my visit")).not_to_be_visible()
    picture(page, "f65-album-form")
    visitor.tap(part.get_by_role("button", name="Make the link"))
    expect(part.locator("li")).to_contain_text("the album alone")
    assert (too_small(visitor, ".shares"), violations(page)) == ([], [])
    made = server.call(f"{SHARES}/ListShares", {"pinId": pin_id})["shares"][0]
    token = made["path"].split("/")[-1]
    page = look(context, server, made)
    expect(page.get_by_role("heading", level=1)).to_have_text("Our summer")
    expect(page.locator(".shared-photos li").first).to_be_visible()
    expect(page.locator(".shared-map, .shared-places, .shared-note")).to_have_count(0)
    picture(page, "f66-album")
    assert violations(page) == []
    # Nothing that was sent says where it is: neither the answer, nor the page, nor its preview.
    places = server.call(f"{PINS}/ListPinPlaces", {"id": pin_id})["places"]
    names = {place["name"] for place in places if place.get("name")}
    assert len(names) > 3
    answer = context.request.post(server.address + "/" + SHARED, data={"token": token}).text()
    preview = context.request.get(server.address + made["path"]).text()
    assert 'content="Our summer"' in preview and 'content="An album of photos."' in preview
    secrets = [*names, pin_id, "secret", "2026-05-04", '"latitude', "60.1", "24.9"]
    for text in [answer, preview, page.content()]:
        assert not [secret for secret in secrets if secret in text]
    # A name that the server gave the pin says where it is too.
    unnamed = server.drop(*HELSINKI, name="")
    bare = server.call(SHARED, {"token": share(server, unnamed, albumOnly=True)["path"].split("/")[-1]})
    assert "name" not in bare and bare["albumOnly"]


def test_f66_a_password_is_asked_for_and_a_wrong_one_is_said(server, context, watchman):
    watchman.tolerate("401", "404")
    made = share(server, server.filled(*HELSINKI), password="swordfish")
    page = look(context, server, made)
    field = page.get_by_label("Password")
    expect(field).to_be_focused()
    # Not even the name is said before.
    assert "Esplanadi" not in page.content()
    field.fill("trout")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_have_text("This is not the password.")
    picture(page, "f66-password")
    assert violations(page) == []
    page.get_by_label("Password").fill("swordfish")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Esplanadi")


def test_f66_a_page_is_seen_before_it_asks_again_and_ends_with_its_link(server, context, watchman):
    watchman.tolerate("status of 404")
    made = share(server, server.filled(*HELSINKI, name="</script><b>Esplanadi"))
    page = context.new_page()
    asked = []
    page.route(f"**/{SHARED}", lambda route: asked.append(route))
    page.goto(server.address + made["path"])
    expect(page.get_by_role("heading", level=1)).to_have_text("</script><b>Esplanadi")
    expect(page.locator(".shared-photos li").first).to_be_visible()
    assert page.locator(".shared-places li").count() > 3
    server.call(f"{SHARES}/DeleteShare", {"id": made["id"]})
    asked[0].continue_()
    expect(page.get_by_role("heading", level=1)).to_have_text("This link leads nowhere")
    # Where a password is needed, the page has nothing before it is typed.
    closed = share(server, server.drop(name="Esplanadi"), password="swordfish")
    text = context.request.get(server.address + closed["path"]).text()
    assert "Esplanadi" not in text and 'id="shared-answer"' not in text


def test_f66_a_preview_has_the_name_and_no_markup_of_it(server, context):
    pin_id = server.drop(name="\"><script>alert(1)</script>")
    answer = context.request.get(server.address + share(server, pin_id)["path"])
    assert re.search(r'property="og:title" content="&quot;&gt;&lt;script&gt;alert\(1\)&lt;/script&gt;"', answer.text())
    assert "<script>alert" not in answer.text()
    assert answer.headers["referrer-policy"] == "no-referrer" and answer.headers["x-robots-tag"] == "noindex"
    # To look at it is not to open it.
    assert "openCount" not in server.call(f"{SHARES}/ListShares", {"pinId": pin_id})["shares"][0]
