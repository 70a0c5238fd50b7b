"""P69 What one keeps arrives once, and what one cancels never: rounds of what a person may do on the page, drawn by
chance, against a model that says what must be on the server in the end. The server goes away and comes back, or takes
a change and its answer is lost; pages are opened again and closed in the middle of everything.

WAYMARK_MODEL_ROUNDS is how many rounds, WAYMARK_MODEL_SEED the first one's seed: six that are always the same where
neither is said, by chance where it is said how many. A round that fails prints its own, with what it did."""

import os
import random

import pytest
from playwright.sync_api import expect

from accounts import call_as, enter, sign_up
from conftest import Watchman
from server import PINS, Server
from visitor import NOTHING_WAITS, PATIENCE_MS, UNTIL

POSTS = "waymark.posts.v1.PostService"
ROUNDS = int(os.environ.get("WAYMARK_MODEL_ROUNDS", 6))
# The same for all processes of a run.
RUN = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID"))
ANY = RUN.randrange(1_000_000) if "WAYMARK_MODEL_ROUNDS" in os.environ else 1000
SEED = int(os.environ.get("WAYMARK_MODEL_SEED", ANY))
TOGETHER = 5
STEPS = 10
# The app's own modules, as its buttons use them. Where answers are lost, the server has taken what was sent.
TOOLS = """(() => {
    const ask = window.fetch;
    window.fetch = async (path, options) => {
        const answer = await ask(path, options);
        const isLost = sessionStorage.getItem("test.lossy") && /PinService[/](?!Get|Watch|List)/.test(path);
        if (isLost) throw new TypeError("the answer is lost");
        return answer;
    };
})()"""
LOAD = """async () => {
    const names = ["pins/actions", "pins/deletion", "pins/pins", "pins/store", "server/api", "ground/router"];
    const parts = await Promise.all(names.map((name) => import(`/modules/${name}.js`)));
    window.app = Object.assign({}, ...parts);
    window.app.named = (name) => app.allPins().find((pin) => pin.name === name);
}"""
LISTS = "async (names) => app.allPins().map(({ name }) => name).sort().join() === names.join()"
SHOWN = "async (name) => app.named(name) !== undefined"
# Does something with a pin, if it is still shown; returns whether. Another tab's answer comes at any moment.
DO = """([name, ...words]) => {
    const pin = app.named(name);
    if (pin) (%s)(pin, ...words);
    return pin !== undefined;
}"""
# The line of a pin that was deleted, with its buttons.
DELETE = """({ id, name }, button) => {
    app.deletePin(id);
    const lines = [...document.querySelectorAll(".notice:not(.leaving)")];
    lines.find((line) => line.textContent.includes(`${name} is deleted`)).querySelector(button).click();
}"""


@pytest.fixture(scope="module")
def server():
    server = Server(sign_up="open")
    yield server
    server.stop()


class Pin:
    def __init__(self, name, position):
        self.name, self.position, self.note = name, position, ""

    def told(self):
        return self.name, self.position, self.note


