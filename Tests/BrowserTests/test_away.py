"""P69, F76 The server is away: one looks around in what was there last, and what one does is sent when it is back."""

import uuid
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from conftest import SIZES, Watchman, picture
from ports import held_port
from server import PINS, Program
from test_uploads import UPLOADS, choose, jpeg, uploaded
from visitor import HELSINKI, PATIENCE_MS, Visitor

WORKS = """async () => {
    const cache = await caches.open("waymark-shell");
    const kept = async (path) => (await cache.match(path)) !== undefined;
    return navigator.serviceWorker.controller !== null && await kept("/") && await kept("/modules/main.js")
        && await kept("/modules/pages.js") && await kept("/map/index.json")
        && (await cache.keys()).some(({ url }) => url.includes("/map/helsinki/14/"));
}"""
STREETS = """async () => {
    const { drawn } = await import("/modules/paint/painter.js");
    return drawn.namedTiles(14).some(({ layers }) => layers.streets?.some(({ name }) => name === "Mannerheimintie"));
}"""
KEPT = """async (method) => {
    const keys = await (await caches.open("waymark-mine")).keys();
    return keys.some(({ url }) => url.includes(`/kept/${method}?`));
}"""

LISTS = "waymark.lists.v1.ListService"
# What this browser keeps of the answer to "Which lists are there?"
KEPT_LISTS = """async (names) => {
    const kept = await (await caches.open("waymark-mine")).match("/kept/lists.v1.ListService/ListLists?%7B%7D");
    return kept && ((await kept.json()).lists ?? []).map(({ name }) => name).join() === names.join();
}"""

# How many changes this browser keeps for the server.
KEPT_CHANGES = "() => Object.keys(localStorage).filter((key) => key.startsWith('waymark.change.')).length"


