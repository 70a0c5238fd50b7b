"""P30 P38 Signing up, logging in and out on the map; the numbers are those of Docs/Flows.md."""

import re

import pytest
from playwright.sync_api import expect

from accounts import (
    ACCOUNTS, PASSWORD, TOKEN, administrator_code, call_as, dialog, enter, fill, log_in, new_email, section,
    sign_up, visit)
from conftest import SIZES, Watchman, picture
from server import PINS, PrivateGateway, Server
from test_states import Fault
from visitor import HELSINKI, Visitor

WRONG = "That e-mail address or password is wrong."


@pytest.fixture(scope="module")
def server():
    """A system of its own, where everyone may sign up."""
    server = Server(sign_up="open")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def gateway(server, tmp_path_factory):
    """In front of it, a gateway where everyone has to log in."""
    gateway = PrivateGateway(server, tmp_path_factory.mktemp("private"), [TOKEN])
    yield gateway
    gateway.stop()


@pytest.fixture
def private(gateway, context, watchman, size):
    """One who comes to that without a session."""
    watchman.server = gateway
    watchman.tolerate("401 (Unauthorized)")
    visitor = visit(context, gateway.address, size)
    expect(dialog(visitor)).to_be_visible()
    yield visitor
    visitor.page.close()


def is_in(visitor):
    expect(dialog(visitor)).to_have_count(0)
    expect(visitor.page.locator(".skeleton")).to_have_count(0)