class Round:
    """What one does in a browser, and what must come of it."""

    def __init__(self, seed, server, context, token):
        self.seed, self.server, self.context, self.token = seed, server, context, token
        self.chance = random.Random(seed)
        self.pins, self.post, self.tabs, self.steps, self.made, self.mode = [], None, [], [], 0, "here"
        for pin in self.call(f"{PINS}/ListPins", {"pageSize": 500}).get("pins", []):
            self.call(f"{PINS}/DeletePin", {"id": pin["id"]})
        self.call(f"{POSTS}/DeletePost")

    def call(self, method, request=None):
        return call_as(self.server, self.token, method, request)

    def run(self):
        self.open_tab()
        self.tabs[0].evaluate("localStorage.clear()")
        self.tabs[0].reload(wait_until="domcontentloaded")
        self.tabs[0].evaluate(LOAD)
        actions = {
            self.drop: 8, self.move: 4, self.rename: 4, self.note: 3, self.delete: 2, self.undo: 2, self.cancel: 2,
            self.go_away: 4, self.lose_answers: 2, self.come_back: 3, self.open_again: 3, self.close_tab: 2,
            self.open_tab: 2, self.put_post: 1,
        }
        for _ in range(STEPS):
            action = self.chance.choices([*actions], [*actions.values()])[0]
            self.steps.append(action.__name__)
            action()
        self.end()

    def end(self):
        self.come_back()
        if not self.tabs:
            self.open_tab()
        page = self.tabs[0]
        self.until(page, NOTHING_WAITS)
        found = self.call(f"{PINS}/ListPins", {"pageSize": 500}).get("pins", [])
        whole = [self.call(f"{PINS}/GetPin", {"id": pin["id"]})["pin"] for pin in found]
        places = [(pin["name"], place_of(pin["position"]), pin.get("note", "")) for pin in whole]
        assert sorted(places) == sorted(pin.told() for pin in self.pins)
        posts = self.call(f"{POSTS}/ListPosts").get("posts", [])
        assert [post["link"] for post in posts if post.get("own")] == ([self.post] if self.post else [])
        # The page says the same, in its list and in its number.
        names = sorted(pin.name for pin in self.pins)
        if not page.evaluate(UNTIL % LISTS, [names, PATIENCE_MS]):
            raise AssertionError(f"listed: {page.evaluate('app.allPins()')}, not {names}")
        assert page.evaluate("app.allPins().some((pin) => pin.waits || pin.isNew)") is False
        for tab in self.tabs:
            tab.close()

    def until(self, page, condition, argument=None):
        assert page.evaluate(UNTIL % condition, [argument, PATIENCE_MS]), f"never true: {condition} {argument}"

    def fresh(self, word):
        self.made += 1
        return f"{word} {self.made}"

    def point(self):
        """In an ocean, where no search takes long."""
        return round(-30 - self.chance.random() * 10, 5), round(-20 - self.chance.random() * 10, 5)

    def tab(self):
        if not self.tabs:
            self.open_tab()
        return self.chance.choice(self.tabs)

    def shown_pin(self, page):
        """A pin of the model, when the page shows it: one that was opened without the server shows what is kept."""
        pins = [pin for pin in self.pins if page.evaluate(SHOWN, pin.name)]
        return self.chance.choice(pins) if pins else None

    def do(self, page, pin, script, *words):
        return page.evaluate(DO % script, [pin.name, *words])

    # What one does.

    def drop(self):
        page, pin = self.tab(), Pin(self.fresh("pin"), self.point())
        page.evaluate("([name, ...point]) => { app.dropPinAt(L.latLng(point), name); }", [pin.name, *pin.position])
        self.pins.append(pin)

    def move(self):
        page = self.tab()
        if pin := self.shown_pin(page):
            position = self.point()
            if self.do(page, pin, "(pin, ...point) => { app.movePin(pin, L.latLng(point)); }", *position):
                pin.position = position

    def rename(self):
        page = self.tab()
        if pin := self.shown_pin(page):
            name = self.fresh("name")
            if self.do(page, pin, "({ id }, name) => { app.renamePin(id, name); }", name):
                pin.name = name

    def note(self):
        page = self.tab()
        if pin := self.shown_pin(page):
            note = self.fresh("note")
            annotate = "({ id }, note) => { app.change('pins.v1.PinService/AnnotatePin', { id, note }); }"
            if self.do(page, pin, annotate, note):
                pin.note = note

    def delete(self):
        """Until Undo has gone, or the page."""
        page = self.tab()
        pin = self.shown_pin(page)
        if pin and self.do(page, pin, DELETE, ".notice-close"):
            self.pins.remove(pin)

    def undo(self):
        page = self.tab()
        if pin := self.shown_pin(page):
            self.do(page, pin, DELETE, ".notice-action")

    def cancel(self):
        """A name that is typed and not kept."""
        page = self.tab()
        pin = self.shown_pin(page)
        if pin and self.do(page, pin, "({ id }) => app.go({ view: 'places', pin: id })"):
            page.get_by_role("button", name="More", exact=True).click()
            page.get_by_role("button", name="Rename").click()
            field = page.get_by_label("Name of the pin")
            field.fill("cancelled")
            self.chance.choice([lambda: field.press("Escape"), lambda: page.evaluate("app.go({ view: 'home' })")])()
            page.evaluate("app.go({ view: 'home' })")

    def put_post(self):
        """Puts oneself on the map, or gives up; the server goes away in between, or not."""
        if self.mode != "here":
            return
        page, link = self.tab(), f"https://example.org/{self.seed}/{self.fresh('link').replace(' ', '')}"
        page.evaluate("app.go({ view: 'post' })")
        page.get_by_label("A town or an address").fill("Tampere")
        page.get_by_role("button", name="Find on the map").click()
        page.get_by_label("Your link").fill(link)
        way = self.chance.choice(["finish", "leave", "away", "again"])
        self.steps[-1] += f" {way}"
        if way in ("away", "again"):
            self.go_away()
            page.get_by_role("button", name="Finish").click()
            expect(page.locator("#panel").get_by_role("alert").last).to_contain_text("can't be reached")
        if way == "again":
            self.come_back()
        if way in ("finish", "again"):
            page.get_by_role("button", name="Finish").click()
            expect(page.locator(".notice", has_text="on the map").or_(
                page.locator(".notice", has_text="is changed")).first).to_be_visible()
            self.post = link
        page.evaluate("app.go({ view: 'home' })")

    def go_away(self):
        self.set_mode("away")

    def lose_answers(self):
        self.set_mode("lossy")

    def come_back(self):
        self.set_mode("here")

    def set_mode(self, mode):
        self.mode = mode
        for tab in self.tabs:
            tab.evaluate("(mode) => sessionStorage.setItem('test.lossy', mode)", "yes" if mode == "lossy" else "")
        self.context.set_offline(mode == "away")

    def open_tab(self):
        if len(self.tabs) == 2:
            return
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        self.tabs.append(page)
        page.goto(f"{self.server.address}/#/", wait_until="domcontentloaded")
        self.prepare(page)

    def open_again(self):
        page = self.tab()
        page.reload(wait_until="domcontentloaded")
        self.prepare(page)

    def prepare(self, page):
        page.evaluate("(mode) => sessionStorage.setItem('test.lossy', mode)", "yes" if self.mode == "lossy" else "")
        page.evaluate(LOAD)

    def close_tab(self):
        if self.tabs:
            page = self.chance.choice(self.tabs)
            self.tabs.remove(page)
            page.close()


