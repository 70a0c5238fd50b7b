"""The page of a pin, its album and its photos on the map; the numbers are those of Docs/Flows.md."""

import re

import pytest
from playwright.sync_api import expect

from conftest import picture
from server import PHOTOS
from test_access import too_small, violations, violations_in_both_themes
from visitor import HELSINKI, quoted

LONG = "Where we sat in the sun until the last ferry of the summer had gone, and then walked home"
# Which part of the panel is what it is for, without scrolling: from the first picture or place down.
SHARE = """(first) => {
    const panel = document.getElementById("panel").getBoundingClientRect();
    const list = document.querySelector(first).parentElement.getBoundingClientRect();
    return (Math.min(panel.bottom, list.bottom) - list.top) / panel.height;
}"""
UNFOCUSED = "document.activeElement === document.body"


@pytest.mark.both
@pytest.mark.parametrize("name", ["Esplanadi", LONG], ids=["short", "long"])
def test_f13_f18_most_of_a_pins_page_is_places_or_photos(server, visitor, name):
    pin_id = server.filled(*HELSINKI, name=name)
    least = 0.45 if visitor.is_phone else 0.6
    for view, first in (("places", ".place"), ("album", ".tile")):
        visitor.open(f"#/pin/{pin_id}/{view}")
        expect(visitor.page.locator(first).first).to_be_in_viewport()
        share = visitor.page.evaluate(SHARE, first)
        assert share >= least, (view, share)
        head = visitor.page.locator(".pin-title")
        title, state = head.locator("h1").bounding_box(), head.locator(".state").bounding_box()
        middle = state["y"] + state["height"] / 2
        assert title["y"] <= middle <= title["y"] + title["height"]
        picture(visitor.page, f"pin-{view}")
        # What stands there is no wider than the panel.
        assert visitor.page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)"
                                     "(document.querySelector('.panel-head'))")


def test_f36_the_menu_of_a_pin_closes_as_menus_do(server, visitor):
    page = visitor.open(f"#/pin/{server.filled(*HELSINKI)}/places").page
    more, menu = page.get_by_role("button", name="More", exact=True), page.locator(".menu")
    visitor.tap(more)
    expect(menu).to_be_visible()
    assert (too_small(visitor, ".menu"), violations_in_both_themes(page)) == ([], [])
    picture(page, "pin-menu")
    visitor.tap(page.locator(".pin-title h1"))
    expect(menu).to_be_hidden()
    more.press("Enter")
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(more).to_be_focused()
    # Where the sheet is low, it stands above its button.
    if visitor.is_phone:
        page.locator(".grip").press("ArrowDown")
    visitor.tap(more)
    expect(menu).to_be_in_viewport(ratio=1)
    visitor.choose("Move") if not menu.is_visible() else visitor.tap(menu.get_by_role("button", name="Move"))
    expect(page.locator("#banner")).to_contain_text("Put it here")
    page.keyboard.press("Escape")


def test_f64_f65_f68_one_part_of_a_pins_page_is_open_at_a_time(server, visitor):
    page = visitor.open(f"#/pin/{server.filled(*HELSINKI)}/places").page
    parts = {"Lists": ".list-choices", "Share": ".share-list"}
    for name, part in parts.items():
        chip = page.locator(".pin-chips").get_by_role("button", name=name)
        visitor.tap(chip)
        expect(chip).to_have_attribute("aria-expanded", "true")
        expect(page.locator(".pin-chips [aria-expanded=true]")).to_have_count(1)
    visitor.tap(page.locator(".pin-chips").get_by_role("button", name="Share"))
    expect(page.locator(".pin-chips [aria-expanded=true]")).to_have_count(0)


def test_f19_rows_of_pictures_are_as_wide_as_there_is_room(modules):
    """In their own proportions, of any number, at any width."""
    rows = modules.evaluate("""async () => {
        const { rowsOf } = await import("/modules/photos/rows.js");
        const shapes = [1.5, 0.75, 1.33, 1, 1.78, 0.5, 2.4];
        const found = [];
        for (const width of [320, 390, 396, 1000]) {
            for (let count = 1; count <= 30; count += 1) {
                const asked = Array.from({ length: count }, (_, index) => shapes[(index * 3 + count) % shapes.length]);
                found.push({ width, asked, sizes: rowsOf(asked, { width, high: 130, gap: 3 }) });
            }
        }
        return found;
    }""")
    for row in rows:
        assert len(row["sizes"]) == len(row["asked"])
        at = 0
        for shape, size in zip(row["asked"], row["sizes"]):
            assert abs(size["width"] / size["height"] - shape) < 0.06, (shape, size)
            at += size["width"] + (3 if at else 0)
            assert at <= row["width"], row
            if at == row["width"]:
                at = 0
            elif size is not row["sizes"][-1] and at + 30 > row["width"]:
                raise AssertionError(row)


