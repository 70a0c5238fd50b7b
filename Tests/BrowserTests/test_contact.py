"""P45 The contact that the first network needs; the numbers are those of Docs/Flows.md."""

import pytest
from playwright.sync_api import expect

from conftest import picture
from server import Server


@pytest.fixture
def server():
    """A system of its own without a single pin: whatever is switched on, nothing is asked."""
    server = Server()
    yield server
    server.stop()


def test_f49_the_first_network_asks_for_a_contact(server, visitor, watchman):
    watchman.tolerate("400")
    visitor.open("#/settings")
    visitor.raise_panel()
    panoramax = visitor.page.locator(".network[data-network='panoramax']")
    switch = panoramax.get_by_role("switch")
    visitor.tap(switch)
    field = panoramax.get_by_role("textbox")
    expect(field).to_be_focused()
    field.fill("Åsa")
    visitor.tap(panoramax.get_by_role("button", name="Switch on"))
    expect(panoramax.get_by_role("alert")).to_contain_text("an e-mail address or a URL")
    expect(switch).to_have_attribute("aria-checked", "false")
    picture(visitor.page, "f49-a-contact-is-refused")
    field.fill("me@example.org")
    visitor.tap(panoramax.get_by_role("button", name="Switch on"))
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(field).to_have_count(0)
    # From now on it is known, to other networks of photos too.
    for network in ("panoramax", "commons"):
        switch = visitor.page.locator(f".network[data-network='{network}']").get_by_role("switch")
        for is_on in ("false", "true", "false")[network == "commons":]:
            visitor.tap(switch)
            expect(switch).to_have_attribute("aria-checked", is_on)
