"""P31 Logging in with a provider that is not ours, linking and unlinking; the numbers are those of Docs/Flows.md."""

import pytest
from playwright.sync_api import expect

from accounts import ACCOUNTS, PASSWORD, dialog, log_in, new_email, section, sign_up
from conftest import picture
from providers import Provider, ServerWithProvider
from visitor import Visitor


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    provider = Provider(tmp_path_factory.mktemp("provider"))
    yield provider
    provider.stop()


@pytest.fixture(scope="module")
def server(provider, tmp_path_factory):
    server = ServerWithProvider(provider, tmp_path_factory.mktemp("settings"), sign_up="open")
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def seen(watchman, provider):
    """The provider's page is another site, and wants a style from a third one."""
    watchman.tolerate(f"request to {provider.address}", "cdn.jsdelivr.net", "net::ERR_", "favicon.ico")


def agree(visitor, provider, name):
    """At the provider's page."""
    visitor.page.wait_for_url(f"{provider.address}/**")
    visitor.page.locator("input[name=sub]").fill(name)
    visitor.page.get_by_role("button", name="Authorize").click()


def ask_to_log_in(visitor):
    visitor.open("#/account")
    visitor.tap(visitor.page.get_by_role("button", name="Log in", exact=True))
    expect(dialog(visitor).get_by_role("button", name="Log in with Home")).to_be_visible()


def begin(visitor):
    ask_to_log_in(visitor)
    visitor.tap(dialog(visitor).get_by_role("button", name="Log in with Home"))


def new_person(provider, **claims):
    email = new_email()
    provider.claim(email, **({"email": email, "email_verified": True, "name": "Ann Tester"} | claims))
    return email


def is_in(visitor):
    """With a map of one's own, on which there is nothing."""
    visitor.page.wait_for_url("**/#/")
    expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
    expect(visitor.page.locator("[aria-busy]")).to_have_count(0)


def log_out(visitor):
    visitor.open("#/account")
    with visitor.page.expect_event("load"):
        visitor.tap(visitor.page.get_by_role("button", name="Log out", exact=True))
    is_in(visitor)


def test_f60_one_logs_in_with_a_provider_and_is_the_same_one_the_next_time(server, provider, visitor):
    email = new_person(provider)
    ask_to_log_in(visitor)
    picture(visitor.page, "f60-log-in")
    visitor.tap(dialog(visitor).get_by_role("button", name="Log in with Home"))
    agree(visitor, provider, email)
    is_in(visitor)
    cookies = {cookie["name"]: cookie for cookie in visitor.page.context.cookies(server.address)}
    assert set(cookies) == {"waymark_session"}, cookies
    assert cookies["waymark_session"]["sameSite"] == "Strict" and cookies["waymark_session"]["httpOnly"]
    visitor.open("#/account")
    expect(visitor.page.get_by_role("heading", name="Ann Tester")).to_be_visible()
    expect(visitor.page.locator(".panel-sub")).to_have_text(email)
    log_out(visitor)
    # Of the former login nothing is left that could be used again.
    begin(visitor)
    agree(visitor, provider, email)
    is_in(visitor)
    visitor.open("#/account")
    expect(visitor.page.locator(".panel-sub")).to_have_text(email)
    happened = section(visitor, "What happened")
    expect(happened.get_by_text("The account was made")).to_have_count(1)


