"""P30 A forgotten password where no mail is sent, as in the system that all tests share; the numbers are those of
Docs/Flows.md."""

from playwright.sync_api import expect

from accounts import dialog
from conftest import picture


def test_f59_where_no_mail_is_sent_it_is_said_who_helps(visitor):
    visitor.open("#/account")
    visitor.tap(visitor.page.get_by_role("button", name="Log in"))
    visitor.tap(dialog(visitor).get_by_role("button", name="Forgot your password?"))
    expect(dialog(visitor)).to_contain_text("This server sends no mail. Ask an administrator of it for a reset code.")
    expect(dialog(visitor).get_by_role("textbox")).to_have_count(0)
    picture(visitor.page, "f59-no-mail")
    visitor.tap(dialog(visitor).get_by_role("button", name="I have a reset code"))
    expect(dialog(visitor).get_by_label("Reset code")).to_be_focused()
