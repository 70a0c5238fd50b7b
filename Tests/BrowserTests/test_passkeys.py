"""P30 P38 Passkeys on the map, with the browser's virtual authenticator; the numbers are those of Docs/Flows.md."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from accounts import call_as, dialog, enter, fill, log_in, new_email, section, sign_up, visit
from conftest import picture
from passkeydevice import PasskeyDevice
from ports import held_port
from server import Server
from test_access import too_small, violations

PASSKEYS = "waymark.accounts.v1.PasskeyService"
REFUSED = "That passkey is not known here. It may have been removed."
WAY = "Log in with a passkey"


@pytest.fixture(scope="module")
def server():
    """A system of its own, which browsers reach as localhost: they make no passkeys for 127.0.0.1."""
    port = held_port()
    server = Server(sign_up="open", http_port=port, public_url=f"http://localhost:{port}")
    server.address = server.address.replace("127.0.0.1", "localhost")
    yield server
    server.stop()


@pytest.fixture
def ann(server, context, visitor):
    """The visitor is logged in to this account, and looks at its page."""
    session = sign_up(server, new_email(), firstName="Ann", device="A telephone")
    enter(context, server.address, session["token"])
    visitor.open("#/account")
    return session["account"] | {"token": session["token"]}


@pytest.fixture
def device(visitor):
    return PasskeyDevice(visitor.page)


def add(visitor):
    passkeys = section(visitor, "Passkeys")
    before = passkeys.locator("li").count()
    visitor.tap(passkeys.get_by_role("button", name="Add a passkey"))
    expect(passkeys.locator("li")).to_have_count(before + 1)
    return passkeys


def log_out(visitor):
    with visitor.page.expect_event("load"):
        visitor.tap(visitor.page.get_by_role("button", name="Log out", exact=True))


def ask_to_log_in(visitor):
    visitor.open("#/account")
    visitor.tap(visitor.page.get_by_role("button", name="Log in"))
    return dialog(visitor).get_by_role("button", name=WAY)


def enter_by_passkey(visitor):
    way = ask_to_log_in(visitor)
    with visitor.page.expect_event("load"):
        visitor.tap(way)
    visitor.open("#/account")


def outcome_of(visitor):
    return dialog(visitor).locator(".passkey-way .passkey-wrong")


def names(passkeys):
    return passkeys.locator("li strong")


@pytest.mark.phone
def test_f62_a_passkey_is_added_and_logs_in_without_a_name_and_is_renamed_and_removed(
        server, visitor, ann, device, context, watchman):
    watchman.tolerate("401 (Unauthorized)")
    page = visitor.page
    passkeys = section(visitor, "Passkeys")
    expect(passkeys).to_contain_text("without a password")
    picture(page, "f62-none")
    add(visitor)
    expect(names(passkeys)).to_have_text(re.compile(r"^Chrome on \w+$"))
    expect(passkeys).to_contain_text("never used")
    # The device calls the account by nothing that says whose it is.
    [kept] = device.passkeys()
    assert kept["rpId"] == "localhost" and kept["isResidentCredential"]
    log_out(visitor)
    way = ask_to_log_in(visitor)
    expect(way).to_be_visible()
    picture(page, "f62-log-in")
    assert violations(page) == []
    with page.expect_event("load"):
        visitor.tap(way)
    visitor.open("#/account")
    expect(page.locator(".panel-sub")).to_have_text(ann["email"])
    # It is a session like any other, where no script can read it.
    [cookie] = context.cookies()
    assert cookie["httpOnly"] and cookie["value"].startswith("wms_") and cookie["value"] != ann["token"]
    # The device has one for the account already.
    passkeys = section(visitor, "Passkeys")
    expect(passkeys).to_contain_text("last used")
    visitor.tap(passkeys.get_by_role("button", name="Add a passkey"))
    expect(passkeys.get_by_role("alert")).to_have_text("This device has a passkey for the account already.")
    picture(page, "f62-passkeys")
    assert violations(page) == [] and too_small(visitor, ".account") == []
    visitor.tap(passkeys.get_by_role("button", name="Rename"))
    fill(visitor, {"Name of the passkey": "My <b>phone"}, "Save", passkeys)
    expect(names(passkeys)).to_have_text("My <b>phone")
    visitor.press_twice(passkeys.get_by_role("button", name="Remove"))
    expect(passkeys.locator("li")).to_have_count(0)
    happened = section(visitor, "What happened")
    for words in ("A passkey was added", "Logged in with a passkey", "A passkey was removed"):
        expect(happened).to_contain_text(words)
    # The device does not know that.
    log_out(visitor)
    visitor.tap(ask_to_log_in(visitor))
    expect(outcome_of(visitor)).to_have_text(REFUSED)
    picture(page, "f62-refused")


def test_f62_a_device_that_does_not_know_who_holds_it_lets_no_one_in(visitor, ann, device, context):
    device.recognises(False)
    passkeys = section(visitor, "Passkeys")
    button = passkeys.get_by_role("button", name="Add a passkey")
    visitor.tap(button)
    # Who changes their mind is not told that something went wrong.
    expect(button).to_be_enabled()
    expect(passkeys.locator(".passkey-wrong")).to_have_text("")
    expect(passkeys.locator("li")).to_have_count(0)
    device.recognises(True)
    add(visitor)
    log_out(visitor)
    device.recognises(False)
    way = ask_to_log_in(visitor)
    visitor.tap(way)
    expect(way).to_be_enabled()
    expect(dialog(visitor)).to_be_visible()
    expect(outcome_of(visitor)).to_have_text("")
    assert context.cookies() == []


@pytest.mark.parametrize("lie", ["isBogusSignature", "isBadUV", "isBadUP"])
def test_f62_a_device_that_lies_is_refused(visitor, ann, device, context, watchman, lie):
    watchman.tolerate("401 (Unauthorized)")
    add(visitor)
    log_out(visitor)
    device.send("setResponseOverrideBits", **{lie: True})
    visitor.tap(ask_to_log_in(visitor))
    expect(outcome_of(visitor)).to_have_text(REFUSED)
    assert context.cookies() == []


def test_f62_a_copy_of_a_device_is_refused_and_its_owner_is_told(visitor, ann, device, watchman):
    watchman.tolerate("401 (Unauthorized)")
    add(visitor)
    log_out(visitor)
    enter_by_passkey(visitor)
    [early] = device.passkeys()
    log_out(visitor)
    enter_by_passkey(visitor)
    log_out(visitor)
    device.put_back(early)
    visitor.tap(ask_to_log_in(visitor))
    expect(outcome_of(visitor)).to_have_text(REFUSED)
    with visitor.page.expect_event("load"):
        log_in(visitor, ann["email"])
    visitor.open("#/account")
    expect(section(visitor, "What happened")).to_contain_text("there may be a copy of its device")
    picture(visitor.page, "f62-copy")


def test_f62_who_logged_in_long_ago_does_so_again_first(visitor, ann, device, watchman):
    watchman.tolerate("400 (Bad Request)")
    stale = {"code": "failed_precondition", "message": "log in again first"}
    begin = "**/BeginPasskeyRegistration"
    visitor.page.route(begin, lambda route: route.fulfill(status=400, json=stale), times=1)
    passkeys = section(visitor, "Passkeys")
    visitor.tap(passkeys.get_by_role("button", name="Add a passkey"))
    expect(dialog(visitor)).to_contain_text("You logged in some time ago.")
    picture(visitor.page, "f62-again")
    # One may think better of it.
    visitor.page.keyboard.press("Escape")
    expect(dialog(visitor)).to_have_count(0)
    expect(passkeys.locator("li")).to_have_count(0)
    visitor.page.route(begin, lambda route: route.fulfill(status=400, json=stale), times=1)
    visitor.tap(passkeys.get_by_role("button", name="Add a passkey"))
    expect(dialog(visitor).get_by_label("E-mail")).to_have_value(ann["email"])
    log_in(visitor, ann["email"])
    expect(passkeys.locator("li")).to_have_count(1)


def test_f62_what_goes_wrong_on_the_way_is_said(server, visitor, ann, device, watchman):
    watchman.tolerate("net::ERR_", "400 (Bad Request)", "429")
    passkeys = add(visitor)
    log_out(visitor)
    way = ask_to_log_in(visitor)
    outcome = outcome_of(visitor)
    visitor.page.route("**/FinishPasskeyLogIn", lambda route: route.abort("internetdisconnected"), times=1)
    visitor.tap(way)
    expect(outcome).to_have_text("The server can't be reached. Try again.")
    busy = {"code": "resource_exhausted", "message": "too many attempts; try again in 2 minutes"}
    visitor.page.route(
        "**/FinishPasskeyLogIn", lambda route: route.fulfill(status=429, json=busy, headers={"retry-after": "120"}),
        times=1)
    visitor.tap(way)
    expect(outcome).to_have_text("Too many attempts. Try again in 2 minutes.")
    with visitor.page.expect_event("load"):
        visitor.tap(way)
    expect(passkeys).to_have_count(0)


def test_f62_what_was_sent_once_lets_no_one_in_again(server, visitor, ann, device):
    add(visitor)
    log_out(visitor)
    way = ask_to_log_in(visitor)
    with visitor.page.expect_request("**/FinishPasskeyLogIn") as sent:
        with visitor.page.expect_event("load"):
            visitor.tap(way)
    status, answer = server.system.web().call(f"{PASSKEYS}/FinishPasskeyLogIn", sent.value.post_data_json)
    assert (status, answer["code"]) == (401, "unauthenticated"), answer


def test_f62_at_another_address_the_map_says_where_passkeys_work(server, context, watchman, size):
    watchman.server = server
    number = urlsplit(server.address).port
    watchman.tolerate(f"request to http://127.0.0.1:{number}")
    session = sign_up(server)
    enter(context, f"http://127.0.0.1:{number}", session["token"])
    visitor = visit(context, f"http://127.0.0.1:{number}", size, "#/account")
    passkeys = section(visitor, "Passkeys")
    expect(passkeys).to_contain_text(f"Passkeys work at {server.address} alone.")
    expect(passkeys.get_by_role("button")).to_have_count(0)
    log_out(visitor)
    expect(ask_to_log_in(visitor)).to_be_hidden()
    visitor.page.close()


def test_f62_a_server_that_does_not_know_its_address_has_none_and_says_so(context, watchman, size):
    own = Server(sign_up="open")
    try:
        watchman.server = own
        watchman.tolerate("net::ERR_", "/events?watch", "400 (Bad Request)")
        session = sign_up(own)
        enter(context, own.address, session["token"])
        visitor = visit(context, own.address, size, "#/account")
        expect(section(visitor, "Passkeys")).to_contain_text("This server has no passkeys")
        picture(visitor.page, "f62-off")
        assert call_as(own, session["token"], f"{PASSKEYS}/ListPasskeys") == {}
        log_out(visitor)
        expect(ask_to_log_in(visitor)).to_be_hidden()
        status, answer = own.system.web().call(f"{PASSKEYS}/BeginPasskeyLogIn", {})
        assert (status, answer["code"]) == (400, "failed_precondition") and "--public-url" in answer["message"]
        visitor.page.close()
    finally:
        own.stop()


def test_f62_only_the_account_itself_can_be_asked_about(server, visitor):
    """Where one has not logged in, the page has nothing about passkeys."""
    visitor.open("#/account")
    expect(visitor.page.get_by_role("heading", name="Not logged in")).to_be_visible()
    expect(visitor.page.locator(".section")).to_have_count(0)
    status, answer = server.system.web().call(f"{PASSKEYS}/ListPasskeys", {})
    assert (status, answer["code"]) == (401, "unauthenticated"), answer
