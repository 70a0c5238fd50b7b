"""P26 P28 Photos of one's own, added to a pin's album."""

import base64
import io
import re
from xml.sax.saxutils import escape

import pytest
from PIL import Image
from playwright.sync_api import expect

from server import PHOTOS
from visitor import HELSINKI, quoted

UPLOADS = "waymark.photos.v1.UploadService"


def jpeg(shade, tags=()):
    """A picture that doesn't say where it was taken."""
    picture = io.BytesIO()
    Image.new("RGB", (900, 600), (shade, 120, 90)).save(picture, "JPEG", xmp=packet(tags))
    return picture.getvalue()


def packet(tags):
    """XMP, as programs write the tags of a photo into its file."""
    items = "".join(f"<rdf:li>{escape(tag)}</rdf:li>" for tag in tags)
    return f"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag>{items}</rdf:Bag>
        </dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>""".encode()


def uploaded(server, pin):
    photos = server.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{pin}"}).get("photos", [])
    return [photo["id"] for photo in photos if photo["id"].startswith("upload/")]


@pytest.fixture
def pin(server, visitor):
    """A pin whose album is open. What is uploaded to it goes at the end, when the page does not show it any more: other
    tests have the same account."""
    pin_id = server.filled(*HELSINKI)
    visitor.open(f"#/pin/{pin_id}/album")
    visitor.raise_panel()
    yield pin_id
    visitor.open("#/")
    for photo in uploaded(server, pin_id):
        server.call(f"{UPLOADS}/DeletePhoto", {"id": photo})


def choose(visitor, *files):
    field = visitor.page.locator("input[type=file]")
    field.set_input_files([{"name": name, "mimeType": "image/jpeg", "buffer": data} for name, data in files])


def test_f48_photos_are_added_and_deleted(server, visitor, pin):
    tiles = visitor.page.locator(".tile")
    before = tiles.count()
    choose(visitor, ("one.jpg", jpeg(10)), ("two.jpg", jpeg(200)))
    own = visitor.page.locator(".tile[data-photo^='upload/']")
    expect(own).to_have_count(2)
    expect(own.locator("img.there")).to_have_count(2)
    expect(own.last).to_be_in_viewport()
    expect(tiles).to_have_count(before + 2)
    expect(visitor.page.locator(".adding")).to_be_hidden()
    visitor.page.reload()
    visitor.raise_panel()
    visitor.tap(own.first)
    viewer = visitor.page.locator("#viewer")
    expect(viewer.locator(".large.there")).to_be_visible()
    expect(viewer.locator(".credits")).to_contain_text("Your photos")
    visitor.press_twice(viewer.get_by_role("button", name="Delete the photo"), "Press again to delete the photo")
    expect(viewer).to_be_hidden()
    expect(own).to_have_count(1)
    assert len(uploaded(server, pin)) == 1


def test_f48_one_that_is_no_picture_says_why_and_the_others_come(visitor, pin, watchman):
    watchman.tolerate("400 (Bad Request)", "412 (Precondition Failed)")
    choose(visitor, ("notes.jpg", b"no picture"), ("three.jpg", jpeg(90)))
    expect(visitor.notice("notes.jpg could not be added.")).to_contain_text("it is none of JPEG, PNG, WebP, HEIC, AVIF and TIFF")
    expect(visitor.page.locator(".tile[data-photo^='upload/']")).to_have_count(1)


def test_f48_what_was_broken_off_is_not_sent_twice(server, visitor, pin, context):
    sent = []
    visitor.page.on("request", lambda request: "AddUploadPart" in request.url and sent.append(request))
    choose(visitor, ("four.jpg", jpeg(50)))
    own = visitor.page.locator(".tile[data-photo^='upload/']")
    expect(own).to_have_count(1)
    count = len(sent)
    assert count > 0
    with visitor.page.expect_response(re.compile("StartUpload")) as answer:
        choose(visitor, ("again.jpg", jpeg(50)))
    assert "photo" in answer.value.json()
    expect(own).to_have_count(1)
    assert len(sent) == count


def test_f48_files_may_be_dropped_onto_the_album(visitor, pin):
    dropped = visitor.page.evaluate_handle("""(text) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], "five.jpg", { type: "image/jpeg" }));
        return transfer;
    }""", base64.b64encode(jpeg(70)).decode())
    visitor.page.dispatch_event(".album", "dragover", {"dataTransfer": dropped})
    expect(visitor.page.locator(".album.dropping")).to_have_count(1)
    visitor.page.dispatch_event(".album", "drop", {"dataTransfer": dropped})
    expect(visitor.page.locator(".tile[data-photo^='upload/']")).to_have_count(1)
    expect(visitor.page.locator(".album.dropping")).to_have_count(0)


def test_f48_the_own_digest_is_that_of_the_browser(visitor, pin):
    # A page over plain http has to reckon it itself.
    assert visitor.page.evaluate("""async () => {
        const { sha256, ownSHA256 } = await import("/modules/ground/sha256.js");
        for (const length of [0, 1, 55, 56, 63, 64, 65, 1000, 70000]) {
            const bytes = crypto.getRandomValues(new Uint8Array(Math.min(length, 65536)));
            if (ownSHA256(bytes) !== await sha256(bytes)) return false;
        }
        return true;
    }""")


def test_f48_the_viewer_leads_back_to_the_album(visitor, pin):
    choose(visitor, ("six.jpg", jpeg(130)))
    own = visitor.page.locator(".tile[data-photo^='upload/']")
    expect(own.locator("img.there")).to_have_count(1)
    photo = own.get_attribute("data-photo")
    visitor.tap(own)
    expect(visitor.page).to_have_url(re.compile(re.escape(quoted(photo))))
    # Else the photo would be deleted while its large picture is made.
    expect(visitor.page.locator("img.large.there")).to_have_count(1)


def test_f24_the_tags_of_a_photo_are_shown_and_are_text(visitor, pin):
    tags = ["Töölö", "old harbour", "<b>bold</b>", "w" * 64] + [f"tag {number}" for number in range(12)]
    choose(visitor, ("seven.jpg", jpeg(30, tags + ["one too many"])), ("eight.jpg", jpeg(60)))
    own = visitor.page.locator(".tile[data-photo^='upload/']")
    expect(own.locator("img.there")).to_have_count(2)
    visitor.tap(own.first)
    viewer = visitor.page.locator("#viewer")
    expect(viewer.locator(".large.there")).to_be_visible()
    shown = viewer.get_by_role("list", name="Tags")
    expect(shown.get_by_role("listitem")).to_have_text(tags)
    assert shown.evaluate("(list) => list.scrollWidth <= list.clientWidth")
    visitor.page.keyboard.press("ArrowRight")
    expect(viewer.locator(".large.there")).to_be_visible()
    expect(shown).to_have_count(0)
