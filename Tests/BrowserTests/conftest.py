"""A Waymark for all tests; for each test a browser at one or two sizes, which fails on anything that it should not do.

A test runs at one size, half of all at each: `@pytest.mark.phone` says that it is about fingers, `@pytest.mark.both`
that it says something else of each size. With `--both-sizes` all run at both, and keep pictures of what they saw."""

import os
import re
import zlib

import pytest
from playwright.sync_api import expect, sync_playwright

from server import ROOT, Server, lacks_programs
from visitor import PATIENCE_MS, Visitor

SCREENSHOTS = ROOT / ".build/test/screenshots"
SIZES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2,
    },
}
# An address of a local network. It leads to this machine here, but a browser takes no page from there for a safe one.
PLAIN_ADDRESS = "192.168.7.7"
expect.set_options(timeout=PATIENCE_MS)
keeps_pictures = False


def pytest_addoption(parser):
    parser.addoption("--both-sizes", action="store_true", help="all tests at both sizes, with pictures")
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
def server():
    if problem := lacks_programs():
        pytest.skip(problem)
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        # A container's root has no sandbox; the pages are our own. Other servers are out of reach. Without a graphics
        # card it is quicker to draw at once than by way of an imitation of one.
        rules = f"MAP {PLAIN_ADDRESS} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"),
            args=["--no-sandbox", "--disable-gpu", f"--host-resolver-rules={rules}"])
        yield browser
        browser.close()


@pytest.fixture(params=SIZES)
def size(request):
    return request.param


class Watchman:
    """Records what a page must not do: errors, violations of its policy, requests to other servers."""

    def __init__(self, server):
        self.server, self.faults = server, []
        # A page without a map says that it found none.
        self.tolerated = [] if getattr(server, "has_map", True) else ["/map/", "/maps/"]

    def tolerate(self, *texts):
        """Faults that a test causes itself."""
        self.tolerated += texts

    def look_after(self, context):
        # Watched, not routed: a routed request passes through this process, and past the browser's cache.
        context.on("request", self.see)
        context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        context.on("console", self.hear)

    def see(self, request):
        if not request.url.startswith((self.server.address, "data:", "blob:")):
            self.faults.append(f"request to {request.url}")

    def hear(self, message):
        if message.type == "error":
            self.faults.append(f"{message.text} ({message.location.get('url', '')})")

    def unexpected(self):
        return [fault for fault in self.faults if not any(text in fault for text in self.tolerated)]


@pytest.fixture
def watchman(server):
    watchman = Watchman(server)
    yield watchman
    assert watchman.unexpected() == []


@pytest.fixture
def context(browser, size, watchman):
    # A service worker would fetch past the routes of tests.
    context = browser.new_context(
        **SIZES[size], reduced_motion="reduce", color_scheme="light", locale="en", service_workers="block")
    context.set_default_timeout(PATIENCE_MS)
    watchman.look_after(context)
    yield context
    context.close()


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
def visitor(request, server, context, size):
    """A visitor with an empty map of Helsinki. How it looked when the test failed is kept."""
    server.clear()
    visitor = Visitor(context.new_page(), server.address, size == "phone")
    yield visitor
    if request.node.stash[FAILED]:
        keep_picture(visitor.page, re.sub(r"[^\w-]+", "-", request.node.name).strip("-"))
