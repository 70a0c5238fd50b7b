"""F95 The app in the reader's language, by the browser or by a choice; and in a page that is read from the right."""

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from conftest import picture
from firstload import CAME, CITY, COAST, Traffic
from test_access import violations
from visitor import HELSINKI, PATIENCE_MS, Visitor
from windows import NO_BLUR, SIZES

FIRST_LOOK_BYTES = 260_000
RTL = "document.documentElement.dir = 'rtl'"
# What people read of a control or a title that is wider than it, or leaves the screen. A name of a pin may be cut off.
CUT = """() => [...document.querySelectorAll("button, select, h1, h2, h3, label, legend, .panel-sub, .state")]
    .filter((element) => element.checkVisibility() && !element.closest(".leaflet-marker-pane, .mark-pane, .strip"))
    .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        const around = (element.closest("#panel") ?? document.documentElement).getBoundingClientRect();
        const style = getComputedStyle(element);
        const isCut = style.display !== "inline" && element.scrollWidth > element.clientWidth + 1;
        return isCut && style.textOverflow !== "ellipsis" || left < around.left - 1 || right > around.right + 1;
    }).map((element) => element.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def server(city):
    return city


@contextmanager
def reader(browser, server, watchman, size, locale, script=""):
    """Someone whose browser is in this language."""
    context = browser.new_context(
        **SIZES[size], reduced_motion="reduce", color_scheme="light", locale=locale, service_workers="block")
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(NO_BLUR)
    watchman.look_after(context)
    page = context.new_page()
    if script:
        page.add_init_script(f"new MutationObserver((_, all) => {{ {script}; all.disconnect(); }})"
                             ".observe(document, { childList: true })")
    yield Visitor(page, server.address, size == "phone")
    watchman.look_away(context)
    context.close()


def test_f95_a_word_has_marks_and_a_number_its_form(browser, server, watchman):
    with reader(browser, server, watchman, "phone", "en-GB") as visitor:
        visitor.page.goto(server.address, wait_until="domcontentloaded")
        said = visitor.page.evaluate("""async () => {
            const { t, tn } = await import("/modules/ground/text.js");
            return [
                t("{name} is deleted", { name: "{n} <b>" }), t("From {least} to {most}.", { least: 1, most: 2000 }),
                t("{from} to {to}|days", { from: "Monday", to: "Friday" }), tn(1, "{n} pin", "{n} pins"),
                tn(0, "{n} pin", "{n} pins"), tn(1200, "{shown} of {n} pin", "{shown} of {n} pins", { shown: 3 }),
            ];
        }""")
    assert said == [
        "{n} <b> is deleted", "From 1 to 2,000.", "Monday to Friday", "1 pin", "0 pins", "3 of 1,200 pins",
    ]


WORDS = {
    "de-AT": ("phone", "Einstellungen", "Entfernungen", "Orte", "Album", ["1,5 km", "1 Pin", "2 Pins"]),
    "ja": ("desktop", "設定", "距離の単位", "場所", "アルバム", ["1.5 km", "ピン 1件", "ピン 2件"]),
}


@pytest.mark.parametrize("locale", WORDS)
def test_f95_the_app_is_in_the_readers_language(browser, server, watchman, locale):
    size, settings, distances, places, album, said = WORDS[locale]
    server.clear()
    pin_id = server.filled(*HELSINKI)
    with reader(browser, server, watchman, size, locale) as visitor:
        page = visitor.page
        traffic = Traffic(page)
        visitor.open()
        visitor.wait_until(CAME, COAST + CITY)
        assert 0 < traffic.total() < FIRST_LOOK_BYTES, traffic.by_url()[:20]
        expect(page.locator("html")).to_have_attribute("lang", locale.split("-")[0])
        found = {"home": violations(page) + page.evaluate(CUT)}
        visitor.tap(page.get_by_role("button", name=settings))
        expect(page.get_by_label(distances)).to_be_visible()
        expect(page.locator(".network").first).to_be_visible()
        found["settings"] = violations(page) + page.evaluate(CUT)
        picture(page, f"f95-settings-{locale}")
        visitor.open(f"#/pin/{pin_id}/places")
        expect(page.locator(".place").first).to_be_visible()
        expect(page.locator(".tabs.wide button").first).to_contain_text(places)
        expect(page.locator(".tabs.wide button").last).to_contain_text(album)
        found["places"] = violations(page) + page.evaluate(CUT)
        picture(page, f"f95-places-{locale}")
        visitor.tap(page.locator(".tabs.wide button").last)
        expect(page.locator(".tile").first).to_be_visible()
        found["album"] = violations(page) + page.evaluate(CUT)
        visitor.tap(page.locator(".tile").first)
        expect(page.locator("#viewer .large.there")).to_be_visible()
        found["viewer"] = violations(page) + page.evaluate(CUT)
        assert not any(found.values()), found
        # Numbers and forms, and what the server says by its rule.
        assert page.evaluate("""async () => {
            const { tn } = await import("/modules/ground/text.js");
            const { distance } = await import("/modules/ground/words.js");
            return [distance(1500).replace("\\u00a0", " "), tn(1, "{n} pin", "{n} pins"), tn(2, "{n} pin", "{n} pins")];
        }""") == said


def test_f95_refusals_of_the_server_are_in_the_readers_language(browser, server, watchman):
    with reader(browser, server, watchman, "phone", "de") as visitor:
        visitor.page.goto(server.address, wait_until="domcontentloaded")
        said = visitor.page.evaluate("""async () => {
            const { plain, refusal, category } = await import("/modules/ground/words.js");
            await (await import("/modules/ground/text.js")).laterWords();
            return [
                refusal("201 characters are not allowed; at most 200 are", "x"),
                refusal("it is missing; 8 or more characters are needed", ""),
                refusal('"ann" is not allowed; an address such as ann@example.org is', "ann"),
                plain("nothing in a table says this", ""),
                category({ categories: ["amenity/fast_food"] }), category({ categories: ["shop/unheard_of"] }),
            ];
        }""")
    assert said == [
        "201 Zeichen: nicht erlaubt. Höchstens 200.", "Fehlt noch. Mindestens 8.",
        "Gebraucht wird eine Adresse wie ann@example.org.", "Nothing in a table says this",
        "Imbiss", "Unheard of",
    ]


def test_f95_the_page_of_a_share_is_in_its_readers_language(browser, server, watchman):
    server.clear()
    share = server.call("waymark.shares.v1.ShareService/CreateShare", {
        "pinId": server.filled(*HELSINKI), "life": "86400s", "requestId": "f95"})["share"]
    with reader(browser, server, watchman, "phone", "de") as visitor:
        page = visitor.page
        page.goto(server.address + share["path"], wait_until="domcontentloaded")
        expect(page.get_by_role("heading", name="Fotos")).to_be_visible()
        expect(page.locator(".shared-facts")).to_contain_text("geteilt bis")
        expect(page.locator(".shared-places").get_by_text("Bushaltestelle").first).to_be_visible()
        expect(page.locator("footer")).to_contain_text("Geteilt aus Waymark")


def test_f95_a_language_is_chosen_in_the_settings(browser, server, watchman):
    with reader(browser, server, watchman, "desktop", "sv") as visitor:
        page = visitor.open("#/settings").page
        # There is no table for it.
        expect(page.locator("html")).to_have_attribute("lang", "en")
        choice = page.locator(".map-settings select").first
        choice.select_option("fi")
        expect(page.get_by_role("heading", name="Asetukset")).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", "fi")
        choice.select_option("")
        expect(page.get_by_role("heading", name="Settings")).to_be_visible()


def test_f95_a_table_that_does_not_come_leaves_english(browser, server, watchman):
    watchman.tolerate("net::ERR_")
    with reader(browser, server, watchman, "phone", "fr") as visitor:
        visitor.page.route("**/words/fr.json", lambda route: route.abort("connectionrefused"))
        visitor.open()
        expect(visitor.page.get_by_role("button", name="Settings")).to_be_visible()
        expect(visitor.page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.both
def test_f95_a_page_that_is_read_from_the_right_is_whole(browser, server, watchman, size):
    server.clear()
    pin_id = server.filled(*HELSINKI)
    with reader(browser, server, watchman, size, "en", RTL) as visitor:
        page = visitor.open().page
        width = SIZES[size]["viewport"]["width"]
        panel, tools = (page.locator(name).bounding_box() for name in ("#panel", "#tools"))
        assert tools["x"] < 20
        assert panel["x"] + panel["width"] > width - 20
        # A pin that is opened lies in what is free.
        visitor.tap_pin(pin_id)
        box = visitor.callout().bounding_box()
        assert box["x"] > tools["x"] + tools["width"] or visitor.is_phone
        assert visitor.is_phone or box["x"] + box["width"] < panel["x"]
        picture(page, "f95-from-the-right")
        for place in ("#/settings", f"#/pin/{pin_id}/places", f"#/pin/{pin_id}/album"):
            visitor.open(place)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(CUT) == [], place
            picture(page, f"f95-from-the-right-{place.split('/')[-1]}")
