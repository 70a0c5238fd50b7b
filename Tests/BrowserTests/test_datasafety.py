"""P62 What administrators see of backups and replication; the number is that of Docs/Flows.md."""

import subprocess

import pytest
from playwright.sync_api import expect

from accounts import enter, new_email, sign_up
from conftest import picture
from server import BIN, Server
from test_access import violations
from test_states import Fault, never_said

NONE = "There is no backup that this server knows of"
NOT_KEPT = "Changes since the last backup are stored nowhere else"


@pytest.fixture(scope="module")
def server():
    server = Server(sign_up="open")
    yield server
    server.stop()


def rows(visitor):
    return visitor.page.locator(".safety li")


def back_up(server, place, *words):
    command = [BIN / "waymark", "backup", "--to", place, "--data", server.system.data, *words]
    subprocess.run(command, check=True, capture_output=True)


def answered(visitor, answer):
    """The page gets this instead of what the server says, and what is changed in it later."""
    visitor.page.route("**/*GetDataSafety", lambda route: route.fulfill(json=answer))


def services(**states):
    """Those that replicate, each with its state; None where it gave no answer."""
    return [{"service": service, **({"state": state} if state else {})} for service, state in states.items()]


def said(visitor, *texts):
    """Behind the row of the backups: rows of exactly these texts, each of its lines."""
    found = [row.locator("strong, span").all_inner_texts() for row in rows(visitor).all()[1:]]
    assert found == [list(lines) for lines in texts]


@pytest.mark.both
def test_f99_administrators_see_when_the_last_backup_was_made_and_proven(server, visitor, tmp_path):
    visitor.open("#/settings")
    expect(rows(visitor).nth(0)).to_contain_text(NONE)
    expect(rows(visitor).nth(0)).to_contain_text("waymark up --backup PLACE")
    expect(rows(visitor).nth(1)).to_contain_text(NOT_KEPT)
    rows(visitor).nth(1).scroll_into_view_if_needed()
    picture(visitor.page, "f99-none")
    assert violations(visitor.page) == []
    for words, said in ([], "Backed up, but not proven yet"), (["--verify-every", "1"], "Backed up and proven"):
        back_up(server, tmp_path / "backups", *words)
        visitor.open("#/")
        visitor.open("#/settings")
        expect(rows(visitor).nth(0)).to_contain_text(said)
        expect(rows(visitor).nth(0)).to_contain_text(str(tmp_path / "backups"))
    expect(rows(visitor).nth(0)).to_contain_text("Last brought back and compared")
    rows(visitor).nth(1).scroll_into_view_if_needed()
    picture(visitor.page, "f99-proven")
    (server.system.data / "gateway" / "backup.json").unlink()


def test_f99_what_can_not_be_read_is_not_called_none(server, visitor, context):
    was_never_said = never_said(visitor, NONE)
    note = server.system.data / "gateway" / "backup.json"
    note.write_text("{")
    try:
        visitor.open("#/settings")
        expect(rows(visitor).nth(0)).to_contain_text("Nothing is known of backups")
    finally:
        note.unlink()
    assert was_never_said()


def test_f99_while_it_loads_or_is_away_nothing_is_said_to_be_missing(server, visitor, watchman, context):
    watchman.tolerate("503")
    was_never_said = never_said(visitor, NONE, NOT_KEPT)
    fault = Fault(visitor.page, "**/*GetDataSafety")
    visitor.page.goto(f"{server.address}/#/settings")
    expect(visitor.page.locator(".safety .skeleton").first).to_be_visible()
    expect(visitor.page.locator(".safety").get_by_role("status")).to_contain_text("takes long to answer")
    fault.answer = lambda route: route.fulfill(
        status=503, json={"code": "unavailable", "message": "the gateway is stopping"})
    for route in fault.held:
        fault.answer(route)
    fault.held.clear()
    expect(visitor.page.locator(".safety").get_by_role("status")).to_contain_text("not running")
    assert was_never_said()
    fault.mend()
    expect(rows(visitor).nth(0)).to_contain_text(NONE)


@pytest.mark.both
def test_f99_what_is_late_fails_or_is_away_is_a_row_of_its_own(server, visitor, context):
    place = "s3://backups/waymark"
    failed = {
        "finding": "BACKUP_FINDING_FAILED", "place": place, "madeTime": "2026-11-28T03:00:00Z",
        "trouble": "/mnt/disk: No space left on device",
    }
    well = {"place": place, "behind": "0.5s", "isWhole": True}
    late = {"place": place, "behind": "7260s", "trouble": "403 Forbidden"}
    answered(visitor, {"backup": failed, "replications": services(pins=well, photos=late, places=None)})
    visitor.open("#/settings")
    for index, words in enumerate((
            ("The last backup failed", "No space left on device", place),
            ("Pins: changes are stored elsewhere as they are made", place),
            ("Photos: 2 hr 1 min behind", "403 Forbidden"),
            ("Places: no answer", "It gave no answer in time", "is not known"))):
        for word in words:
            expect(rows(visitor).nth(index)).to_contain_text(word)
    expect(rows(visitor)).to_have_count(4)
    rows(visitor).nth(3).scroll_into_view_if_needed()
    picture(visitor.page, "f99-failing")
    assert violations(visitor.page) == []


