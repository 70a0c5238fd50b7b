"""The README's pictures, made by `Tests/BrowserTests/run --pictures`: the same view each time, of real data."""

import os
import subprocess
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect

from conftest import SIZES, ROOT
from server import BIN
from visitor import Visitor

IMAGES = ROOT / "Docs/images"
# A page of the README shows it at most so wide.
DESK = {"viewport": {"width": 1200, "height": 760}}
LARGEST_BYTES = 300_000


@pytest.fixture(scope="module")
def server(city):
    return city


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


def await_stillness(page):
    """Until the page looks the same for two seconds: tiles are drawn again as more of them comes."""
    before = None
    while before != (now := page.screenshot()):
        before = now
        page.wait_for_timeout(2000)


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


def test_own_city(server, browser, watchman):
    """Of an extract that is not part of the project: WAYMARK_PICTURE_REGION is "FILE,LATITUDE,LONGITUDE"."""
    if "WAYMARK_PICTURE_REGION" not in os.environ:
        pytest.skip("WAYMARK_PICTURE_REGION names no extract")
    path, latitude, longitude = os.environ["WAYMARK_PICTURE_REGION"].rsplit(",", 2)
    where = float(latitude), float(longitude)
    words = ["import", path, "--dataset", "city", "--target", server.system.gateway]
    subprocess.run([BIN / "waymark", *words], check=True, capture_output=True)
    server.clear()
    pin = server.filled(*where, name="Monte-Carlo", radius=300)
    visitor = new_visitor(server, browser, watchman, DESK, "light")
    visitor.open(f"#/pin/{pin}/places")
    visitor.look_at(*where, 16)
    await_stillness(visitor.page)
    keep(visitor.page, "own-city.png")
