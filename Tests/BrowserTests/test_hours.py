"""Opening hours in words; the numbers are those of Docs/Flows.md."""

import csv
import gzip
import re
from datetime import datetime, timezone

import pytest
from playwright.sync_api import expect

from conftest import ROOT, SIZES
from visitor import HELSINKI

# A Thursday afternoon in Helsinki, 14:30 there.
NOW = datetime(2026, 11, 26, 12, 30, tzinfo=timezone.utc)
WEEKDAYS = "Monday to Friday 9:00–18:00"
WEEKEND = "Saturday and Sunday closed"
APART = "unless it is a public holiday"

# The state and the rows, by the value; None for what is shown as it is.
WORDS = {
    "Mo-Fr 09:00-18:00; Sa 10:00-15:00": f"Open now, until 18:00 | {WEEKDAYS} | Saturday 10:00–15:00 | Sunday closed",
    "Mo-Fr 09:00-18:00 Sa 10-15": f"Open now, until 18:00 | {WEEKDAYS} | Saturday 10:00–15:00 | Sunday closed",
    "mon-fri: 9:00 - 18:00": f"Open now, until 18:00 | {WEEKDAYS} | {WEEKEND}",
    "24/7": "Always open",
    "24/7; Su off": "Open now, until Saturday at 24:00 | Monday to Saturday 24 hours | Sunday closed",
    "24/7; PH off": f"Open now, {APART} | Every day 24 hours | Public holidays closed",
    "closed": "Closed",
    'off "renovation"': "Closed | “renovation”",
    "10:00-22:00": "Open now, until 22:00 | Every day 10:00–22:00",
    # Several spans a day, and such that go on past midnight.
    "Mo-Fr 11:00-14:00,17:00-00:00": "Closed, opens at 17:00 | "
                                     f"Monday to Friday 11:00–14:00 and 17:00–24:00 | {WEEKEND}",
    "We-Th 22:00-14:45": "Open now, until 14:45 | Wednesday and Thursday 22:00–14:45 | Friday to Tuesday closed",
    "Th-Sa 12:00-26:00": "Open now, until 2:00 | Thursday to Saturday 12:00–2:00 | Sunday to Wednesday closed",
    "Fr 22:00-04:00": "Closed, opens tomorrow at 22:00 | Friday 22:00–4:00 | Saturday to Thursday closed",
    "Mo,We 7:00-9:00": "Closed, opens on Monday at 7:00 | Monday and Wednesday 7:00–9:00 | "
                       "Tuesday and Thursday to Sunday closed",
    "Th 9:00-12:00": "Closed, opens next Thursday at 9:00 | Thursday 9:00–12:00 | Friday to Wednesday closed",
    # Rules that go together.
    "Mo-Su 9:00-18:00; Th 9:00-20:00": "Open now, until 20:00 | "
                                       "Friday to Wednesday 9:00–18:00 | Thursday 9:00–20:00",
    "Mo-Fr 9:00-18:00; Fr off": "Open now, until 18:00 | Monday to Thursday 9:00–18:00 | Friday to Sunday closed",
    "Mo-Fr 9:00-13:00, Th 14:00-18:00": "Open now, until 18:00 | Monday to Wednesday and Friday 9:00–13:00 | "
                                        f"Thursday 9:00–13:00 and 14:00–18:00 | {WEEKEND}",
    "Mo-Fr 9:00-18:00; 14:00-15:00 off": "Closed, opens at 15:00 | "
                                         f"Monday to Friday 9:00–14:00 and 15:00–18:00 | {WEEKEND}",
    'Mo-Fr 9:00-18:00 || "on call"': f"Open now, until 18:00 | {WEEKDAYS} | {WEEKEND} | Otherwise “on call”",
    # Whether it is open on call, nothing says.
    'Mo-Fr 9:00-12:00 || "on call"': f"Monday to Friday 9:00–12:00 | {WEEKEND} | Otherwise “on call”",
    '"for request only"': "“for request only”",
    'Mo-Fr 9:00-18:00 "ring"': f"{WEEKDAYS} “ring” | {WEEKEND}",
    'Mo-Fr 9:00-18:00 open "ring"': f"Open now, until 18:00 | {WEEKDAYS} “ring” | {WEEKEND}",
    "Mo-Fr 9:00-18:00 unknown": f"{WEEKDAYS}, perhaps | {WEEKEND}",
    # Holidays are said, not known.
    "Mo-Fr 9:00-18:00; PH off": f"Open now, until 18:00, {APART} | {WEEKDAYS} | {WEEKEND} | Public holidays closed",
    "Mo-Fr 9:00-18:00; SH Mo-Fr 9:00-12:00": f"{WEEKDAYS} | {WEEKEND} | School holidays Monday to Friday 9:00–12:00",
    "Mo-Su,PH 9:00-18:00": "Open now, until 18:00 | Every day 9:00–18:00 | Public holidays 9:00–18:00",
    "Mo-Sa,PH 7:00-8:00; Su 9:00-10:00": "Closed, opens tomorrow at 7:00 | Monday to Saturday 7:00–8:00 | "
                                         "Sunday 9:00–10:00 | Public holidays 7:00–8:00",
    "Mo-Fr 7:00-8:00; PH 9:00-18:00": f"Monday to Friday 7:00–8:00 | {WEEKEND} | Public holidays 9:00–18:00",
    # Dates.
    "Jun-Aug: 9:00-24:00; Sep-May: 9:00-18:00": "Open now, until 18:00 | June to August 9:00–24:00 | "
                                                "September to May 9:00–18:00",
    "May-Sep Mo-Su 9:00-18:00": "Closed now | May to September 9:00–18:00",
    "Mo-Fr 9:00-18:00; Nov 20-Dec 6 Th,Fr off": f"Closed, opens on Monday at 9:00 | {WEEKDAYS} | {WEEKEND} | "
                                                "20 November to 6 December: | Thursday and Friday closed",
    "10:00-22:00; Dec 24,25 off": "Open now, until 22:00 | Every day 10:00–22:00 | "
                                  "24 December and 25 December closed",
    "Mo-Fr 9:00-18:00; 2017 Jul 1 - 2017 Aug 8 off": f"Open now, until 18:00 | {WEEKDAYS} | {WEEKEND}",
    # The sun, and ends that are open.
    "sunrise-sunset": "Every day sunrise to sunset",
    "(sunrise+01:30)-18:00": "Every day 1 h 30 min after sunrise to 18:00",
    "20:00-sunrise": "Closed, opens at 20:00 | Every day 20:00 to sunrise",
    "18:00+": "Closed, opens at 18:00 | Every day from 18:00",
    "Mo-Fr 10:00-": f"Monday to Friday from 10:00 | {WEEKEND}",
    "17:00-22:00+": "Closed, opens at 17:00 | Every day 17:00–22:00 or later",
    # What can't be read, and what may mean several things.
    "Mo-Fr 9-5": None, "Mo-Fr": None, "Mo-Fr 9:00": None, "Mo-Fr 9.00-18.00": None, "Sa[1] 9:00-12:00": None,
    "week 1-20 9:00-18:00": None, "Jun 31 off; 9:00-18:00": None, "Mo-Fr 9:00-25:70": None, "PH off": None,
    "Sa,Su off": None, "Mo-Fr 10:00-18:00; 10:00-15:00": None, "Mo-Su 11:00-24:00; Sa 00:00-02:00": None,
    "Jun-Aug Mo-Fr 9:00-18:00, Sa 10:00-15:00": None, "Seasonal, only summer time": None, '"': None, ";": None,
    "": None, "<b>": None, "Mo-Fr 9:00-18:00;" * 30: None, "(" * 10_000: None,
}
SHOWN = """async ([values, now, longitude, isTwelve]) => {
    const { hoursInWords } = await import("/modules/hours/hours.js");
    const shown = (value) => {
        const words = hoursInWords(value, { now: new Date(now), longitude, isTwelve });
        const rows = words?.rows.map((row) => row.filter(Boolean).join(" ")) ?? [];
        return words ? [words.state, ...rows].filter(Boolean).join(" | ") : null;
    };
    return Object.fromEntries(values.map((value) => [value, shown(value)]));
}"""