def test_f60_each_way_it_can_fail_ends_in_the_map_with_words(server, provider, visitor, watchman):
    watchman.tolerate("400 (Bad Request)")
    begin(visitor)
    visitor.page.wait_for_url(f"{provider.address}/**")
    address = visitor.page.url
    visitor.page.get_by_role("button", name="Deny").click()
    expect(visitor.notice("Home was not allowed to say who you are.")).to_be_visible()
    assert visitor.page.url == f"{server.address}/#/"
    picture(visitor.page, "f60-denied")
    # The same login again: its cookie is gone.
    visitor.page.goto(address, wait_until="domcontentloaded")
    agree(visitor, provider, new_person(provider))
    expect(visitor.notice("was begun in another browser")).to_be_visible()
    # An address that has an account here is no proof that it is the same person's.
    taken = sign_up(server)["account"]["email"]
    begin(visitor)
    agree(visitor, provider, new_person(provider, email=taken))
    expect(visitor.notice("Log in to it, and link Home on its page.")).to_be_visible()
    begin(visitor)
    agree(visitor, provider, new_person(provider, email_verified=False))
    expect(visitor.notice("Home confirms no e-mail address of yours.")).to_be_visible()
    visitor.open("#/account")
    expect(visitor.page.get_by_role("heading", name="Not logged in")).to_be_visible()


def test_f61_an_identity_is_linked_used_and_unlinked(server, provider, visitor, watchman):
    watchman.tolerate("400 (Bad Request)")
    session, email = sign_up(server), new_person(provider)
    log_in_by_password(visitor, session["account"]["email"])
    visitor.open("#/account")
    part = section(visitor, "Login providers")
    visitor.tap(part.get_by_role("button", name="Link Home", exact=True))
    agree(visitor, provider, email)
    expect(visitor.notice("Home is linked with your account.")).to_be_visible()
    part = section(visitor, "Login providers")
    expect(part.get_by_role("listitem")).to_contain_text("Ann Tester")
    expect(part.get_by_role("button", name="Link Home", exact=True)).to_have_count(0)
    picture(visitor.page, "f61-linked")
    log_out(visitor)
    begin(visitor)
    agree(visitor, provider, email)
    is_in(visitor)
    visitor.open("#/account")
    expect(visitor.page.locator(".panel-sub")).to_have_text(session["account"]["email"])
    part = section(visitor, "Login providers")
    visitor.tap(part.get_by_role("button", name="Unlink Home"))
    expect(part.get_by_role("button", name="Link Home", exact=True)).to_be_visible()
    expect(part.get_by_role("listitem")).to_have_count(0)
    log_out(visitor)
    log_in_by_password(visitor, session["account"]["email"])


def log_in_by_password(visitor, email):
    ask_to_log_in(visitor)
    with visitor.page.expect_event("load"):
        log_in(visitor, email)
    is_in(visitor)


def test_f61_the_last_way_in_stays(server, provider, visitor, watchman):
    watchman.tolerate("400 (Bad Request)")
    begin(visitor)
    agree(visitor, provider, new_person(provider))
    is_in(visitor)
    visitor.open("#/account")
    part = section(visitor, "Login providers")
    visitor.tap(part.get_by_role("button", name="Unlink Home"))
    expect(part.get_by_role("alert")).to_contain_text("the last way to log in")
    expect(part.get_by_role("listitem")).to_have_count(1)
    picture(visitor.page, "f61-last")


def test_f60_without_passwords_there_is_only_the_provider(provider, context, watchman, size, tmp_path):
    own = ServerWithProvider(provider, tmp_path, password_login="off")
    try:
        watchman.server = own
        watchman.tolerate("/events?watch")
        visitor = Visitor(context.new_page(), own.address, size == "phone")
        ask_to_log_in(visitor)
        expect(dialog(visitor).get_by_label("E-mail")).to_be_hidden()
        expect(visitor.page.locator(".account-ways").get_by_text("Sign up")).to_have_count(0)
        expect(dialog(visitor).get_by_role("button", name="Sign up")).to_have_count(0)
        picture(visitor.page, "f60-no-passwords")
        status, answer = own.system.web().call(
            f"{ACCOUNTS}/SignUp", {"email": new_email(), "password": PASSWORD})
        assert (status, answer["code"]) == (400, "failed_precondition"), answer
        email = new_person(provider)
        visitor.tap(dialog(visitor).get_by_role("button", name="Log in with Home"))
        agree(visitor, provider, email)
        is_in(visitor)
        visitor.open("#/account")
        expect(visitor.page.locator(".panel-sub")).to_have_text(email)
        visitor.page.close()
    finally:
        own.stop()
