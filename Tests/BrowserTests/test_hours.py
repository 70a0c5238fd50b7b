"""Opening hours in words; the numbers are those of Docs/Flows.md."""

import re
from datetime import datetime, timezone

import pytest
from playwright.sync_api import expect

from conftest import SIZES
from visitor import HELSINKI

# A Thursday afternoon in Helsinki, 14:30 there.
NOW = datetime(2026, 11, 26, 12, 30, tzinfo=timezone.utc)
OPEN, CLOSED, UNKNOWN = "OPEN_STATE_OPEN", "OPEN_STATE_CLOSED", "OPEN_STATE_UNKNOWN"
WEEKDAYS = "Monday to Friday 9:00–18:00"
WEEKEND = "Saturday and Sunday closed"


def span(start, end, state=OPEN, remark=""):
    return {"startMinute": start, "endMinute": end, "state": state, "remark": remark}


def hours(state, change=None, then=None, days=(), zone="Europe/Helsinki", remark=""):
    """As the server says them; days from the Thursday on."""
    return {"state": state, "changeTime": change and f"2026-{change}:00Z", "nextState": then, "timeZone": zone,
            "days": [{"spans": list(spans)} for spans in days], "read": True, "remark": remark}


def days(*, weekday=(), saturday=(), sunday=()):
    return [weekday, weekday, saturday, sunday, weekday, weekday, weekday]


NINE = [span(540, 1080)]
WEEK = days(weekday=NINE)
# The state and the rows, by what the server says.
WORDS = [
    (hours(OPEN, "11-26T16:00", CLOSED, WEEK), f"Open now, until 18:00 | {WEEKDAYS} | {WEEKEND}"),
    (hours(CLOSED, "11-26T15:00", OPEN, days(weekday=[span(660, 840), span(1020, 1440)])),
     f"Closed, opens at 17:00 | Monday to Friday 11:00–14:00 and 17:00–24:00 | {WEEKEND}"),
    (hours(CLOSED, "11-27T07:00", OPEN, WEEK), f"Closed, opens tomorrow at 9:00 | {WEEKDAYS} | {WEEKEND}"),
    (hours(CLOSED, "11-30T07:00", OPEN, WEEK), f"Closed, opens on Monday at 9:00 | {WEEKDAYS} | {WEEKEND}"),
    (hours(CLOSED, "12-03T07:00", OPEN, WEEK), f"Closed, opens next Thursday at 9:00 | {WEEKDAYS} | {WEEKEND}"),
    (hours(OPEN, "11-27T02:00", CLOSED, [[span(1320, 1680)]] * 7), "Open now, until 4:00 | Every day 22:00–4:00"),
    (hours(OPEN, "11-28T22:00", CLOSED, days(weekday=[span(0, 1440)], saturday=[span(0, 1440)])),
     "Open now, until Saturday at 24:00 | Monday to Saturday 24 hours | Sunday closed"),
    (hours(OPEN, days=[[span(0, 1440)]] * 7), "Always open"),
    (hours(CLOSED, days=[[]] * 7), "Closed"),
    (hours(CLOSED, "12-08T07:00", UNKNOWN, WEEK), f"Closed now | {WEEKDAYS} | {WEEKEND}"),
    (hours(CLOSED, days=[[span(0, 1440, CLOSED, "renovation")]] * 7, remark="renovation"),
     "Closed | “renovation”"),
    (hours(UNKNOWN, days=[[span(0, 1440, UNKNOWN, "for request only")]] * 7), "“for request only”"),
    (hours(UNKNOWN, "11-26T16:00", CLOSED, days(weekday=[span(540, 1080, UNKNOWN, "ring")])),
     f"Monday to Friday 9:00–18:00 “ring” | {WEEKEND}"),
    (hours(UNKNOWN, "11-26T16:00", CLOSED, days(weekday=[span(540, 1080, UNKNOWN)])),
     f"{WEEKDAYS}, perhaps | {WEEKEND}"),
    # By the clock of the place: 7:30 in New York.
    (hours(CLOSED, "11-26T14:00", OPEN, WEEK, zone="America/New_York"),
     f"Closed, opens at 9:00 | {WEEKDAYS} | {WEEKEND}"),
    ({"state": UNKNOWN}, None), (None, None),
]
SHOWN = """async ([all, now, isTwelve]) => {
    const { hoursInWords } = await import("/modules/hours/hours.js");
    const shown = (hours) => {
        const words = hoursInWords(hours, { now: new Date(now), isTwelve });
        const rows = words?.rows.map((row) => row.filter(Boolean).join(" ")) ?? [];
        return words ? [words.state, ...rows].filter(Boolean).join(" | ") : null;
    };
    return all.map(shown);
}"""


