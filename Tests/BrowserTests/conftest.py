"""A Waymark for all tests; for each test a browser at one or two sizes, which fails on anything that it should not do.

A test runs at one size, half of all at each: `@pytest.mark.phone` says that it is about fingers, `@pytest.mark.both`
that it says something else of each size. With `--both-sizes` all run at both, and keep pictures of what they saw."""

import os
import re
import zlib
from http import HTTPStatus

import pytest
from playwright.sync_api import expect, sync_playwright

from server import ROOT, Server, lacks_programs, over_https
from visitor import PATIENCE_MS, Visitor
from windows import SIZES, Windows, new_context

SCREENSHOTS = ROOT / ".build/test/screenshots"
# An address of a local network. It leads to this machine here, but a browser takes no page from there for a safe one.
PLAIN_ADDRESS = "192.168.7.7"
expect.set_options(timeout=PATIENCE_MS)
keeps_pictures = False


def pytest_addoption(parser):
    parser.addoption("--both-sizes", action="store_true", help="all tests at both sizes, with pictures")
    parser.addoption("--https", action="store_true", help="the browser calls by https, and so over HTTP/2")
    parser.addoption("--pictures", action="store_true", help="make the README's pictures instead of testing")


def pytest_configure(config):
    global keeps_pictures
    keeps_pictures = config.getoption("--both-sizes")
    config.addinivalue_line("markers", "phone: at the size of a phone, unless it is said that all run at both")
    config.addinivalue_line("markers", "both: at both sizes")


def pytest_collection_modifyitems(config, items):
    wanted = config.getoption("--pictures")
    items[:] = [item for item in items if (item.path.name == "test_pictures.py") == wanted]
    # One that is chosen with its size is meant.
    chosen = [*config.args, config.option.keyword]
    if not config.getoption("--both-sizes") and not any(size in words for size in SIZES for words in chosen):
        items[:] = [item for item in items if is_at_home(item)]


def is_at_home(item):
    """Whether a test runs at its size. Which one that is follows from its name, where nothing else says it."""
    given = getattr(item, "callspec", None)
    if given is None or "size" not in given.params or item.get_closest_marker("both"):
        return True
    if item.get_closest_marker("phone"):
        return given.params["size"] == "phone"
    return given.params["size"] == list(SIZES)[zlib.crc32(item.originalname.encode()) % len(SIZES)]


def pytest_unconfigure(config):
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or config.getoption("--collect-only"):
        return
    for report in reporter.stats.get("passed", []):
        for name, value in report.user_properties:
            print(f"\n{name}: {value}", end="")
    tally = {name: len(reporter.stats.get(name, [])) for name in ("passed", "failed", "error", "skipped")}
    print(f"\n{tally['passed']} passed, {tally['failed'] + tally['error']} failed, {tally['skipped']} skipped")


@pytest.fixture(scope="session")
def server(request, tmp_path_factory):
    yield from reached(running(), request, tmp_path_factory)


@pytest.fixture(scope="session")
def city(request, tmp_path_factory):
    """With the bundled map. A file of tests that look at it has a fixture `server` that returns this one."""
    yield from reached(running(has_map=True), request, tmp_path_factory)


def running(**settings):
    if problem := lacks_programs():
        pytest.skip(problem)
    server = Server(**settings)
    yield server
    server.stop()


def reached(running, request, tmp_path_factory):
    for server in running:
        if request.config.getoption("--https"):
            yield from over_https(server, tmp_path_factory.mktemp("secure"))
        else:
            yield server


@pytest.fixture(scope="session")
def browser(pytestconfig):
    with sync_playwright() as playwright:
        # A container's root has no sandbox; the pages are our own. Other servers are out of reach. Without a graphics
        # card it is quicker to draw at once than by way of an imitation of one.
        rules = f"MAP {PLAIN_ADDRESS} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"),
            args=["--no-sandbox", "--disable-gpu", f"--host-resolver-rules={rules}",
                  # The certificate is one that the test has made.
                  *["--ignore-certificate-errors"] * bool(pytestconfig.getoption("--https"))])
        yield browser
        browser.close()


