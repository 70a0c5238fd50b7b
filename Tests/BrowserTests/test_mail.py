"""P30 Forgotten passwords and invitations by mail; the numbers are those of Docs/Flows.md."""

import re

import pytest
from playwright.sync_api import expect

from accounts import (
    ACCOUNTS, ADMINISTRATION, PASSWORD, administrator_code, call_as, dialog, enter, fill, new_email, section, sign_up)
from conftest import picture
from mailbox import Mailbox, link
from server import Server
from test_access import too_small, violations

NEW_PASSWORD = "another battery staple"
SENT = "If an account has this address, a message is on its way."
# Where the links lead; the tests follow them to where the server is.
SITE = "http://map.example.org"


@pytest.fixture(scope="module")
def mailbox():
    mailbox = Mailbox()
    yield mailbox
    mailbox.stop()


@pytest.fixture(scope="module")
def server(mailbox):
    """A system of its own, which sends mail."""
    server = Server(smtp_url=mailbox.url, mail_from="waymark@example.org", public_url=SITE)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def administrator(server):
    request = {"code": administrator_code(server), "email": new_email("root"), "password": PASSWORD}
    return server.call(f"{ACCOUNTS}/CreateAdministrator", request)["session"]


def open_dialog(visitor):
    visitor.open("#/account")
    visitor.tap(visitor.page.get_by_role("button", name="Log in"))


@pytest.mark.phone
def test_f59_a_forgotten_password_is_set_by_a_link_in_a_message(
        server, administrator, mailbox, visitor, watchman, context):
    watchman.tolerate("400 (Bad Request)")
    ann = sign_up(server, None, administrator)
    email = ann["account"]["email"]
    open_dialog(visitor)
    dialog(visitor).get_by_label("E-mail").fill(email)
    visitor.tap(dialog(visitor).get_by_role("button", name="Forgot your password?"))
    # What was typed goes along.
    expect(dialog(visitor).get_by_label("E-mail")).to_have_value(email)
    assert violations(visitor.page) == [] and too_small(visitor, ".login") == []
    fill(visitor, {}, "Send the message")
    expect(dialog(visitor).locator(".form-outcome")).to_have_text(SENT)
    picture(visitor.page, "f59-sent")
    message = mailbox.message()
    assert message["To"] == email and message["From"] == "Waymark <waymark@example.org>"
    assert message["Auto-Submitted"] == "auto-generated" and message.get_content_type() == "text/plain"
    assert f"\n{SITE}/#/reset/" in message.get_content()
    asked = []
    visitor.page.on("request", lambda request: asked.append(request.url + str(request.headers)))
    address = link(message, server.address)
    visitor.page.goto(address)
    expect(visitor.page.get_by_role("heading", name="Set a new password")).to_be_visible()
    assert visitor.page.evaluate("location.hash") == "#/"
    with visitor.page.expect_event("load"):
        fill(visitor, {"New password": NEW_PASSWORD}, "Set the password")
    assert asked and not [line for line in asked if address.rpartition("/")[2] in line]
    visitor.open("#/account")
    expect(visitor.page.locator(".panel-sub")).to_have_text(email)
    web = server.system.web()
    assert web.call(f"{ACCOUNTS}/GetProfile", {}, Authorization=f"Bearer {ann['token']}")[0] == 401
    assert web.call(f"{ACCOUNTS}/LogIn", {"email": email, "password": NEW_PASSWORD})[0] == 200
    # Its owner is told, without a link that does anything.
    notice = mailbox.message()
    assert notice["Subject"] == "Your password for Waymark was set" and "/#/" not in notice.get_content()
    expect(section(visitor, "What happened")).to_contain_text("A reset code was sent to your address")
    # It was good once.
    visitor.page.goto(address)
    fill(visitor, {"New password": PASSWORD}, "Set the password")
    expect(dialog(visitor).locator(".field-wrong").first).to_contain_text("not known, was used, or is too old")


def test_f59_whether_there_is_such_an_account_is_not_said(server, mailbox, visitor, watchman):
    watchman.tolerate("400 (Bad Request)")
    open_dialog(visitor)
    visitor.tap(dialog(visitor).get_by_role("button", name="Forgot your password?"))
    fill(visitor, {"E-mail": new_email("no-one")}, "Send the message")
    expect(dialog(visitor).locator(".form-outcome")).to_have_text(SENT)
    fill(visitor, {"E-mail": "ann"}, "Send the message")
    expect(dialog(visitor).locator(".field-wrong").first).to_contain_text("an address such as ann@example.org")
    fill(visitor, {"E-mail": ""}, "Send the message")
    expect(dialog(visitor).locator(".field-wrong").first).to_have_text("Fill this in.")
    visitor.tap(dialog(visitor).get_by_role("button", name="Log in", exact=True))
    expect(dialog(visitor).get_by_label("Password")).to_be_visible()
    assert mailbox.is_empty()


def test_f59_an_invitation_is_sent_and_leads_to_an_account(
        server, administrator, mailbox, visitor):
    # A session of its own, as it logs out.
    who = {"email": administrator["account"]["email"], "password": PASSWORD}
    enter(visitor.page.context, server.address, server.call(f"{ACCOUNTS}/LogIn", who)["session"]["token"])
    visitor.open("#/account")
    accounts = section(visitor, "Accounts of this server")
    ben = new_email("ben")
    fill(visitor, {"Invite by e-mail": ben}, "Send the invitation", accounts)
    expect(accounts.locator(".form-outcome")).to_have_text(f"An invitation is on its way to {ben}.")
    picture(visitor.page, "f59-invited")
    message = mailbox.message()
    assert message["To"] == ben and message["Subject"] == "You are invited to Waymark"
    with visitor.page.expect_event("load"):
        visitor.tap(visitor.page.get_by_role("button", name="Log out"))
    visitor.page.goto(link(message, server.address))
    expect(visitor.page.get_by_role("heading", name="Sign up")).to_be_visible()
    assert visitor.page.evaluate("location.hash") == "#/"
    expect(dialog(visitor).get_by_label("Invitation")).to_have_value(re.compile(r"^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$"))
    with visitor.page.expect_event("load"):
        fill(visitor, {"E-mail": ben, "Password": PASSWORD}, "Sign up")
    visitor.open("#/account")
    expect(visitor.page.locator(".panel-sub")).to_have_text(ben)
    events = call_as(server, administrator["token"], f"{ADMINISTRATION}/ListAllSecurityEvents")["events"]
    assert [event for event in events if event["kind"] == "SECURITY_EVENT_KIND_INVITATION_MAILED"
            and event["device"] == ben]