# The first answer to a method comes when it is given; the server has it before.
HOLDS = """(() => {
    const [ask, held] = [window.fetch, Promise.withResolvers()];
    Object.assign(window, { isTaken: false, give: held.resolve, lose: held.reject });
    window.fetch = async (path, options) => {
        const answer = await ask(path, options);
        if (!isTaken && path.endsWith("/%s")) {
            isTaken = true;
            await held.promise;
        }
        return answer;
    };
})()"""
# Whether nothing lies upon the middle of an element.
UNCOVERED = """async (selector) => {
    const element = document.querySelector(selector);
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


class ShakyGateway:
    """A gateway in front of the services of another one, which goes away and comes back at the same address."""

    def __init__(self, server, folder):
        self.host = f"127.0.0.1:{held_port()}"
        self.server, self.folder, self.address, self.program = server, folder, f"http://{self.host}", None
        self.come()

    def come(self):
        words = ["--listen", "127.0.0.1:0", "--http", self.host, "--data", self.folder]
        words += ["--key-file", f"{self.server.system.folder.name}/data/key"]
        for name, address in self.server.system.up.ready["services"].items():
            words += [f"--{name}", address]
        self.program = Program(self.folder, "gateway", *words)

    def go(self):
        if self.program:
            self.program.stop()
        self.program = None


@pytest.fixture
def shaky(server, tmp_path):
    gateway = ShakyGateway(server, tmp_path)
    yield gateway
    gateway.go()


@pytest.fixture
def guest(browser, server, shaky, size):
    """A visitor by that gateway, whose browser has a service worker."""
    server.clear()
    watchman = Watchman(shaky)
    watchman.tolerate("net::ERR_", "Failed to load resource", "the base map is not there", "when fetching the script")
    context = browser.new_context(**SIZES[size], reduced_motion="reduce", locale="en", service_workers="allow")
    context.set_default_timeout(PATIENCE_MS)
    watchman.look_after(context)
    yield Visitor(context.new_page(), shaky.address, size == "phone")
    context.close()
    assert watchman.unexpected() == []


def test_f76_one_looks_around_while_the_server_is_away_and_what_one_does_is_sent_once(server, shaky, guest):
    pin_id = server.filled(*HELSINKI, name="Harbour")
    page = guest.open().page
    guest.tap_pin(pin_id)
    guest.tap(guest.callout().get_by_role("button", name="Places"))
    expect(page.locator(".place").first).to_be_attached()
    page.evaluate("location.hash = '#/'")
    guest.wait_until(WORKS)
    # What the test itself asks for is kept as well.
    guest.point(*HELSINKI)
    guest.wait_drawn(STREETS)
    guest.wait_until(KEPT, "pins.v1.PinService/WatchPins")
    guest.wait_until(KEPT, "pins.v1.PinService/WatchPin")
    shaky.go()
    # From nothing but what is kept.
    page.reload(wait_until="domcontentloaded")
    expect(guest.pin(pin_id)).to_be_visible()
    expect(page.locator("#banner-link")).to_contain_text("The server is not answering")
    expect(page.get_by_role("heading", name="Drop your first pin")).to_have_count(0)
    guest.wait_drawn(STREETS)
    guest.tap_pin(pin_id)
    expect(guest.callout()).to_contain_text("Harbour")
    guest.tap(guest.callout().get_by_role("button", name="Places"))
    expect(page.locator(".place").first).to_be_attached()
    picture(page, "f76-away")
    page.evaluate("location.hash = '#/'")
    expect(guest.callout()).to_have_count(0)
    guest.hold(HELSINKI[0] - 0.0012, HELSINKI[1] + 0.0016)
    # It is a pin like others, and says that it waits.
    expect(guest.callout()).to_contain_text("It waits for the server")
    expect(page.locator("#banner-link")).to_contain_text("1 change waits")
    expect(page.locator(".pin-row")).to_have_count(2)
    expect(page.locator(".panel-sub").first).to_have_text("2 pins")
    picture(page, "f76-waits")
    guest.wait_until(UNCOVERED, ".callout h2")
    guest.tap(guest.callout().get_by_role("button", name="Places"))
    expect(page.get_by_role("heading", name="It waits for the server")).to_be_visible()
    expect(guest.panel().locator(".tabs")).to_be_hidden()
    guest.choose("Rename")
    page.get_by_label("Name of the pin").fill("Quay")
    page.get_by_label("Name of the pin").press("Enter")
    expect(page.get_by_role("heading", name="Quay")).to_be_visible()
    guest.tap(page.get_by_role("button", name="Add a note"))
    page.get_by_label("Note about the pin").fill("Windy")
    guest.tap(guest.panel().get_by_role("button", name="Save"))
    expect(guest.panel().locator(".pin-note-text")).to_have_text("Windy")
    picture(page, "f76-waiting-page")
    # It waits when the page is closed, too, and is there when it is opened again.
    page.reload(wait_until="domcontentloaded")
    expect(page.locator("#banner-link")).to_contain_text("3 changes wait")
    expect(page.get_by_role("heading", name="Quay")).to_be_visible()
    shaky.come()
    # The page goes on under the name that the server gave it.
    expect(page.get_by_role("heading", name="Quay")).to_be_visible()
    expect(page.locator("#banner-link")).not_to_contain_class("shown")
    guest.wait_until("async () => !location.hash.includes('new-')")
    expect(guest.panel().locator(".pin-note-text")).to_have_text("Windy")
    page.evaluate("location.hash = '#/'")
    expect(page.locator(".pin-row")).to_have_count(2)
    guest.settle()
    [quay] = [pin for pin in server.pins() if pin["id"] != pin_id]
    assert quay["name"] == "Quay" and quay["hasNote"]


def test_f76_what_is_dropped_is_kept_before_anything_is_tried(server, guest):
    """R1: the page was closed within two seconds, and the pin was gone."""
    page = guest.open().page
    page.route("**/*CreatePin", lambda route: None)  # No answer, and no refusal.
    page.evaluate("""async (position) => {
        const { dropPinAt } = await import("/modules/pins/actions.js");
        dropPinAt(L.latLng(position), "Harbour");
    }""", HELSINKI)
    assert page.evaluate(KEPT_CHANGES) == 1
    page.unroute_all(behavior="ignoreErrors")
    page.reload(wait_until="domcontentloaded")
    expect(page.locator(".pin-row")).to_have_count(1)
    guest.settle()
    assert [pin["name"] for pin in server.pins()] == ["Harbour"]


def test_f76_what_the_server_took_without_an_answer_is_made_once(server, shaky, guest):
    page = guest.open().page
    lost = []

    def lose(route):
        lost.append(route.fetch().status)
        route.abort("connectionreset")

    page.route("**/*CreatePin", lose, times=2)
    page.evaluate("""async (position) => {
        const { dropPinAt } = await import("/modules/pins/actions.js");
        dropPinAt(L.latLng(position), "Harbour");
    }""", HELSINKI)
    guest.settle()
    assert lost == [200, 200] and [pin["name"] for pin in server.pins()] == ["Harbour"]


def heard_until_now(server, page):
    """The stream says all in its order: what is dropped now comes last."""
    server.drop(*HELSINKI, name="Beacon")
    expect(page.locator(".pin-row", has_text="Beacon")).to_have_count(1)


def test_f76_a_pin_that_was_deleted_here_does_not_come_back_with_the_answer(server, guest):
    server.filled(*HELSINKI, name="Harbour")
    page = guest.open().page
    # It is sent by another page than the one on which it was deleted.
    page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")
    page.evaluate("""async () => {
        const { deletePin } = await import("/modules/pins/deletion.js");
        const { allPins } = await import("/modules/pins/store.js");
        deletePin(allPins()[0].id);
    }""")
    page.locator(".notice-close").click()
    guest.wait_until(f"async () => ({KEPT_CHANGES})() === 1")
    page.add_init_script(HOLDS % "DeletePin")
    page.reload(wait_until="domcontentloaded")
    guest.wait_until("async () => isTaken")
    heard_until_now(server, page)
    page.evaluate("give()")
    guest.settle()
    expect(page.locator(".pin-row")).to_have_count(1)
    assert [pin["name"] for pin in server.pins()] == ["Beacon"]


def test_f76_a_pin_that_was_deleted_elsewhere_does_not_come_back_with_a_late_answer(server, guest):
    page = guest.open().page
    page.evaluate(HOLDS % "CreatePin")
    page.evaluate("""async (position) => {
        const { dropPinAt } = await import("/modules/pins/actions.js");
        dropPinAt(L.latLng(position), "Harbour");
    }""", HELSINKI)
    guest.wait_until("async () => isTaken")
    [pin] = server.pins()
    server.call(f"{PINS}/DeletePin", {"id": pin["id"]})
    heard_until_now(server, page)
    # What was made is answered again as it was the first time.
    page.evaluate("lose()")
    guest.settle()
    expect(page.locator(".pin-row")).to_have_count(1)
    expect(guest.callout()).to_have_count(0)
    assert [pin["name"] for pin in server.pins()] == ["Beacon"]


def test_f76_two_tabs_keep_what_each_has_done(server, shaky, guest):
    page = guest.open().page
    guest.wait_until(WORKS)
    other = Visitor(page.context.new_page(), guest.address, guest.is_phone).open().page
    for tab in page, other:
        tab.evaluate("async () => { window.drop = (await import('/modules/pins/actions.js')).dropPinAt; }")
    shaky.go()
    drop = "([name, ...position]) => { window.drop(L.latLng(position), name); }"
    page.evaluate(drop, ["Here", *HELSINKI])
    other.evaluate(drop, ["There", HELSINKI[0] + 0.001, HELSINKI[1]])
    # Each shows what the other one keeps.
    for tab in page, other:
        expect(tab.locator(".pin-row")).to_have_count(2)
    other.close()
    shaky.come()
    guest.settle()
    assert sorted(pin["name"] for pin in server.pins()) == ["Here", "There"]


def test_f76_a_browser_without_room_says_so(server, shaky, guest):
    page = guest.open().page
    guest.point(*HELSINKI)  # Its script is there, then.
    page.evaluate("""() => {
        Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
    }""")
    shaky.go()
    guest.hold(*HELSINKI)
    expect(page.locator("#banner-link")).to_contain_text("This browser has no room to keep them: leave the page open.")
    shaky.come()
    expect(page.locator("#banner-link")).not_to_contain_class("shown")
    assert len(server.pins()) == 1


def test_f76_what_an_earlier_version_kept_is_sent(server, guest):
    page = guest.open().page
    page.evaluate("""(request) => localStorage.setItem("waymark.outbox", JSON.stringify([
        { method: "pins.v1.PinService/CreatePin", request },
    ]))""", {"requestId": str(uuid.uuid4()), "name": "Old", "position": {"latitude": 60.17, "longitude": 24.94}})
    page.reload(wait_until="domcontentloaded")
    expect(page.locator(".pin-row")).to_have_count(1)
    guest.settle()
    assert [pin["name"] for pin in server.pins()] == ["Old"]
    assert page.evaluate("localStorage.getItem('waymark.outbox')") is None


def test_f76_what_the_server_does_not_take_is_said(server, shaky, guest):
    pin_id = server.filled(*HELSINKI, name="Harbour")
    page = guest.open().page
    guest.wait_until(WORKS)
    page.evaluate("import('/modules/pins/actions.js').then(({ renamePin }) => { window.rename = renamePin; })")
    shaky.go()
    expect(page.locator("#banner-link")).to_contain_text("The server is not answering")
    page.evaluate("(id) => { window.rename(id, 'Port'); }", pin_id)
    expect(page.locator("#banner-link")).to_contain_text("1 change waits")
    page.reload(wait_until="domcontentloaded")
    server.call("waymark.pins.v1.PinService/DeletePin", {"id": pin_id})
    shaky.come()
    expect(guest.page.locator(".notice", has_text="A change that waited could not be made")).to_be_visible()
    picture(page, "f76-refused")


def test_f76_nothing_is_kept_when_one_has_logged_out(server, shaky, guest):
    server.filled(*HELSINKI, name="Harbour")
    page = guest.open().page
    guest.wait_until(WORKS)
    guest.wait_until(KEPT, "pins.v1.PinService/WatchPins")
    page.evaluate("""async () => {
        const { leave } = await import("/modules/server/session.js");
        await leave();
    }""")
    assert page.evaluate("caches.has('waymark-mine')") is False
    assert page.evaluate("localStorage.getItem('waymark.account')") is None
    shaky.go()
    page.reload(wait_until="domcontentloaded")
    expect(guest.panel().get_by_role("status")).to_contain_text("The server is not answering")
    expect(guest.pins()).to_have_count(0)


def test_f76_nothing_of_another_account_is_shown(server, shaky, guest):
    server.filled(*HELSINKI, name="Harbour")
    page = guest.open().page
    guest.wait_until(KEPT, "pins.v1.PinService/WatchPins")
    # As if the browser had been another person's since.
    page.evaluate("localStorage.setItem('waymark.account', 'somebody')")
    page.reload(wait_until="domcontentloaded")
    guest.wait_until("async () => localStorage.getItem('waymark.account') !== 'somebody'")
    guest.wait_until(KEPT, "pins.v1.PinService/WatchPins")
    assert urlsplit(page.url).netloc == shaky.host


def test_f76_nothing_stays_of_an_account_that_is_not_known(guest):
    """The service worker kept pictures and areas, but the browser had no room to note whose they are."""
    page = guest.open().page
    guest.wait_until("async () => localStorage.getItem('waymark.account') !== null")
    page.evaluate("""async () => {
        localStorage.removeItem("waymark.account");
        for (const name of ["waymark-mine", "waymark-taken-1"]) {
            await (await caches.open(name)).put("/pictures/theirs", new Response("theirs"));
        }
    }""")
    page.reload(wait_until="domcontentloaded")
    guest.wait_until("async () => localStorage.getItem('waymark.account') !== null")
    assert page.evaluate("caches.has('waymark-taken-1')") is False
    assert page.evaluate("async () => (await caches.match('/pictures/theirs')) === undefined")


def test_f76_a_list_made_before_is_there_without_the_server(server, shaky, guest):
    """It said "No lists yet": what was kept was older than the list."""
    for each in server.call(f"{LISTS}/ListLists").get("lists", []):
        server.call(f"{LISTS}/DeleteList", {"id": each["id"]})
    pin_id = server.filled(*HELSINKI, name="Harbour")
    page = guest.open("#/lists").page
    guest.wait_until(WORKS)
    expect(page.get_by_role("heading", name="No lists yet")).to_be_visible()
    guest.wait_until(KEPT_LISTS, [""])
    page.evaluate("""async (pin) => {
        const { addToList, createList } = await import("/modules/lists/lists.js");
        await addToList((await createList({ name: "Cafes", colour: "teal" })).id, [pin]);
    }""", pin_id)
    guest.wait_until(KEPT_LISTS, ["Cafes"])
    shaky.go()
    page.reload(wait_until="domcontentloaded")
    expect(page.locator(".list-row")).to_contain_text("1 pin")
    expect(page.get_by_role("heading", name="No lists yet")).to_have_count(0)


def test_f76_photos_wait_for_the_server_and_come_once_or_are_given_up(server, shaky, guest):
    """They were given up after 18 seconds."""
    pin_id = server.filled(*HELSINKI, name="Harbour")
    page = guest.open(f"#/pin/{pin_id}/album").page
    guest.wait_until(WORKS)
    guest.raise_panel()
    own = page.locator(".tile[data-photo^='upload/']")
    waits = page.locator(".adding")
    page.clock.install()
    shaky.go()
    choose(guest, ("one.jpg", jpeg(11)))
    expect(waits).to_contain_text("1 photo waits for the server")
    guest.tap(waits.get_by_role("button", name="Don't add"))
    expect(waits).to_be_hidden()
    choose(guest, ("two.jpg", jpeg(12)))
    expect(waits).to_contain_text("1 photo waits for the server")
    # All that a call has of patience, and more.
    for _ in range(12):
        page.clock.run_for(5000)
    expect(waits).to_contain_text("1 photo waits for the server")
    picture(page, "f76-photo-waits")
    expect(page.locator(".notice", has_text="could not be added")).to_have_count(0)
    shaky.come()
    page.clock.resume()
    expect(own).to_have_count(1)
    expect(waits).to_be_hidden()
    expect(page.locator(".notice", has_text="could not be added")).to_have_count(0)
    for photo in uploaded(server, pin_id):
        server.call(f"{UPLOADS}/DeletePhoto", {"id": photo})
