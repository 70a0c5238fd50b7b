"""What a person does on the page, in words: open, hold, tap, drag; at the size of a desktop or of a phone."""

import re

from playwright.sync_api import Error, expect

# Central Helsinki, where there are places, streets and postcards.
HELSINKI = (60.1675, 24.9430)
PLACE_OF = """async ([latitude, longitude]) => {
    const { map } = await import("/modules/map/map.js");
    const { near } = await import("/modules/map/turns.js");
    const { x, y } = map.latLngToContainerPoint(near({ lat: latitude, lng: longitude }));
    return [x, y];
}"""
CENTRE = """async () => {
    const { map } = await import("/modules/map/map.js");
    const { visibleMiddle } = await import("/modules/map/free.js");
    const { lat, lng } = map.containerPointToLatLng(visibleMiddle());
    return [lat, lng, map.getZoom()];
}"""
VIEW = """async ([latitude, longitude, zoom]) => {
    const { latLng } = await import("/modules/map/map.js");
    const { centre } = await import("/modules/map/sight.js");
    centre(latLng({ latitude, longitude }), zoom);
}"""

# The server has all that was done here.
NOTHING_WAITS = "async () => !Object.keys(localStorage).some((key) => key.startsWith('waymark.change.'))"

# How long what must come may take on a machine that is busy.
PATIENCE_MS = 30_000
# After how long a button that asks once more has lapsed.
LAPSE_MS = 5_000
# Playwright's own wait takes the promise of an async condition for its value, and ends at once.
UNTIL = """async ([argument, patience]) => {
    const holds = %s;
    for (const end = performance.now() + patience; performance.now() < end;) {
        if (await holds(argument)) return true;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return false;
}"""


class Visitor:
    def __init__(self, page, address, is_phone):
        self.page, self.address, self.is_phone, self.fingers = page, address, is_phone, None

    def open(self, place="#/"):
        """Goes to a view of the app, and waits until the pins are there and the map is where it was left."""
        # Not until all its pictures are there: a test may hold them back.
        self.page.goto(f"{self.address}/{place}", wait_until="domcontentloaded")
        expect(self.page.locator(".skeleton")).to_have_count(0)
        expect(self.page.locator("[aria-busy]")).to_have_count(0)
        return self

    def look_at(self, latitude, longitude, zoom):
        """With the point in the middle of what is free of the panel."""
        self.page.evaluate(VIEW, [latitude, longitude, zoom])

    def seen(self):
        """[latitude, longitude, zoom] of the middle of what is free of the panel."""
        return self.page.evaluate(CENTRE)

    def wait_until(self, condition, argument=None):
        """The condition is an async function in JavaScript."""
        assert self.page.evaluate(UNTIL % condition, [argument, PATIENCE_MS]), f"never true: {condition}"

    def painter(self):
        """The worker that draws the map."""
        return next(worker for worker in self.page.workers if worker.url.endswith("/painter.js"))

    def wait_drawn(self, condition, argument=None):
        """The condition is an async function in JavaScript, which runs where the map is drawn."""
        said = self.painter().evaluate(UNTIL % condition, [argument, PATIENCE_MS])
        assert said, f"never true where the map is drawn: {condition}"

    def settle(self):
        """Until the server has all that was done here. The page shows some of it before, at the latest after four
        seconds: what a test reads at the server is read after this."""
        self.wait_until(NOTHING_WAITS)

    def point(self, latitude, longitude):
        return self.page.evaluate(PLACE_OF, [latitude, longitude])

    def pin(self, pin_id):
        return self.page.locator(f".pin[data-pin='{pin_id}']")

    def pins(self):
        return self.page.locator(".pin")

    def state(self, pin_id):
        return self.pin(pin_id).get_attribute("data-state")

    def tap(self, locator, **within):
        """With the finger on a phone, with the mouse on a desktop."""
        if self.is_phone:
            locator.tap(**within)
        else:
            locator.click(**within)

    def press_twice(self, button, words="Press again"):
        """A button for what can't be undone: it asks once more, in these words. What it asks lapses after some seconds,
        which a busy machine may take to press it: then this begins again."""
        sure = self.page.locator("button.sure")
        for _ in range(PATIENCE_MS // LAPSE_MS):
            if sure.count() == 0:
                self.tap(button)
            try:
                said = sure.evaluate("(each) => `${each.ariaLabel} ${each.textContent}`", timeout=LAPSE_MS)
                assert words in said
                self.tap(sure, timeout=LAPSE_MS)
            except Error:
                continue
            # It asks if it had lapsed by then.
            if sure.count() == 0:
                return
        raise AssertionError(f"it always lapsed: {words}")

    def tap_pin(self, pin_id):
        # Its tip: the name below belongs to it as well, and another pin may cover a part.
        marker = self.pin(pin_id)
        expect(marker).to_be_visible()
        if self.is_phone:
            marker.tap(position={"x": 17, "y": 16})
        else:
            marker.click(position={"x": 17, "y": 16})

    def hold(self, latitude, longitude):
        """Presses the map there and lets go when a pin has come."""
        x, y = self.point(latitude, longitude)
        before = self.pins().count()
        self.press(x, y)
        expect(self.pins()).to_have_count(before + 1)
        self.release()

    def press(self, x, y):
        if self.is_phone:
            self.fingers = self.fingers or self.page.context.new_cdp_session(self.page)
            self.fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        else:
            self.page.mouse.move(x, y)
            self.page.mouse.down()

    def release(self):
        if self.is_phone:
            self.fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            self.page.mouse.up()

    def drag(self, start, end, see=lambda: None):
        """`see` is called when it is there and not let go yet."""
        steps = [(start[0] + (end[0] - start[0]) * i / 8, start[1] + (end[1] - start[1]) * i / 8) for i in range(9)]
        self.press(*steps[0])
        for x, y in steps[1:]:
            if self.is_phone:
                self.fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
            else:
                self.page.mouse.move(x, y)
        see()
        self.release()

    def callout(self):
        return self.page.locator(".callout")

    def panel(self):
        return self.page.locator("#panel")

    def raise_panel(self):
        """On a phone the sheet is pulled up; the grip answers to keys as well."""
        if self.is_phone:
            self.page.locator(".grip").press("ArrowUp")
            self.page.locator(".grip").press("ArrowUp")

    def choose(self, name):
        """What stands in the menu of a pin's page."""
        self.tap(self.in_menu(name))

    def in_menu(self, name):
        """The button of the menu of a pin's page, which is opened."""
        self.tap(self.panel().get_by_role("button", name="More", exact=True))
        return self.panel().locator(".menu").get_by_role("button", name=name, exact=True)

    def confirm_deletion(self):
        """Closes the line that offers to undo it."""
        line = self.notice("is deleted")
        with self.page.expect_response(re.compile("DeletePin")) as told:
            self.tap(line.get_by_role("button", name="Close"))
        assert told.value.ok
        expect(line).to_have_count(0)

    def use_token(self, token=None):
        """In the dialog that asks to log in: turns to the field for a token of the server, which it returns, or logs in
        with one."""
        field = self.page.get_by_label("Token of this server")
        self.tap(self.page.get_by_role("button", name="Use a token of this server"))
        if token:
            field.fill(token)
            self.tap(self.page.get_by_role("button", name="Open the map"))
        return field

    def notice(self, text):
        return self.page.locator(".notice", has_text=re.compile(text))


def quoted(identifier):
    """As one part of an address behind the #."""
    from urllib.parse import quote
    return quote(identifier, safe="")