@pytest.fixture
def context(browser, size, watchman):
    """A browser in Finland."""
    context = browser.new_context(
        **SIZES[size], reduced_motion="reduce", locale="en-GB", timezone_id="Europe/Helsinki")
    watchman.look_after(context)
    yield context
    context.close()


def shown(modules, values, now="2026-11-26T14:30", longitude=24.94, twelve=False):
    return modules.evaluate(SHOWN, [list(values), now, longitude, twelve])


def test_f47_c12_opening_hours_become_words(modules):
    assert shown(modules, WORDS) == WORDS


def test_f47_c12_what_cannot_be_read_is_shown_as_it_is(modules):
    fact = """async (value) => {
        const { hoursFact } = await import("/modules/hours/hoursfact.js");
        return hoursFact(value, { latitude: 60, longitude: 25 });
    }"""
    assert modules.evaluate(fact, "Mo-Fr 9-5; <b>by chance</b>;") == "Mo-Fr 9-5 · <b>by chance</b>"


def test_f47_c12_nearly_all_hours_of_the_bundled_city_can_be_read(modules):
    with gzip.open(ROOT / "Data/helsinki/places.tsv.gz", "rt", encoding="utf-8", newline="\n") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        values = [row["opening_hours"] for row in rows if row["opening_hours"]]
    words = shown(modules, values)
    read = sum(words[value] is not None for value in values)
    assert read >= 0.97 * len(values) > 500, f"{read} of {len(values)}"