def test_f99_nothing_is_called_stored_while_pictures_wait(server, visitor, context):
    disk = {"place": "/mnt/disk", "behind": "0s"}
    answer = {"replications": services(pins=disk | {"isWhole": True}, photos=disk | {"waitingPictures": "3"})}
    answered(visitor, answer)
    was_never_said = never_said(visitor, "Changes are stored elsewhere")
    kept = ("Pins: changes are stored elsewhere as they are made", "At /mnt/disk, within about a second.")
    to_be = "Changes are to be stored at /mnt/disk."
    visitor.open("#/settings")
    expect(rows(visitor)).to_have_count(3)
    said(visitor, kept, ("Photos: 3 pictures are still to be stored", to_be))
    expect(visitor.page.locator(".safety .well")).to_have_count(1)
    # Those that were there before replication began: none of them counts as waiting.
    answer["replications"][1]["state"] = disk
    visitor.open("#/")
    visitor.open("#/settings")
    expect(rows(visitor)).to_have_count(3)
    said(visitor, kept, ("Photos: what was there before is not all stored yet", to_be))
    assert was_never_said()


def test_f99_a_row_speaks_only_for_those_that_it_names(server, visitor, context):
    soon, before = {"place": "/mnt/a", "isWhole": True}, {"place": "/mnt/b", "isWhole": True, "before": True}
    answer = {}
    answered(visitor, answer)

    def seen(count, **states):
        answer["replications"] = services(**states)
        visitor.open("#/")
        visitor.open("#/settings")
        expect(rows(visitor)).to_have_count(count)

    seen(2, pins=soon, photos=soon, places=soon)
    said(visitor, ("Changes are stored elsewhere as they are made", "At /mnt/a, within about a second."))
    seen(3, pins=soon, photos=before, places=soon)
    said(
        visitor,
        ("Pins and Places: changes are stored elsewhere as they are made", "At /mnt/a, within about a second."),
        ("Photos: changes are stored elsewhere as they are made", "At /mnt/b, each before it is acknowledged."))
    advice = "waymark up --replicate PLACE stores them within a second."
    own = "Its own tools make backups. Waymark knows nothing of them."
    answer["backup"] = {"finding": "BACKUP_FINDING_GOOD"}
    seen(4, pins={"inPostgresql": True}, photos={"before": False}, places=soon)
    said(
        visitor,
        ("Places: changes are stored elsewhere as they are made", "At /mnt/a, within about a second."),
        ("Photos: changes since the last backup are stored nowhere else", advice),
        ("Pins: the records are in PostgreSQL", own))
    # What Waymark knows nothing of is not called well.
    answer["backup"] = {"finding": "BACKUP_FINDING_IN_POSTGRESQL"}
    seen(1, pins={"inPostgresql": True}, photos={"inPostgresql": True}, places={"inPostgresql": True})
    expect(rows(visitor)).to_have_text("The records are in PostgreSQL" + own)
    expect(visitor.page.locator(".safety .well")).to_have_count(0)


def test_f99_it_is_asked_again_while_it_is_seen(server, visitor, context):
    late = {"place": "/mnt/disk", "isWhole": True, "behind": "90s"}
    answer = {"replications": services(pins=late)}
    answered(visitor, answer)
    visitor.page.clock.install()
    visitor.open("#/settings")
    expect(rows(visitor).nth(1)).to_contain_text("Pins: 2 min behind")
    answer["replications"] = services(pins=late | {"behind": "0s"})
    visitor.page.clock.run_for(61_000)
    expect(rows(visitor).nth(1)).to_contain_text("Changes are stored elsewhere as they are made")


def test_f99_it_comes_also_where_the_server_says_late_who_asks(server, visitor, watchman, context):
    watchman.tolerate("503")
    fault = Fault(visitor.page, "**/*GetProfile", lambda route: route.fulfill(
        status=503, json={"code": "unavailable", "message": "the gateway is stopping"}))
    visitor.page.clock.install()
    visitor.page.goto(f"{server.address}/#/settings")
    expect(visitor.page.locator(".network").first).to_be_visible()
    # All that a call has of patience, and more.
    for _ in range(6):
        visitor.page.clock.run_for(5000)
    expect(visitor.page.locator(".safety")).to_be_hidden()
    fault.mend()
    expect(rows(visitor).nth(0)).to_contain_text(NONE)


def test_f99_who_is_no_administrator_is_told_nothing_of_it(server, visitor, context):
    asked = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    session = sign_up(server, new_email())
    enter(visitor.page.context, server.address, session["token"])
    visitor.open("#/settings")
    expect(visitor.page.locator(".network").first).to_be_visible()
    visitor.settle()
    expect(visitor.page.locator(".safety")).to_be_hidden()
    assert not [url for url in asked if "GetDataSafety" in url]
    method = "waymark.gateway.v1.DataSafetyService/GetDataSafety"
    status, _ = server.system.web().call(method, {}, Authorization=f"Bearer {session['token']}")
    assert status == 403