def test_f19_a_picture_that_is_fetched_says_how_much_has_come(modules):
    shown = modules.evaluate("""async () => {
        const { frame, show } = await import("/modules/photos/picture.js");
        const box = frame();
        const state = "PHOTO_STATE_DOWNLOADING";
        const told = (photo) => {
            show(box, { id: "a/b", ...photo });
            const [note, bar] = [".frame-note", ".frame-bar"].map((part) => box.querySelector(part));
            return [note.hidden ? "" : note.textContent, bar.hidden ? "" : bar.firstChild.style.transform];
        };
        return [
            told({ state: "PHOTO_STATE_WAITING" }), told({ state }), told({ state, totalByteCount: "4000" }),
            told({ state, totalByteCount: "4000", fetchedByteCount: "1000" }),
            told({ state, fetchedByteCount: "2000" }),
            told({ state: "PHOTO_STATE_READY" }),
        ];
    }""")
    assert shown == [["Waits", "scaleX(0)"], ["Loading", "scaleX(0)"], ["0%", "scaleX(0)"], ["25%", "scaleX(0.25)"],
                     ["2 kB", "scaleX(0)"], ["", ""]]


def test_f19_what_is_large_on_the_screen_gets_the_large_picture(modules):
    sources = modules.evaluate("""async () => {
        const { fit, frame, show } = await import("/modules/photos/picture.js");
        const photo = { id: "a/b", state: "PHOTO_STATE_READY", thumbnailUrl: "data:,thumbnail", largeUrl: "data:,large" };
        return [[200, 130], [900, 600]].map(([width, height]) => {
            const box = frame();
            fit(box, width, height);
            show(box, photo);
            return box.querySelector("img").src;
        });
    }""")
    assert sources == ["data:,thumbnail", "data:,large"]


def test_f16_a_photo_gets_its_star_in_the_album(server, visitor):
    pin_id = server.filled(*HELSINKI)
    page = visitor.open(f"#/pin/{pin_id}/album").page
    tile = page.locator(".tile").first
    star = tile.locator(".tile-star")
    tile.hover() if not visitor.is_phone else None
    visitor.tap(star)
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".tile.starred")).to_have_count(1)
    # It opens nothing, and the viewer knows it.
    expect(page.locator("#viewer")).to_be_hidden()
    visitor.settle()
    photo_id = tile.get_attribute("data-photo")
    listed = server.call(f"{PHOTOS}/ListFavourites", {})["favourites"]
    assert [each["photo"]["id"] for each in listed] == [photo_id]
    visitor.tap(tile.locator(".tile-open"))
    viewer_star = page.locator("#viewer").get_by_role("button", name="Favourite")
    expect(viewer_star).to_have_attribute("aria-pressed", "true")
    visitor.tap(viewer_star)
    visitor.settle()
    page.keyboard.press("Escape")
    expect(page.locator(".tile.starred")).to_have_count(0)