def test_f47_c12_open_now_follows_the_clock(modules):
    value = "Mo-Fr 09:00-18:00; Sa 22:00-04:00"
    for now, state in {
        "2026-11-26T08:59": "Closed, opens at 9:00", "2026-11-26T09:00": "Open now, until 18:00",
        "2026-11-26T17:59": "Open now, until 18:00", "2026-11-26T18:00": "Closed, opens tomorrow at 9:00",
        "2026-11-27T18:00": "Closed, opens tomorrow at 22:00", "2026-11-29T03:59": "Open now, until 4:00",
        "2026-11-29T04:00": "Closed, opens tomorrow at 9:00",
    }.items():
        assert shown(modules, [value], now)[value].split(" | ")[0] == state, now


def test_f47_c12_nothing_is_said_of_now_far_from_the_clock(modules):
    week = f"{WEEKDAYS} | {WEEKEND}"
    # Helsinki's winter is UTC+2; 75° east are UTC+5 at sea.
    for longitude, words in {60: f"Open now, until 18:00 | {week}", 75: week, 0: f"Open now, until 18:00 | {week}",
                             -74: week, 179.9: week}.items():
        assert shown(modules, ["Mo-Fr 9:00-18:00"], longitude=longitude) == {"Mo-Fr 9:00-18:00": words}, longitude


def test_f47_c12_a_clock_of_twelve_hours(modules):
    values = {
        "09:00-18:30": "Open now, until 6:30 PM | Every day 9 AM–6:30 PM",
        "12:00-24:00": "Open now, until midnight | Every day 12 PM–midnight",
        "17:00-00:30": "Closed, opens at 5 PM | Every day 5 PM–12:30 AM",
    }
    assert shown(modules, values, twelve=True) == values


def test_f47_a_place_says_whether_it_is_open(server, visitor, context):
    value = "Mo-Fr 09:00-21:00; Sa 09:00-19:00; Su 11:00-18:00"
    pin_id = server.filled(*HELSINKI)
    request = {"centre": dict(zip(("latitude", "longitude"), HELSINKI)), "radiusM": 250, "limit": 200}
    places = server.call("waymark.places.v1.PlacesService/Nearby", request)["places"]
    hours = {"key": "opening_hours", "value": value}
    place = next(place for place in places if hours in place.get("attributes", []))
    visitor.page.clock.install(time=NOW)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.tap(visitor.page.get_by_role("button", name=re.compile("^All")))
    row = visitor.page.locator(f".place[data-place='{place['id']}']")
    row.locator(".place-head").press("Enter")
    expect(row.locator(".hours-now")).to_have_text("Open now, until 21:00")
    expect(row.locator(".hours-week li")).to_have_text(
        ["Monday to Friday 9:00–21:00", "Saturday 9:00–19:00", "Sunday 11:00–18:00"])
    # It goes with the time, though the page stays.
    visitor.page.clock.fast_forward("06:30:30")
    expect(row.locator(".hours-now")).to_have_text("Closed, opens tomorrow at 9:00")
