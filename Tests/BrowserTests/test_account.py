"""P30 P38 The page of the account, resets of passwords, and what administrators do; the numbers are those of
Docs/Flows.md."""

import json
import re
import subprocess
import zipfile

import pytest
from playwright.sync_api import expect

from accounts import (
    ACCOUNTS, ADMINISTRATION, PASSWORD, administrator_code, call_as, dialog, enter, fill, log_in, new_email, section,
    sign_up, visit)
from conftest import picture
from server import BIN, Server
from test_access import too_small, violations_in_both_themes

NEW_PASSWORD = "another battery staple"
# The gateway asks about a session again within this time, in milliseconds.
REVOKED_MS = 90_000


@pytest.fixture(scope="module")
def server():
    """A system of its own, where one signs up by invitation."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def administrator(server):
    """The session of the account that administers it."""
    request = {"code": administrator_code(server), "email": new_email("root"), "password": PASSWORD}
    return server.call(f"{ACCOUNTS}/CreateAdministrator", request)["session"]


@pytest.fixture
def ann(server, administrator, visitor):
    """The visitor is logged in to this account, and looks at its page."""
    session = sign_up(server, new_email(), administrator, firstName="Ann", lastName="Tester", device="A telephone")
    enter(visitor.page.context, server.address, session["token"])
    visitor.open("#/account")
    return session["account"] | {"token": session["token"]}


def log_in_elsewhere(server, email, password=PASSWORD, device="A far computer"):
    request = {"email": email, "password": password, "device": device}
    return server.system.web().call(f"{ACCOUNTS}/LogIn", request)


def is_let_in(server, token):
    return server.system.web().call(f"{ACCOUNTS}/GetProfile", {}, Authorization=f"Bearer {token}")[0] == 200


def test_f56_the_account_says_who_one_is_and_takes_other_names(server, visitor, ann):
    expect(visitor.page.get_by_role("heading", name="Ann Tester")).to_be_visible()
    expect(visitor.page.locator(".panel-sub")).to_have_text(ann["email"])
    names = section(visitor, "Names")
    expect(names.get_by_label("First name")).to_have_value("Ann")
    picture(visitor.page, "f56-account")
    fill(visitor, {"First name": "Änne <b>", "Last name": ""}, "Save", names)
    expect(names.get_by_role("alert").last).to_have_text("Saved.")
    expect(visitor.page.get_by_role("heading", name="Änne <b>")).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.get_by_role("heading", name="Änne <b>")).to_be_visible()


def test_f56_names_that_are_refused_are_said_beside_their_field(visitor, ann, watchman):
    watchman.tolerate("400 (Bad Request)")
    names = section(visitor, "Names")
    fill(visitor, {"Last name": "x" * 101}, "Save", names)
    expect(names.locator(".field-wrong").last).to_contain_text("at most 100 are")
    expect(names.get_by_label("Last name")).to_have_value("x" * 101)


def test_f56_the_password_is_changed_and_other_sessions_end(server, visitor, ann, watchman):
    watchman.tolerate("400 (Bad Request)")
    log_in_elsewhere(server, ann["email"])
    password = section(visitor, "Password")
    fill(visitor, {"Present password": "not it", "New password": NEW_PASSWORD}, "Change the password", password)
    expect(password.locator(".field-wrong").nth(1)).to_contain_text("It is wrong")
    picture(visitor.page, "f56-password")
    fill(visitor, {"Present password": PASSWORD}, "Change the password", password)
    expect(password).to_contain_text("The password is changed. 1 other session has ended.")
    assert log_in_elsewhere(server, ann["email"])[0] == 401
    assert log_in_elsewhere(server, ann["email"], NEW_PASSWORD)[0] == 200
    # The browser's own goes on.
    visitor.page.reload()
    expect(visitor.page.get_by_role("heading", name="Ann Tester")).to_be_visible()


def test_f56_sessions_are_listed_and_ended(server, visitor, ann):
    for device in ("A far computer", "A tablet"):
        log_in_elsewhere(server, ann["email"], device=device)
    sessions = section(visitor, "Sessions")
    rows = sessions.locator(".account-row")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="This one")).to_contain_text("A telephone")
    expect(rows.filter(has_text="A tablet")).to_contain_text("127.0.0.1")
    picture(visitor.page, "f56-sessions")
    visitor.tap(sessions.get_by_role("button", name="Log out A tablet"))
    expect(rows).to_have_count(2)
    visitor.tap(sessions.get_by_role("button", name="Log out everywhere else"))
    expect(rows).to_have_count(1)
    expect(sessions.get_by_role("button", name="Log out everywhere else")).to_have_count(0)
    [left] = call_as(server, ann["token"], f"{ACCOUNTS}/ListSessions")["sessions"]
    assert left["device"] == "A telephone"


def test_f56_what_happened_is_said_in_words(server, visitor, ann):
    log_in_elsewhere(server, ann["email"], "not the password")
    log_in_elsewhere(server, ann["email"])
    events = section(visitor, "What happened")
    rows = events.locator(".account-row")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("Logged in")
    expect(rows.nth(0)).to_contain_text("A far computer")
    expect(rows.nth(1)).to_contain_text("Someone could not log in")
    expect(rows.nth(2)).to_contain_text("The account was made")
    picture(visitor.page, "f56-events")


def test_f56_a_session_that_is_ended_from_another_device_asks_to_log_in(server, visitor, ann, watchman):
    watchman.tolerate("401 (Unauthorized)")
    visitor.open()
    elsewhere = log_in_elsewhere(server, ann["email"])[1]["session"]["token"]
    call_as(server, elsewhere, f"{ACCOUNTS}/RevokeSessions")
    # The page does nothing: its stream ends.
    expect(visitor.page.get_by_role("heading", name="Log in again")).to_be_visible(timeout=REVOKED_MS)
    log_in(visitor, ann["email"])
    expect(dialog(visitor)).to_have_count(0)


def test_f56_another_account_in_another_tab_takes_the_page_along(
        server, administrator, visitor, watchman, ann, context, size):
    # What is on its way as Ann when her session ends.
    watchman.tolerate("status of 401")
    visitor.open()
    ben = sign_up(server, new_email("ben"), administrator, firstName="Ben")
    other = visit(context, server.address, size, "#/account")
    # What it has asked as Ann is answered.
    expect(other.page.get_by_role("heading", name="Ann Tester")).to_be_visible()
    with visitor.page.expect_event("load"):
        # As the form does it.
        other.page.evaluate("""async (token) => {
            const { enter } = await import("/modules/server/session.js");
            await enter({ token });
        }""", ben["token"])
    visitor.open("#/account")
    expect(visitor.page.get_by_role("heading", name="Ben")).to_be_visible()
    other.page.close()


def test_f82_all_that_the_account_has_is_taken_along(server, visitor, ann, tmp_path):
    request = {"position": {"latitude": 60.17, "longitude": 24.94}, "name": "<b>Home</b>", "requestId": "f82"}
    pin = call_as(server, ann["token"], "waymark.pins.v1.PinService/CreatePin", request)["pin"]["id"]
    grant = {"pinId": pin, "email": "ben@example.org"}
    call_as(server, ann["token"], "waymark.shares.v1.GrantService/CreateGrant", grant)
    along = section(visitor, "Take everything along")
    picture(visitor.page, "f82-along")
    with visitor.page.expect_download() as begun:
        visitor.tap(along.get_by_role("button", name="Download everything"))
    assert begun.value.suggested_filename == "waymark-account.zip"
    downloaded, exported, token = tmp_path / "downloaded.zip", tmp_path / "exported.zip", tmp_path / "token"
    begun.value.save_as(downloaded)
    token.write_text(ann["token"])
    token.chmod(0o600)
    words = ["export", exported, "--target", server.system.gateway, "--token-file", token]
    subprocess.run([BIN / "waymark", *words], check=True, capture_output=True)
    for path in (downloaded, exported):
        with zipfile.ZipFile(path) as files:
            assert files.testzip() is None
            assert json.loads(files.read("account.json"))["account"]["email"] == ann["email"]
            assert [grant["email"] for grant in json.loads(files.read("grants.json"))["grants"]] == ["ben@example.org"]
            [feature] = json.loads(files.read("pins.geojson"))["features"]
            assert feature["properties"]["name"] == "<b>Home</b>" and pin in json.dumps(feature)
            page = files.read("index.html").decode()
            assert "&lt;b&gt;Home&lt;/b&gt;" in page and "<b>" not in page


def test_f81_the_account_is_deleted_with_its_address_and_not_with_another(server, visitor, ann, watchman):
    watchman.tolerate("400", "401")
    end = section(visitor, "Delete the account")
    picture(visitor.page, "f81-delete")
    button = "Delete my account and all that is mine"
    fill(visitor, {"Its e-mail address, to be sure": "someone@example.org"}, button, end)
    expect(end.locator(".field-wrong")).to_contain_text("your own account")
    assert is_let_in(server, ann["token"])
    fill(visitor, {"Its e-mail address, to be sure": ann["email"]}, button, end)
    # The page begins from nothing, as for a stranger.
    expect(visitor.page.get_by_role("heading", name="Waymark")).to_be_visible()
    assert not is_let_in(server, ann["token"])
    status, answer = log_in_elsewhere(server, ann["email"])
    assert (status, answer["code"]) == (401, "unauthenticated")


def test_f57_a_password_is_set_with_a_link_that_the_address_forgets(server, administrator, visitor, watchman, context):
    watchman.tolerate("400 (Bad Request)")
    ann = sign_up(server, None, administrator)
    code = call_as(server, administrator["token"], f"{ADMINISTRATION}/CreateResetCode", {
        "email": ann["account"]["email"]})["code"]
    asked = []
    visitor.page.on("request", lambda request: asked.append(request.url + str(request.headers)))
    visitor.page.goto(f"{server.address}/#/reset/{code}")
    expect(visitor.page.get_by_role("heading", name="Set a new password")).to_be_visible()
    assert visitor.page.evaluate("location.hash") == "#/"
    assert visitor.page.evaluate("history.length") <= 2
    expect(dialog(visitor).get_by_label("Reset code")).to_have_value(code)
    expect(dialog(visitor).get_by_label("New password")).to_be_focused()
    picture(visitor.page, "f57-reset")
    fill(visitor, {"New password": "short"}, "Set the password")
    expect(dialog(visitor).locator(".field-wrong").last).to_contain_text("8 to 200 are")
    with visitor.page.expect_event("load"):
        fill(visitor, {"New password": NEW_PASSWORD}, "Set the password")
    assert asked and not [line for line in asked if code in line]
    visitor.open("#/account")
    expect(visitor.page.locator(".panel-sub")).to_have_text(ann["account"]["email"])
    assert not is_let_in(server, ann["token"])
    assert log_in_elsewhere(server, ann["account"]["email"], NEW_PASSWORD)[0] == 200
    # It was good once; also in a page that is open already.
    visitor.page.goto(f"{server.address}/#/reset/{code}")
    fill(visitor, {"New password": PASSWORD}, "Set the password")
    expect(dialog(visitor).locator(".field-wrong").first).to_contain_text("not known, was used, or is too old")
    visitor.tap(dialog(visitor).get_by_role("button", name="Close"))
    expect(dialog(visitor)).to_have_count(0)


def test_f57_who_has_a_reset_code_types_it(server, administrator, visitor):
    ann = sign_up(server, None, administrator)["account"]
    code = call_as(server, administrator["token"], f"{ADMINISTRATION}/CreateResetCode", {"email": ann["email"]})["code"]
    visitor.open("#/account")
    visitor.tap(visitor.page.get_by_role("button", name="Log in"))
    visitor.tap(dialog(visitor).get_by_role("button", name="I have a reset code"))
    with visitor.page.expect_event("load"):
        typed = {"Reset code": f" {code.lower().replace('-', ' ')} ", "New password": NEW_PASSWORD}
        fill(visitor, typed, "Set the password")
    visitor.open("#/account")
    expect(visitor.page.locator(".panel-sub")).to_have_text(ann["email"])


def test_f58_an_administrator_invites_and_sees_to_accounts(server, administrator, visitor, context):
    ann = sign_up(server, new_email("aaa"), administrator, firstName="Ann")
    enter(context, server.address, administrator["token"])
    visitor.open("#/account")
    accounts = section(visitor, "Accounts of this server")
    row = accounts.locator(".account-row").filter(has_text=ann["account"]["email"])
    expect(row).to_contain_text("Ann")
    expect(accounts.locator(".account-row").filter(has_text="You")).to_contain_text("Administrator")
    picture(visitor.page, "f58-accounts")
    visitor.tap(accounts.get_by_role("button", name="Invite"))
    code = accounts.get_by_label("Invitation")
    expect(code).to_have_value(re.compile(r"^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$"))
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.address)
    visitor.tap(accounts.get_by_role("button", name="Copy", exact=True))
    expect(accounts.get_by_role("button", name="Copied")).to_be_visible()
    assert visitor.page.evaluate("navigator.clipboard.readText()") == code.input_value()
    picture(visitor.page, "f58-invitation")
    ben = {"email": new_email("ben"), "password": PASSWORD, "invitation": code.input_value()}
    assert server.call(f"{ACCOUNTS}/SignUp", ben)["session"]["account"]["email"] == ben["email"]
    visitor.tap(row.get_by_role("button", name="Reset code"))
    reset = accounts.get_by_label(f"Reset code of {ann['account']['email']}")
    expect(reset).to_be_visible()
    visitor.tap(accounts.get_by_role("button", name="Copy as a link"))
    expect(accounts.get_by_role("button", name="Copied")).to_be_visible()
    assert visitor.page.evaluate("navigator.clipboard.readText()") == f"{server.address}/#/reset/{reset.input_value()}"
    visitor.tap(row.get_by_role("button", name="Lock"))
    expect(row).to_contain_text("Locked")
    expect(row.get_by_role("button").first).to_be_focused()
    assert log_in_elsewhere(server, ann["account"]["email"])[0] == 401
    visitor.tap(row.get_by_role("button", name="Unlock"))
    expect(row.get_by_role("button", name="Lock", exact=True)).to_be_visible()
    visitor.tap(row.get_by_role("button", name="Make an administrator"))
    expect(row.locator(".mark")).to_have_text("Administrator")
    visitor.tap(row.get_by_role("button", name="Make a user"))
    expect(row.locator(".mark")).to_have_count(0)
    assert log_in_elsewhere(server, ann["account"]["email"])[0] == 200


def test_f58_who_is_no_administrator_sees_no_accounts(visitor, ann):
    expect(visitor.page.locator(".section summary")).to_have_text(
        ["Names", "Password", "Passkeys", "Keys for programs", "Sessions", "What happened", "Take everything along",
         "Delete the account"])


@pytest.mark.phone
def test_c9_axe_finds_nothing_on_the_account(server, administrator, visitor):
    visitor.open("#/account")
    expect(visitor.page.get_by_role("button", name="Sign up")).to_be_visible()
    found = {"stranger": violations_in_both_themes(visitor.page)}
    small = too_small(visitor, ".account")
    visitor.tap(visitor.page.get_by_role("button", name="Sign up"))
    found["sign up"] = violations_in_both_themes(visitor.page)
    small += too_small(visitor, ".login")
    picture(visitor.page, "c9-sign-up")
    enter(visitor.page.context, server.address, administrator["token"])
    visitor.page.reload()
    visitor.open("#/account")
    for title in (
            "Names", "Password", "Passkeys", "Keys for programs", "Sessions", "What happened",
            "Take everything along", "Delete the account", "Accounts of this server"):
        part = section(visitor, title)
        if title == "Accounts of this server":
            visitor.tap(part.get_by_role("button", name="Invite"))
            expect(part.get_by_label("Invitation")).to_be_visible()
        found[title] = violations_in_both_themes(visitor.page)
        picture(visitor.page, f"c9-account-{title.split()[0].lower()}")
        visitor.tap(part.locator("summary"))
    small += too_small(visitor, ".account")
    assert not any(found.values()), found
    assert small == []


def test_f33_the_account_is_used_by_keyboard(server, administrator, visitor):
    session = sign_up(server, None, administrator)
    visitor.open("#/account")
    page = visitor.page
    page.get_by_role("button", name="Log in").focus()
    page.keyboard.press("Enter")
    expect(dialog(visitor).get_by_label("E-mail")).to_be_focused()
    page.keyboard.type(session["account"]["email"])
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    with page.expect_event("load"):
        page.keyboard.press("Enter")
    visitor.open("#/account")
    page.locator(".section summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("First name")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_have_attribute("aria-label", "Pins")