@pytest.mark.phone
def test_f24_a_finger_goes_to_the_next_photo_and_closes(server, visitor):
    pin_id = server.filled(*HELSINKI)
    [first, second, *_] = server.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{pin_id}"})["photos"]
    page = visitor.open(f"#/pin/{pin_id}/album/photo/{quoted(first['id'])}").page
    viewer = page.locator("#viewer")
    expect(viewer.locator(".large.there")).to_be_visible()
    box = viewer.locator(".stage").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def swipe(x, y):
        visitor.drag(middle, (middle[0] + x, middle[1] + y))

    # Too little: it goes back.
    swipe(-40, 0)
    expect(viewer.locator(".credits")).to_contain_text(first["title"])
    swipe(-140, 0)
    expect(viewer.locator(".credits")).to_contain_text(second["title"])
    expect(page).to_have_url(re.compile(re.escape(quoted(second["id"]))))
    swipe(140, 10)
    expect(viewer.locator(".credits")).to_contain_text(first["title"])
    # There is none before the first.
    swipe(140, 0)
    expect(viewer.locator(".credits")).to_contain_text(first["title"])
    # A picture that is zoomed moves instead.
    # By its key: a browser takes a tap that follows a swipe at once for what stops it.
    page.keyboard.press("+")
    expect(viewer.locator(".stage")).to_have_attribute("data-scale", "1.50")
    swipe(0, 160)
    expect(viewer).to_be_visible()
    page.keyboard.press("0")
    expect(viewer.locator(".stage")).to_have_attribute("data-scale", "1.00")
    swipe(0, 160)
    expect(viewer).to_be_hidden()
    expect(page).to_have_url(re.compile("/album$"))


def test_f25_a_photo_has_a_small_map_of_where_it_was_taken(city, visitor, watchman):
    watchman.server = city
    pin_id = city.filled(*HELSINKI)
    visitor.address = city.address
    [first, *_] = city.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{pin_id}"})["photos"]
    page = visitor.open(f"#/pin/{pin_id}/album/photo/{quoted(first['id'])}").page
    small = page.locator("#viewer .small-map")
    expect(small.locator("canvas.leaflet-tile-loaded").first).to_be_visible()
    expect(small).to_contain_text("OpenStreetMap")
    assert (too_small(visitor, "#viewer"), violations_in_both_themes(page)) == ([], [])
    picture(page, "viewer-map")
    # A link to that spot, which the keyboard finds too; where there are no streets it shows more of the land.
    link = small.get_by_role("link", name="Show it on the map")
    latitude, longitude = first["position"]["latitude"], first["position"]["longitude"]
    expect(link).to_have_attribute("href", f"#15/{latitude:.5f}/{longitude:.5f}")
    assert page.evaluate("""async () => {
        const { zoomAround } = await import("/modules/map/smallmap.js");
        return zoomAround({ lat: 64.1, lng: -21.9 });
    }""") == 9
    visitor.look_at(0, 0, 3)
    link.press("Enter") if visitor.is_phone else visitor.tap(link)
    expect(page.locator("#viewer")).to_be_hidden()
    visitor.wait_until("""async (zoom) => (await import("/modules/map/map.js")).map.getZoom() === zoom""", 15)
    assert visitor.seen()[:2] == pytest.approx([latitude, longitude], abs=1e-3)
    city.clear()


def test_c9_without_a_title_a_photo_is_called_by_who_made_it_and_when(modules):
    names = modules.evaluate("""async () => {
        const { nameOf } = await import("/modules/photos/photoname.js");
        return [
            { id: "folder/1", title: "Steps" }, { id: "upload/1" }, { id: "commons/1", author: "Ann" },
            { id: "upload/2", addedBy: "Ben", takenTime: "2026-05-04T10:00:00Z" }, { id: "folder/2024/market.jpg" },
        ].map(nameOf);
    }""")
    assert names == ["Steps", "Photo of yours", "Photo by Ann", "Photo by Ben, 4 May 2026", "market.jpg"]


def test_f95_networks_whose_names_are_words_are_called_as_the_gateway_calls_them(modules):
    assert modules.evaluate("""async () => {
        const { networks } = await (await fetch("/settings.json")).json();
        const { networkName } = await import("/modules/ground/words.js");
        return Object.entries(networks).filter(([network, label]) => networkName(network) !== label);
    }""") == []


def test_v9_the_focus_is_never_lost_when_a_pin_is_deleted_and_brought_back(server, visitor):
    pin_id = server.filled(*HELSINKI)
    page = visitor.open(f"#/pin/{pin_id}").page
    delete = visitor.callout().locator(".delete")
    delete.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    undo = visitor.notice("is deleted").get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    page.keyboard.press("Enter")
    expect(visitor.pin(pin_id)).to_be_visible()
    expect(visitor.notice("is deleted")).to_have_count(0)
    assert not page.evaluate(UNFOCUSED)
    # With the mouse it stays in the page, too.
    visitor.tap_pin(pin_id)
    visitor.tap(delete)
    visitor.tap(delete)
    expect(visitor.pin(pin_id)).to_have_count(0)
    assert not page.evaluate(UNFOCUSED)
    visitor.tap(undo)
    expect(visitor.pin(pin_id)).to_be_visible()
    assert not page.evaluate(UNFOCUSED)


