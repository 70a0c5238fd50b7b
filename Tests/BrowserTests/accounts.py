"""Accounts for the tests of the map: a system on which people sign up, and what one of them does there."""

import json
import uuid
from pathlib import Path

from playwright.sync_api import expect

from visitor import Visitor

ACCOUNTS = "waymark.accounts.v1.AccountService"
ADMINISTRATION = "waymark.accounts.v1.AccountAdministrationService"
PASSWORD = "correct horse battery"
TOKEN = "a-token-of-the-accounts-test"
NO_ADMINISTRATOR = "no account administers yet"


def new_email(name="ann"):
    return f"{name}-{uuid.uuid4().hex[:8]}@example.org"


def call_as(server, token, method, request=None):
    status, answer = server.system.web().call(method, request or {}, Authorization=f"Bearer {token}")
    assert status == 200, f"{method} answered {status}: {answer}"
    return answer


def sign_up(server, email=None, administrator=None, **more):
    """The session of a new account: its token, and the account. An administrator invites it, where that is needed."""
    request = {"email": email or new_email(), "password": PASSWORD} | more
    if administrator:
        request["invitation"] = call_as(server, administrator["token"], f"{ADMINISTRATION}/CreateInvitation")["code"]
    return server.call(f"{ACCOUNTS}/SignUp", request)["session"]


def administrator_code(server):
    """What the pin service has printed, good once."""
    log = Path(server.system.folder.name, "data/logs/pin-service.log")
    lines = [json.loads(line) for line in log.read_text().splitlines() if NO_ADMINISTRATOR in line]
    return lines[-1]["code"]


def dialog(visitor):
    return visitor.page.locator("dialog.login")


def fill(visitor, values, button, scope=None):
    """Types into the fields with these labels, and presses the button."""
    scope = scope or dialog(visitor)
    for label, value in values.items():
        scope.get_by_label(label, exact=True).fill(value)
    visitor.tap(scope.get_by_role("button", name=button, exact=True))


def log_in(visitor, email, password=PASSWORD):
    fill(visitor, {"E-mail": email, "Password": password}, "Log in")


def section(visitor, title):
    """A part of the account's page, opened."""
    part = visitor.page.locator(".section").filter(has=visitor.page.get_by_role("heading", name=title, exact=True))
    if part.get_attribute("open") is None:
        visitor.tap(part.locator("summary"))
    expect(part.locator(".skeleton")).to_have_count(0)
    return part


def visit(context, address, size, place="#/"):
    """Opens a page that may ask to log in."""
    visitor = Visitor(context.new_page(), address, size == "phone")
    visitor.page.goto(f"{address}/{place}", wait_until="domcontentloaded")
    return visitor


def enter(context, address, token):
    """Gives the browser a session without its dialog."""
    answer = context.request.post(f"{address}/session", data={"token": token})
    assert answer.status == 204, answer.text()