def place_of(position):
    return round(position.get("latitude", 0), 5), round(position.get("longitude", 0), 5)


WORKS = """async () => {
    const cache = await caches.open("waymark-shell");
    const kept = async (path) => (await cache.match(path)) !== undefined;
    return navigator.serviceWorker.controller !== null && await kept("/") && await kept("/modules/main.js")
        && await kept("/modules/pages.js") && await kept("/modules/pins/actions.js")
        && await kept("/modules/pins/deletion.js");
}"""


@pytest.mark.parametrize("part", range(0, ROUNDS, TOGETHER))
def test_f76_what_is_kept_arrives_once_and_what_is_cancelled_never(server, browser, part):
    watchman = Watchman(server)
    watchman.tolerate("net::ERR_", "Failed to load resource", "Failed to fetch", "the answer is lost")
    context = browser.new_context(
        viewport={"width": 640, "height": 480}, reduced_motion="reduce", locale="en", service_workers="allow")
    watchman.look_after(context)
    context.add_init_script(TOOLS)
    session = sign_up(server, firstName="Ann")
    enter(context, server.address, session["token"])
    # With its scripts kept by the worker a page opens without the server, as an earlier visit left them.
    page = context.new_page()
    page.goto(server.address, wait_until="domcontentloaded")
    page.evaluate(LOAD)
    assert page.evaluate(UNTIL % WORKS, [None, PATIENCE_MS])
    page.close()
    for seed in range(SEED + part, SEED + min(part + TOGETHER, ROUNDS)):
        one = Round(seed, server, context, session["token"])
        try:
            one.run()
        except BaseException as error:
            told = f"WAYMARK_MODEL_SEED={seed} WAYMARK_MODEL_ROUNDS=1 replays: {', '.join(one.steps)}"
            raise AssertionError(told) from error
    context.close()
    assert watchman.unexpected() == []