def test_f37_a_link_to_a_view_shows_it_and_is_copied(server, visitor, context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visitor.open("#15/60.19000/24.96000").page
    assert visitor.seen() == pytest.approx([60.19, 24.96, 15], abs=2e-4)
    visitor.look_at(60.2, 24.9, 13)
    visitor.tap(page.get_by_role("button", name="Show places and photos"))
    visitor.tap(page.get_by_role("button", name="Copy a link to this view"))
    expect(visitor.notice("The link is copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(re.escape(server.address) + r"/#13/60\.\d{5}/24\.\d{5}", link), link
    page.evaluate("location.hash = '#16/48.85/2.35'")
    visitor.wait_until("async () => (await import('/modules/map/map.js')).map.getZoom() === 16")
    # What is none leads to the map.
    visitor.open("#16/91/2")
    expect(page.get_by_role("heading", name="Waymark")).to_be_visible()


def test_f89_the_photos_of_one_mark_have_a_picture_and_open_as_a_strip(server, visitor):
    server.filled(*HELSINKI)
    page = visitor.open().page
    visitor.look_at(*HELSINKI, 13)
    visitor.tap(page.get_by_role("button", name="Show places and photos"))
    visitor.tap(page.locator(".marks-menu .chip").filter(has_text="All photos"))
    page.keyboard.press("Escape")
    # One that has the picture of an album that was opened.
    pile = page.locator(".photo-pile").filter(has=page.locator("img.there")).first
    expect(pile).to_be_visible()
    expect(pile).to_have_attribute("aria-label", re.compile(r"^[\d,]+ photos$"))
    number = int(pile.locator("b").inner_text())
    pile.press("Enter")
    strip = page.get_by_role("region", name="Photos here")
    expect(strip.locator(".frame")).to_have_count(number)
    picture(page, "f89-strip")
    assert (too_small(visitor, ".photo-strip"), violations(page)) == ([], [])
    visitor.tap(strip.locator(".strip button").first)
    expect(page.locator("#viewer .credits")).to_contain_text(f"1 of {number}")
    page.keyboard.press("Escape")
    expect(strip.locator(".strip button").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(strip).to_have_count(0)
    assert not page.evaluate(UNFOCUSED)


def test_f22_photos_are_chosen_by_drawing_over_them(server, visitor):
    page = visitor.open(f"#/pin/{server.filled(*HELSINKI)}/album").page
    if visitor.is_phone:
        pytest.skip("a finger that is drawn scrolls")
    visitor.tap(page.get_by_role("button", name="Select"))
    boxes = [tile.bounding_box() for tile in page.locator(".tile").all()[:3]]
    x, y = ([box[side] + 30 for box in boxes] for side in ("x", "y"))
    page.mouse.move(x[0], y[0])
    page.mouse.down()
    for index in (1, 2):
        page.mouse.move(x[index], y[index], steps=4)
    page.mouse.up()
    expect(page.locator(".tile-open[aria-pressed=true]")).to_have_count(3)
    expect(page.get_by_role("button", name="Remove 3")).to_be_visible()


def test_f18_an_album_is_shown_by_day(modules):
    parts = modules.evaluate("""async () => {
        const { partsOf } = await import("/modules/photos/days.js");
        const photos = [
            { id: 1, takenTime: "2026-05-04T10:00:00Z" }, { id: 2 }, { id: 3, takenTime: "2026-05-05T23:30:00Z" },
            { id: 4, takenTime: "2026-05-05T23:30:00Z", takenOffsetMinutes: 60 },
            { id: 5, takenTime: "2026-05-04T12:00:00Z" },
        ];
        const told = ({ title, photos }) => [title, photos.map(({ id }) => id)];
        return ["", "day"].map((order) => partsOf(photos, order).map(told));
    }""")
    assert parts[0] == [["", [1, 2, 3, 4, 5]]]
    assert parts[1] == [["6 May 2026", [4]], ["5 May 2026", [3]], ["4 May 2026", [5, 1]], ["Day not known", [2]]]
