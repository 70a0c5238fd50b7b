"""The README's pictures, made by `Tests/BrowserTests/run --pictures`: the same view each time, of real data."""

from io import BytesIO

from PIL import Image
from playwright.sync_api import expect

from conftest import SIZES, ROOT
from visitor import Visitor

IMAGES = ROOT / "Docs/images"
# A page of the README shows it at most so wide.
DESK = {"viewport": {"width": 1200, "height": 760}}
LARGEST_BYTES = 300_000


def new_visitor(server, browser, watchman, settings, theme):
    context = browser.new_context(**settings, reduced_motion="reduce", color_scheme=theme, locale="en")
    watchman.look_after(context)
    return Visitor(context.new_page(), server.address, bool(settings.get("is_mobile")))


def keep(page, name):
    """Flat colours: 256 of them are enough, and take a third."""
    page.mouse.move(0, 0)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    path = IMAGES / name
    picture.quantize(256, Image.Quantize.MEDIANCUT, kmeans=4, dither=Image.Dither.NONE).save(path, optimize=True)
    assert path.stat().st_size < LARGEST_BYTES, path.stat().st_size


def helsinki(server):
    """Pins as they are after some days; the first one's id."""
    server.clear()
    ids = [server.filled(latitude, longitude, name=name, radius=radius) for latitude, longitude, name, radius in [
        (60.1679, 24.9434, "Esplanadi", 330), (60.1752, 24.9465, "Kaisaniemi", 250),
        (60.1711, 24.9421, "Railway station", 200),
    ]]
    return ids[0]


def test_desktop(server, browser, watchman):
    first = helsinki(server)
    visitor = new_visitor(server, browser, watchman, DESK, "light")
    visitor.open(f"#/pin/{first}/album")
    visitor.look_at(60.1687, 24.9442, 16)
    expect(visitor.page.locator(".tile.waiting")).to_have_count(0)
    visitor.page.wait_for_function(
        "() => [...document.querySelectorAll('#map .frame img')].every((image) => image.classList.contains('there'))")
    with server.halted("photos"):
        purple = server.drop(60.1704, 24.9478, name="Yliopistonkatu", radius=200)
        expect(visitor.pin(purple)).to_have_attribute("data-state", "partial")
        with server.halted("places"):
            red = server.drop(60.1664, 24.9490, name="Kasarmikatu", radius=200)
            expect(visitor.pin(red)).to_be_visible()
            keep(visitor.page, "map.png")


def test_phone(server, browser, watchman):
    first = helsinki(server)
    visitor = new_visitor(server, browser, watchman, SIZES["phone"], "dark")
    visitor.open(f"#/pin/{first}")
    visitor.look_at(60.1691, 24.9437, 16)
    expect(visitor.callout().locator("img.there")).to_have_count(4)
    keep(visitor.page, "map-phone.png")