def test_f28_one_signs_up_and_drops_a_pin_and_logs_in_again(server, private, context):
    page, email = private.page, new_email()
    expect(page.get_by_role("heading", name="This map is private")).to_be_visible()
    expect(dialog(private).get_by_label("E-mail")).to_be_focused()
    expect(page.locator(".waits").first).to_contain_text("Log in to see this.")
    picture(page, "f28-log-in")
    private.tap(dialog(private).get_by_role("button", name="Sign up"))
    picture(page, "f28-sign-up")
    names = {"First name (optional)": "Ann", "Last name (optional)": "Tester"}
    fill(private, {"E-mail": email, "Password": PASSWORD} | names, "Sign up")
    expect(page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
    private.look_at(*HELSINKI, 15)
    private.hold(*HELSINKI)
    # It is the account's own, and the session is where no script can read it.
    assert server.pins() == []
    [cookie] = context.cookies()
    assert cookie["httpOnly"] and cookie["value"].startswith("wms_")
    kept = page.evaluate("document.cookie + JSON.stringify({...localStorage, ...sessionStorage}) + location.href")
    assert cookie["value"] not in kept and cookie["value"] not in page.content()
    [session] = call_as(server, cookie["value"], f"{ACCOUNTS}/ListSessions")["sessions"]
    assert re.fullmatch(r"Chrome on \w+", session["device"])
    private.open()
    expect(private.pins()).to_have_count(1)
    # Logged out, nothing of it stays on the page.
    private.open("#/account")
    expect(page.get_by_role("heading", name="Ann Tester")).to_be_visible()
    private.tap(page.get_by_role("button", name="Log out"))
    expect(page.get_by_role("heading", name="This map is private")).to_be_visible()
    expect(private.pins()).to_have_count(0)
    assert context.cookies() == []
    asked = context.request.post(
        f"{private.address}/{PINS}/ListPins", data={}, headers={"Authorization": f"Bearer {cookie['value']}"})
    assert asked.status == 401
    log_in(private, email.upper())
    expect(private.pins()).to_have_count(1)


def test_f28_a_stream_that_is_refused_after_the_question_does_not_hide_it(gateway, context, watchman, size):
    watchman.server = gateway
    watchman.tolerate("401 (Unauthorized)")
    visitor = Visitor(context.new_page(), gateway.address, size == "phone")
    calls, streams = Fault(visitor.page, re.compile(r"/waymark\.")), Fault(visitor.page, re.compile(r"/events\?"))
    with visitor.page.expect_request(re.compile(r"/events\?")):
        visitor.page.goto(gateway.address, wait_until="domcontentloaded")
    calls.mend()
    expect(dialog(visitor)).to_be_visible()
    with visitor.page.expect_response(re.compile(r"/events\?")):
        streams.mend()
    visitor.page.evaluate("new Promise((done) => setTimeout(done))")
    expect(visitor.page.locator(".waits").first).to_contain_text("Log in to see this.")
    visitor.page.close()


def test_f28_a_wrong_password_a_missing_network_and_a_service_that_is_away_are_distinguished(
        server, private, context, watchman):
    watchman.tolerate("net::ERR_", "503", "400 (Bad Request)")
    page, email = private.page, sign_up(server)["account"]["email"]
    outcome = dialog(private).locator(".form-outcome")
    log_in(private, email, "not the password")
    expect(outcome).to_have_text(WRONG)
    expect(dialog(private).get_by_label("Password")).to_be_focused()
    picture(page, "f28-wrong-password")
    # Whether there is such an account is not said.
    log_in(private, new_email("stranger"), PASSWORD)
    expect(outcome).to_have_text(WRONG)
    page.route("**/LogIn", lambda route: route.abort("internetdisconnected"), times=1)
    log_in(private, email)
    expect(outcome).to_have_text("The server can't be reached. Try again.")
    busy = {"code": "unavailable", "message": "pins at 10.9.8.7:7702 can't be reached"}
    page.route("**/LogIn", lambda route: route.fulfill(status=503, json=busy), times=1)
    log_in(private, email)
    expect(outcome).to_have_text("Part of the server is not running. Try again in a moment.")
    # What is refused is refused beside its field.
    log_in(private, "ann", PASSWORD)
    wrong = dialog(private).locator(".field-wrong").first
    expect(wrong).to_contain_text("an address such as ann@example.org")
    expect(dialog(private).get_by_label("E-mail")).to_have_attribute("aria-invalid", "true")
    picture(page, "f28-refused-field")
    fill(private, {"E-mail": ""}, "Log in")
    expect(wrong).to_have_text("Fill this in.")
    # The browser has no cookie of a session that is not let in.
    page.route("**/session", lambda route: route.fulfill(status=204), times=1)
    log_in(private, email)
    expect(outcome).to_contain_text("keeps no cookie")
    log_in(private, email)
    is_in(private)


def test_f28_after_too_many_wrong_passwords_the_time_to_wait_is_said(server, private, watchman):
    watchman.tolerate("429")
    email = sign_up(server)["account"]["email"]
    web = server.system.web()
    wrong = {"email": email, "password": "not the password"}
    while web.call(f"{ACCOUNTS}/LogIn", wrong)[0] != 429:
        pass
    log_in(private, email)
    expect(dialog(private).locator(".form-outcome")).to_have_text(
        re.compile(r"^Too many attempts\. Try again in \d+ (minutes|seconds)\.$"))
    picture(private.page, "f28-too-many")


def test_f28_what_signing_up_refuses_is_said_beside_the_field(server, private, watchman):
    watchman.tolerate("400 (Bad Request)", "409 (Conflict)")
    email = sign_up(server)["account"]["email"]
    private.tap(dialog(private).get_by_role("button", name="Sign up"))
    fill(private, {"E-mail": new_email(), "Password": "short"}, "Sign up")
    expect(dialog(private).locator(".field", has_text="Password").locator(".field-wrong")).to_contain_text(
        "8 to 200 are")
    fill(private, {"E-mail": email, "Password": "another one than that"}, "Sign up")
    expect(dialog(private).locator(".field", has_text="E-mail").locator(".field-wrong")).to_have_text(
        "There is an account with this address already.")
    # What was typed goes along.
    private.tap(dialog(private).get_by_role("button", name="Log in"))
    expect(dialog(private).get_by_label("E-mail")).to_have_value(email)


def test_f28_a_manager_of_passwords_knows_the_fields(server, private):
    kinds = "form => [...form.querySelectorAll('input')].map(input => `${input.type} ${input.autocomplete}`)"
    form = dialog(private).locator("form")
    assert form.evaluate(kinds) == ["text username", "password current-password"]
    private.tap(dialog(private).get_by_role("button", name="Sign up"))
    assert form.evaluate(kinds)[:2] == ["text username", "password new-password"]


@pytest.mark.parametrize("rule", ["closed", "invitation"])
def test_f28_who_may_sign_up_is_the_servers_choice(context, watchman, size, tmp_path, rule):
    own = Server(sign_up=rule)
    try:
        gateway = PrivateGateway(own, tmp_path, [TOKEN])
        try:
            watchman.server = gateway
            watchman.tolerate("401", "400 (Bad Request)", "net::ERR_", "/events?watch")
            visitor = visit(context, gateway.address, size)
            ways = dialog(visitor).get_by_role("button")
            expect(ways.filter(has_text="reset code")).to_be_visible()
            if rule == "closed":
                expect(ways.filter(has_text="Sign up")).to_have_count(0)
                # Nor where the page is older than the rule.
                status, answer = own.system.web().call(
                    f"{ACCOUNTS}/SignUp", {"email": new_email(), "password": PASSWORD})
                assert (status, answer["code"]) == (400, "failed_precondition"), answer
            else:
                visitor.tap(ways.filter(has_text="Sign up with an invitation"))
                typed = {"Invitation": "AAAAA-AAAAA-AAAAA-AAAAA", "E-mail": new_email(), "Password": PASSWORD}
                fill(visitor, typed, "Sign up")
                wrong = dialog(visitor).locator(".field-wrong").first
                expect(wrong).to_contain_text("not known, was used, or is too old")
                picture(visitor.page, "f28-invitation")
            visitor.page.close()
        finally:
            gateway.stop()
    finally:
        own.stop()


def test_f28_the_administrator_is_made_with_the_printed_code(context, watchman, size):
    own = Server(sign_up="open")
    try:
        watchman.server = own
        watchman.tolerate("400 (Bad Request)", "401 (Unauthorized)", "net::ERR_", "/events?watch")
        kept = own.drop(*HELSINKI, name="From before")
        visitor = visit(context, own.address, size, "#/account")
        visitor.tap(visitor.page.get_by_role("button", name="Log in"))
        visitor.tap(dialog(visitor).get_by_role("button", name="Make the administrator"))
        typed = {"Code": "AAAAA-AAAAA-AAAAA-AAAAA", "E-mail": new_email("root"), "Password": PASSWORD}
        fill(visitor, typed, "Make the administrator")
        expect(dialog(visitor).locator(".field-wrong").first).to_contain_text("not known, was used, or is too old")
        expect(dialog(visitor).get_by_label("Take over")).to_be_checked()
        picture(visitor.page, "f28-administrator")
        with visitor.page.expect_event("load"):
            fill(visitor, {"Code": administrator_code(own).lower()}, "Make the administrator")
        # What was there is the administrator's now.
        expect(visitor.pin(kept)).to_be_visible()
        visitor.open("#/account")
        expect(visitor.page.locator(".panel-sub")).to_have_text(typed["E-mail"])
        accounts = section(visitor, "Accounts of this server")
        expect(accounts).to_contain_text(typed["E-mail"])
        # Where everyone may sign up there is no one to invite.
        expect(accounts.get_by_role("button", name="Invite")).to_have_count(0)
        # Without a session one shares the map with everyone again, but not the account.
        end_session(context, own.address)
        visitor.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(visitor.page.get_by_role("heading", name="Log in again")).to_be_visible()
        log_in(visitor, typed["E-mail"])
        expect(dialog(visitor)).to_have_count(0)
        # There is no second one.
        with visitor.page.expect_event("load"):
            visitor.tap(visitor.page.get_by_role("button", name="Log out"))
        visitor.open("#/account")
        visitor.tap(visitor.page.get_by_role("button", name="Log in"))
        expect(dialog(visitor).get_by_role("button", name="I have a reset code")).to_be_visible()
        expect(dialog(visitor).get_by_role("button", name="Make the administrator")).to_have_count(0)
        visitor.page.close()
    finally:
        own.stop()


def test_f28_where_no_one_has_to_log_in_an_account_has_a_map_of_its_own(server, visitor):
    shared = server.drop(*HELSINKI, name="Of everyone")
    visitor.open()
    expect(visitor.pin(shared)).to_be_visible()
    visitor.tap(visitor.page.get_by_role("button", name="Account"))
    expect(visitor.page.get_by_role("heading", name="Not logged in")).to_be_visible()
    expect(visitor.page.get_by_role("button", name="Log out")).to_have_count(0)
    picture(visitor.page, "f28-not-logged-in")
    # Nor has one anything to do with accounts, even where everyone may do everything else.
    expect(visitor.page.locator(".section")).to_have_count(0)
    visitor.tap(visitor.page.get_by_role("button", name="Sign up"))
    # One may think better of it.
    visitor.page.keyboard.press("Escape")
    expect(dialog(visitor)).to_have_count(0)
    visitor.tap(visitor.page.get_by_role("button", name="Sign up"))
    with visitor.page.expect_event("load"):
        fill(visitor, {"E-mail": new_email(), "Password": PASSWORD}, "Sign up")
    expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
    expect(visitor.pins()).to_have_count(0)
    visitor.open("#/account")
    with visitor.page.expect_event("load"):
        visitor.tap(visitor.page.get_by_role("button", name="Log out"))
    expect(visitor.pin(shared)).to_be_visible()
    assert visitor.page.evaluate("location.hash") == "#/"


def test_f28_a_pin_whose_deletion_can_be_undone_goes_before_one_logs_out(server, visitor):
    session = sign_up(server)
    pin = {"position": {"latitude": HELSINKI[0], "longitude": HELSINKI[1]}, "name": "To go"}
    pin_id = call_as(server, session["token"], f"{PINS}/CreatePin", pin)["pin"]["id"]
    enter(visitor.page.context, server.address, session["token"])
    visitor.open()
    visitor.tap(visitor.page.locator("#edit"))
    visitor.tap_pin(pin_id)
    expect(visitor.notice("is deleted")).to_be_visible()
    visitor.tap(visitor.page.get_by_role("button", name="Account"))
    visitor.tap(visitor.page.get_by_role("button", name="Log out"))
    expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
    log_in_again = call_as(server, "", f"{ACCOUNTS}/LogIn", {
        "email": session["account"]["email"], "password": PASSWORD})["session"]
    assert call_as(server, log_in_again["token"], f"{PINS}/ListPins").get("pins", []) == []


def end_session(context, address):
    """Ends the browser's session, as from elsewhere: the browser still has its cookie."""
    [cookie] = context.cookies()
    answer = context.request.delete(f"{address}/session")
    assert answer.status == 204
    context.add_cookies([cookie])


def test_f28_what_is_typed_stays_when_the_session_has_ended(server, visitor, watchman):
    watchman.tolerate("401 (Unauthorized)")
    session = sign_up(server)
    pin = {"position": {"latitude": HELSINKI[0], "longitude": HELSINKI[1]}, "name": "Before"}
    pin_id = call_as(server, session["token"], f"{PINS}/CreatePin", pin)["pin"]["id"]
    enter(visitor.page.context, server.address, session["token"])
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.choose("Rename")
    visitor.page.get_by_label("Name of the pin").fill("Typed before the session ended")
    # On its way when the session ends: the dialog would come before the key.
    renames = []
    visitor.page.route("**/*RenamePin", lambda route: renames.append(route), times=1)
    with visitor.page.expect_request("**/*RenamePin"):
        visitor.page.get_by_label("Name of the pin").press("Enter")
    end_session(visitor.page.context, server.address)
    renames[0].continue_()
    expect(visitor.page.get_by_role("heading", name="Log in again")).to_be_visible()
    expect(dialog(visitor).get_by_label("E-mail")).to_have_value(session["account"]["email"])
    picture(visitor.page, "f28-session-ended")
    log_in(visitor, session["account"]["email"])
    expect(dialog(visitor)).to_have_count(0)
    expect(visitor.page.get_by_role("heading", name="Typed before the session ended")).to_be_visible()


def test_f28_who_does_not_log_in_again_sees_nothing_of_the_account(server, visitor, watchman):
    watchman.tolerate("401 (Unauthorized)")
    shared = server.drop(*HELSINKI, name="Of everyone")
    session = sign_up(server)
    pin = {"position": {"latitude": HELSINKI[0], "longitude": HELSINKI[1]}, "name": "Mine"}
    pin_id = call_as(server, session["token"], f"{PINS}/CreatePin", pin)["pin"]["id"]
    enter(visitor.page.context, server.address, session["token"])
    visitor.open()
    expect(visitor.pin(pin_id)).to_be_visible()
    end_session(visitor.page.context, server.address)
    visitor.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(visitor.page.get_by_role("heading", name="Log in again")).to_be_visible()
    expect(visitor.pin(shared)).to_have_count(0)
    visitor.tap(dialog(visitor).get_by_role("button", name="Close"))
    expect(visitor.pin(shared)).to_be_visible()
    expect(visitor.pin(pin_id)).to_have_count(0)


def test_f28_another_account_that_logs_in_instead_begins_from_nothing(server, visitor, watchman):
    # The photo service learns of a new pin's places a moment after the pin has them.
    watchman.tolerate("401 (Unauthorized)", "OpenAlbum")
    session, other = sign_up(server), sign_up(server)
    pin = {"position": {"latitude": HELSINKI[0], "longitude": HELSINKI[1]}, "name": "Mine"}
    pin_id = call_as(server, session["token"], f"{PINS}/CreatePin", pin)["pin"]["id"]
    enter(visitor.page.context, server.address, session["token"])
    visitor.open(f"#/pin/{pin_id}/places")
    end_session(visitor.page.context, server.address)
    visitor.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(visitor.page.get_by_role("heading", name="Log in again")).to_be_visible()
    with visitor.page.expect_event("load"):
        log_in(visitor, other["account"]["email"])
    expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
    expect(visitor.page).to_have_url(f"{server.address}/#/")


def test_f28_a_log_out_that_does_not_reach_the_server_says_so(server, visitor, watchman):
    watchman.tolerate("net::ERR_")
    enter(visitor.page.context, server.address, sign_up(server)["token"])
    visitor.open("#/account")
    visitor.page.route("**/session", lambda route: route.abort("internetdisconnected"), times=1)
    out = visitor.page.get_by_role("button", name="Log out")
    visitor.tap(out)
    expect(visitor.notice("You could not be logged out. The server did not answer.")).to_be_visible()
    visitor.tap(out)
    expect(visitor.page.get_by_role("heading", name="Waymark")).to_be_visible()
    assert visitor.page.context.cookies() == []


def test_f28_a_page_that_is_opened_after_its_session_ended_asks_too(server, visitor, watchman):
    watchman.tolerate("401 (Unauthorized)")
    session = sign_up(server)
    enter(visitor.page.context, server.address, session["token"])
    end_session(visitor.page.context, server.address)
    visitor.page.goto(server.address, wait_until="domcontentloaded")
    expect(visitor.page.get_by_role("heading", name="Log in again")).to_be_visible()
    log_in(visitor, session["account"]["email"])
    expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()


def test_f28_all_tabs_log_in_and_out_together(server, private, context, gateway, size):
    other = visit(context, gateway.address, size)
    expect(dialog(other)).to_be_visible()
    email = sign_up(server)["account"]["email"]
    log_in(private, email)
    is_in(private)
    is_in(other)
    # A session that ended is renewed for all of them.
    end_session(context, gateway.address)
    for each in (private, other):
        each.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(each.page.get_by_role("heading", name="Log in again")).to_be_visible()
    log_in(other, email)
    is_in(other)
    is_in(private)
    other.page.goto(f"{gateway.address}/#/account")
    other.tap(other.page.get_by_role("button", name="Log out"))
    for each in (private, other):
        expect(each.page.get_by_role("heading", name="This map is private")).to_be_visible()
    other.page.close()


def test_f28_a_token_of_the_server_still_opens_the_map(private):
    private.tap(dialog(private).get_by_role("button", name="Use a token of this server"))
    picture(private.page, "f28-token")
    fill(private, {"Token of this server": TOKEN}, "Open the map")
    is_in(private)
    private.open("#/account")
    expect(private.page.locator(".panel-sub")).to_have_text("Logged in with a token of this server")


def test_f76_what_waits_is_never_sent_as_someone_else_and_nothing_of_theirs_is_shown(server, browser, size):
    """The browser became another account's while the page was offline and was not told."""
    [ann, bob] = [sign_up(server, email=new_email(name), firstName=name) for name in ("ann", "bob")]
    call_as(server, bob["token"], f"{PINS}/CreatePin", {
        "requestId": "1", "name": "Of Bob", "position": {"latitude": -30, "longitude": -20}})
    watchman = Watchman(server)
    watchman.tolerate("net::ERR_", "Failed to load resource", "Failed to fetch")
    context = browser.new_context(**SIZES[size], reduced_motion="reduce", locale="en", service_workers="block")
    watchman.look_after(context)
    enter(context, server.address, ann["token"])
    visitor = Visitor(context.new_page(), server.address, size == "phone").open()
    page = visitor.page
    page.evaluate("async () => { window.drop = (await import('/modules/pins/actions.js')).dropPinAt; }")
    visitor.point(*HELSINKI)
    context.set_offline(True)
    page.evaluate("(position) => { window.drop(L.latLng(position), 'Of Ann'); }", HELSINKI)
    expect(page.locator("#banner-link")).to_contain_text("1 change waits")
    enter(context, server.address, bob["token"])
    context.set_offline(False)
    expect(dialog(visitor)).to_contain_text("Log in again")
    expect(page.locator(".pin-row")).to_have_count(1)
    log_in(visitor, ann["account"]["email"])
    visitor.settle()
    expect(page.locator(".pin-row")).to_have_text([re.compile("Of Ann")])
    # A browser that is let in as another one ends the session that it had.
    names = [[pin["name"] for pin in call_as(server, token, f"{PINS}/ListPins", {"pageSize": 9}).get("pins", [])]
             for token in (server.call(f"{ACCOUNTS}/LogIn", {"email": each["account"]["email"], "password": PASSWORD})
                           ["session"]["token"] for each in (ann, bob))]
    assert names == [["Of Ann"], ["Of Bob"]]
    context.close()
    assert watchman.unexpected() == []
