"""P48 Keys for programs on the map; the numbers are those of Docs/Flows.md."""

import pytest
from playwright.sync_api import expect

from accounts import enter, new_email, section, sign_up
from conftest import picture
from server import Server

KEYS = "waymark.accounts.v1.APIKeyService"
PINS = "waymark.pins.v1.PinService"


@pytest.fixture(scope="module")
def server():
    server = Server(sign_up="open")
    yield server
    server.stop()


@pytest.fixture
def keys(server, visitor):
    """The part of the page with the keys of someone who has just signed up."""
    enter(visitor.page.context, server.address, sign_up(server, new_email())["token"])
    visitor.page.goto(f"{server.address}/#/account", wait_until="domcontentloaded")
    visitor.raise_panel()
    return section(visitor, "Keys for programs")


def call(server, token, method, request):
    return server.system.web().call(method, request, Authorization=f"Bearer {token}")


def test_f63_a_key_is_made_shown_once_used_and_ended(server, visitor, keys):
    visitor.tap(keys.get_by_role("button", name="Make a key"))
    expect(keys.get_by_label("Name")).to_be_focused()
    keys.get_by_label("Name").fill("The tablet in the kitchen")
    keys.get_by_label("It may").select_option("Read and write")
    keys.get_by_label("It lasts").select_option("30 days")
    visitor.tap(keys.get_by_text("Only some networks"))
    visitor.tap(keys.get_by_role("checkbox", name="Own pictures"))
    picture(visitor.page, "f63-making-a-key")
    visitor.tap(keys.get_by_role("button", name="Make it"))
    code = keys.locator(".code-box input")
    expect(code).to_be_focused()
    token = code.input_value()
    picture(visitor.page, "f63-a-key-is-shown-once")
    row = keys.locator(".account-row")
    expect(row).to_contain_text("The tablet in the kitchen")
    expect(row).to_contain_text("reads and writes")
    expect(row).to_contain_text("asks only")
    expect(row).not_to_contain_text("Own pictures")
    position = {"latitude": 60.1675, "longitude": 24.9430}
    status, answer = call(server, token, f"{PINS}/CreatePin", {"position": position, "radiusM": 300})
    assert status == 200 and [each["network"] for each in answer["pin"]["searches"]] == ["catalog"]
    # It is nowhere in the page when that is opened again.
    visitor.page.reload()
    keys = section(visitor, "Keys for programs")
    expect(keys.locator(".account-row")).to_contain_text("last used")
    assert token not in visitor.page.content()
    visitor.press_twice(keys.get_by_role("button", name="End The tablet in the kitchen"))
    expect(keys.locator(".account-row")).to_have_count(0)


def test_f63_who_is_no_administrator_makes_no_key_that_administers(visitor, keys):
    visitor.tap(keys.get_by_role("button", name="Make a key"))
    expect(keys.get_by_label("It may").locator("option")).to_have_text(["Only read", "Read and write"])
    visitor.tap(keys.get_by_role("button", name="Cancel"))
    expect(keys.get_by_role("button", name="Make a key")).to_be_focused()