@pytest.fixture(params=SIZES)
def size(request):
    return request.param


@pytest.fixture(scope="session")
def modules(browser, server):
    """A page that is opened once, in Helsinki's time, for tests of functions that remember nothing. A hidden page asks
    for no pins."""
    yield from page_of_modules(browser, server)


def page_of_modules(browser, server):
    context = browser.new_context(locale="en-GB", timezone_id="Europe/Helsinki", ignore_https_errors=True)
    page = context.new_page()
    page.add_init_script("Object.defineProperty(document, 'hidden', { value: true })")
    page.goto(server.address)
    yield page
    context.close()


class Watchman:
    """Records what a page must not do: errors, violations of its policy, requests to other servers."""

    def __init__(self, server):
        self.server, self.faults = server, []
        self.events = {"request": self.see, "weberror": self.fail, "console": self.hear}
        # A page without a map says that it found none.
        self.tolerated = [] if getattr(server, "has_map", True) else ["/map/", "/maps/"]

    def tolerate(self, *texts):
        """Faults that a test causes itself."""
        self.tolerated += texts

    def look_after(self, context):
        # Watched, not routed: a routed request passes through this process, and past the browser's cache.
        for event, take in self.events.items():
            context.on(event, take)

    def look_away(self, context):
        for event, take in self.events.items():
            context.remove_listener(event, take)

    def see(self, request):
        if not request.url.startswith((self.server.address, "data:", "blob:")):
            self.faults.append(f"request to {request.url}")

    def fail(self, error):
        self.faults.append(f"error: {error.error}")

    def hear(self, message):
        if message.type == "error":
            # HTTP/2 has no words for a status.
            text = re.sub(r"status of (\d+) \(\)", lambda found:
                          f"status of {found[1]} ({HTTPStatus(int(found[1])).phrase})", message.text)
            self.faults.append(f"{text} ({message.location.get('url', '')})")

    def unexpected(self):
        return [fault for fault in self.faults if not any(text in fault for text in self.tolerated)]


@pytest.fixture
def watchman(server):
    watchman = Watchman(server)
    yield watchman
    assert watchman.unexpected() == []


@pytest.fixture
def context(browser, size, watchman):
    """A browser of the test's own: for several pages, for what is granted to it, and for what stays in a page."""
    context = new_context(browser, size, has_blur=keeps_pictures)
    watchman.look_after(context)
    yield context
    context.close()


@pytest.fixture(scope="session")
def windows(browser):
    return Windows(browser, has_blur=keeps_pictures)


def picture(page, name):
    """Keeps how the page looks, to be looked at by a person, where pictures are asked for."""
    if keeps_pictures:
        keep_picture(page, f"{name}-{size_of(page)}")


def keep_picture(page, name):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")


def size_of(page):
    """By its name."""
    return next((name for name, size in SIZES.items() if size["viewport"] == page.viewport_size), "other")


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture
def visitor(request, server, windows, watchman, size):
    """A visitor with an empty map of Helsinki. How it looked when the test failed is kept."""
    server.clear()
    if "context" in request.fixturenames:
        visitor = Visitor(request.getfixturevalue("context").new_page(), server.address, size == "phone")
        yield visitor
        keep_failure(request.node, visitor)
        return
    window = windows.of(size)
    watchman.look_after(window.context)
    visitor = Visitor(window.page, server.address, size == "phone")
    yield visitor
    if keep_failure(request.node, visitor):
        windows.close(size)
    else:
        window.sweep(server.address, visitor.address)
        watchman.look_away(window.context)


def keep_failure(test, visitor):
    """Whether the test failed; how it looked then is kept."""
    if test.stash[FAILED]:
        keep_picture(visitor.page, re.sub(r"[^\w-]+", "-", test.name).strip("-"))
    return test.stash[FAILED]