@pytest.fixture
def context(browser, size, watchman):
    """A browser in Finland."""
    context = browser.new_context(
        **SIZES[size], reduced_motion="reduce", locale="en-GB", timezone_id="Europe/Helsinki")
    watchman.look_after(context)
    yield context
    context.close()


def shown(modules, all_hours, twelve=False):
    return modules.evaluate(SHOWN, [all_hours, NOW.isoformat(), twelve])


def test_f47_c12_opening_hours_become_words(modules):
    assert shown(modules, [said for said, _ in WORDS]) == [words for _, words in WORDS]


def test_f47_c12_what_cannot_be_read_is_shown_as_it_is(modules):
    fact = """async (value) => {
        const { hoursFact } = await import("/modules/hours/hoursfact.js");
        return hoursFact(value, { state: "OPEN_STATE_UNKNOWN" }, async () => undefined);
    }"""
    assert modules.evaluate(fact, "Mo-Fr 9-5; <b>by chance</b>;") == "Mo-Fr 9-5 · <b>by chance</b>"


def test_f47_c12_a_clock_of_twelve_hours(modules):
    said = {
        "Open now, until 6:30 PM | Every day 9 AM–6:30 PM": hours(
            OPEN, "11-26T16:30", CLOSED, [[span(540, 1110)]] * 7),
        "Open now, until midnight | Every day 12 PM–midnight": hours(
            OPEN, "11-26T22:00", CLOSED, [[span(720, 1440)]] * 7),
        "Closed, opens at 5 PM | Every day 5 PM–12:30 AM": hours(
            CLOSED, "11-26T15:00", OPEN, [[span(1020, 1470)]] * 7),
    }
    assert shown(modules, list(said.values()), twelve=True) == list(said)


def test_f47_p61_a_place_says_whether_it_is_open(server, visitor, context):
    value = "Mo-Fr 09:00-21:00; Sa 09:00-19:00; Su 11:00-18:00"
    pin_id = server.filled(*HELSINKI)
    request = {"centre": dict(zip(("latitude", "longitude"), HELSINKI)), "radiusM": 250, "limit": 200}
    places = server.call("waymark.places.v1.PlacesService/Nearby", request)["places"]
    hours_of_it = {"key": "opening_hours", "value": value}
    place = next(place for place in places if hours_of_it in place.get("attributes", []))
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.tap(visitor.page.get_by_role("button", name=re.compile("^All")))
    row = visitor.page.locator(f".place[data-place='{place['id']}']")
    row.locator(".place-head").press("Enter")
    expect(row.locator(".hours-now")).to_have_text(re.compile("^(Open now, until|Closed, opens) .*[0-9]:00$"))
    # A holiday of the coming week is said too, so that the rows may be more.
    expect(row.locator(".hours-week li").first).to_contain_text("9:00–21:00")


def test_f47_p61_what_goes_now_is_asked_again_when_it_has_changed(modules):
    changed = """async () => {
        const { hoursFact } = await import("/modules/hours/hoursfact.js");
        const past = new Date(Date.now() - 1000).toISOString();
        const days = Array.from({ length: 7 }, () => ({ spans: [] }));
        const before = { read: true, state: "OPEN_STATE_OPEN", changeTime: past, nextState: "OPEN_STATE_CLOSED",
                         timeZone: "Europe/Helsinki", days };
        const fact = hoursFact("x", before, async () => ({ ...before, state: "OPEN_STATE_CLOSED", changeTime: "" }));
        while (!fact.textContent) await new Promise((resolve) => setTimeout(resolve, 10));
        return fact.textContent;
    }"""
    assert modules.evaluate(changed) == "Closed"
