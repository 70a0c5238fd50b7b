"""P26 What of the folder of pictures is left out; the number is that of Docs/Flows.md."""

import pytest
from playwright.sync_api import expect

from conftest import picture
from server import Server
from test_access import violations


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "2024").mkdir()
    (folder / "2024" / "notes.jpg").write_text("This is no picture.")
    (folder / "empty.png").write_bytes(b"")
    server = Server(pictures=folder)
    yield server
    server.stop()


@pytest.mark.both
def test_f98_what_is_left_out_is_a_page_with_the_reasons(server, visitor):
    page = visitor.page
    visitor.open("#/settings")
    visitor.tap(page.get_by_role("button", name="2 files of the folder of pictures are left out"))
    expect(page.get_by_role("heading", name="Left out")).to_be_visible()
    files = page.locator(".left-out-files li")
    expect(files).to_have_count(2)
    expect(files.nth(0)).to_contain_text("2024/notes.jpg")
    expect(files.nth(0)).to_contain_text("It is none of JPEG")
    assert violations(page) == []
    picture(page, "f98-left-out")
    visitor.tap(page.get_by_role("button", name="Settings").first)
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
