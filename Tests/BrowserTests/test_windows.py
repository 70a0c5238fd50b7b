"""Windows that tests share: what one test leaves there the next one doesn't find."""

import pytest

from windows import Window

LEAVE = """async () => {
    localStorage.setItem("left", "here");
    document.cookie = "left=here";
    await caches.open("left");
    await new Promise((done) => { indexedDB.open("left").onsuccess = done; });
}"""
FIND = """async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    return [Object.keys(localStorage), document.cookie, await caches.keys(), databases];
}"""


@pytest.fixture
def window(browser):
    window = Window(browser, "desktop")
    yield window
    window.context.close()


def test_a_window_that_was_used_is_found_empty(server, window):
    page, address = window.page, f"{server.address}/icons.svg"
    page.goto(address)
    page.evaluate(LEAVE)
    assert page.evaluate(FIND) == [["left"], "left=here", ["left"], ["left"]]
    page.route("**/*", lambda route: route.abort())
    page.context.new_page()
    window.sweep(server.address)
    assert [each.url for each in window.context.pages] == ["about:blank"]
    page.goto(address)
    assert page.evaluate(FIND) == [[], "", [], []]


@pytest.mark.parametrize("what", [
    lambda page: page.on("request", print), lambda page: page.add_init_script(""), lambda page: page.clock.install()])
def test_what_would_stay_in_a_window_is_refused(window, what):
    with pytest.raises(AssertionError, match="a `context` of its own"):
        what(window.page)
