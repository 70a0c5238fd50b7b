"""P25 An album is downloaded; the number is that of Docs/Flows.md."""

import json
import subprocess
import zipfile

from playwright.sync_api import expect

from conftest import picture
from server import BIN, PHOTOS, PrivateGateway
from visitor import HELSINKI


def waymark(*words):
    return subprocess.run([BIN / "waymark", *map(str, words)], check=True, capture_output=True, text=True).stdout


def button(visitor):
    return visitor.page.get_by_role("button", name="Download album")


def test_f55_an_album_is_downloaded_as_the_command_exports_it(server, visitor, tmp_path):
    pin = server.filled(*HELSINKI, name="Esplanadi, by the sea")
    visitor.open(f"#/pin/{pin}/album")
    visitor.raise_panel()
    expect(visitor.page.locator(".tile img.there").first).to_be_visible()
    picture(visitor.page, "f55-an-album-can-be-downloaded")
    with visitor.page.expect_download() as begun:
        visitor.tap(button(visitor))
    assert begun.value.suggested_filename == "Esplanadi-by-the-sea.zip"
    archive, exported = tmp_path / "downloaded.zip", tmp_path / "exported.zip"
    begun.value.save_as(archive)
    assert waymark("album", "verify", archive).endswith("all as they were exported\n")
    photos = server.call(f"{PHOTOS}/GetAlbum", {"subject": f"pin/{pin}"})["photos"]
    with zipfile.ZipFile(archive) as files:
        manifest = json.loads(files.read("manifest.json"))
        assert [photo["id"] for photo in manifest["photos"]] == [photo["id"] for photo in photos]
        assert files.testzip() is None
    waymark("album", "export", pin, exported, "--target", server.system.gateway)
    assert archive.read_bytes() == exported.read_bytes()
    # The page is where it was.
    expect(button(visitor)).to_be_enabled()


def test_f55_an_album_without_photos_offers_no_download(server, visitor):
    pin = server.filled(-44.0, -120.0)
    visitor.open(f"#/pin/{pin}/album")
    expect(visitor.page.get_by_role("heading", name="No images")).to_be_visible()
    expect(button(visitor)).to_be_hidden()


def test_f55_a_download_that_is_not_possible_says_so(server, visitor, watchman, tmp_path):
    pin = server.filled(*HELSINKI)
    gateway = PrivateGateway(server, tmp_path, ["a-token-of-somebody user"])
    try:
        watchman.server = gateway
        watchman.tolerate("401", "ERR_", "/events?watch")
        visitor.page.goto(f"{gateway.address}/#/pin/{pin}/album")
        visitor.use_token("a-token-of-somebody")
        visitor.raise_panel()
        expect(button(visitor)).to_be_visible()
    finally:
        gateway.stop()
    visitor.tap(button(visitor))
    expect(visitor.notice("The album can't be downloaded. The server did not answer.")).to_be_visible()
    expect(button(visitor)).to_be_enabled()
