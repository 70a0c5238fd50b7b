"""The windows of the browser. To open the app in one where it was open before costs 0.26 seconds of a processor, in a
new one 0.42: it is compiled already. So tests share one of each size, which each of them finds empty. One that does
what can't be taken back asks for a `context`, and has a browser of its own."""

from visitor import PATIENCE_MS

SIZES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2,
    },
}
# Without a graphics card what shines through the edge of a dialog costs more than all else that it does: it is blurred
# again each time that the caret blinks.
NO_BLUR = """(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, *::backdrop { backdrop-filter: none !important; }");
    document.adoptedStyleSheets = [sheet];
})()"""


def new_context(browser, size, has_blur=False):
    # A service worker would fetch past the routes of tests.
    context = browser.new_context(
        **SIZES[size], reduced_motion="reduce", color_scheme="light", locale="en", service_workers="block",
        ignore_https_errors=True)
    context.set_default_timeout(PATIENCE_MS)
    if not has_blur:
        context.add_init_script(NO_BLUR)
    return context


def stays(*_, **__):
    raise AssertionError("this stays in a window that others use: the test has to ask for a `context` of its own")


class Window:
    def __init__(self, browser, size, has_blur=False):
        self.context = new_context(browser, size, has_blur)
        self.page = self.context.new_page()
        self.storage = self.context.new_cdp_session(self.page)
        self.page.on = self.page.once = self.page.add_init_script = self.page.clock.install = stays

    def sweep(self, *addresses):
        """Leaves the page, and takes away whatever these sites have kept."""
        for other in self.context.pages:
            if other != self.page:
                other.close()
        self.page.unroute_all(behavior="ignoreErrors")
        # As in a new window: where it was, it would point at something of the next page.
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        self.context.clear_cookies()
        for address in addresses:
            self.storage.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "all"})


class Windows:
    def __init__(self, browser, has_blur):
        self.browser, self.has_blur, self.open = browser, has_blur, {}

    def of(self, size):
        if size not in self.open:
            self.open[size] = Window(self.browser, size, self.has_blur)
        return self.open[size]

    def close(self, size):
        self.open.pop(size).context.close()
