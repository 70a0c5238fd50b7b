"""P34 The first start and the settings on the map; the numbers are those of Docs/Flows.md."""

from functools import partial

import pytest
from playwright.sync_api import expect

from accounts import enter, new_email, sign_up
from conftest import picture
from server import Server
from test_access import too_small, violations
from visitor import HELSINKI

SETTINGS = "waymark.accounts.v1.SettingsService"
PINS = "waymark.pins.v1.PinService"


@pytest.fixture(scope="module")
def server():
    """Accounts choose networks there before their first pin."""
    server = Server(first_networks="choose", sign_up="open")
    yield server
    server.stop()


@pytest.fixture
def newcomer(server, visitor):
    """Someone who has just signed up."""
    session = sign_up(server, new_email())
    enter(visitor.page.context, server.address, session["token"])
    return session


@pytest.fixture
def resident(server):
    """The profile of all who have no account has chosen all."""
    server.call(f"{SETTINGS}/UpdateSettings", {"enableNetworks": ["catalog", "folder"]})


def settings(server, session):
    method = f"{SETTINGS}/GetSettings"
    return server.system.web().call(method, {}, Authorization=f"Bearer {session['token']}")[1]["settings"]


def first(visitor):
    return visitor.page.get_by_role("dialog", name="Welcome to Waymark")


def fits(dialog):
    """Whether all of it is seen without scrolling."""
    return dialog.evaluate("""({ scrollHeight, clientHeight, offsetHeight }) =>
        scrollHeight <= clientHeight && offsetHeight <= innerHeight""")


def way(dialog, title):
    return dialog.locator(".first-way").filter(has_text=title).get_by_role("radio")


@pytest.mark.both
def test_f1_at_the_first_start_one_chooses_in_one_screen(server, newcomer, visitor):
    visitor.page.goto(f"{server.address}/#/", wait_until="domcontentloaded")
    dialog = first(visitor)
    expect(way(dialog, "Only my own data")).to_be_checked()
    go = dialog.get_by_role("button", name="Continue")
    expect(go).to_be_enabled()
    # All of it is seen without scrolling.
    assert fits(dialog)
    picture(visitor.page, "f1-first-start")
    assert (too_small(visitor, ".first-foot"), violations(visitor.page)) == ([], [])
    # There is no way around it.
    visitor.page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    assert settings(server, newcomer)["needsNetworks"]
    visitor.tap(go)
    expect(dialog).to_have_count(0)
    assert settings(server, newcomer)["networks"] == ["catalog", "folder"]
    # It is asked once.
    visitor.page.reload()
    expect(visitor.page.locator("#map")).not_to_have_attribute("aria-busy", "true")
    expect(visitor.page.get_by_role("heading", name="Drop your first pin")).to_be_visible()
    expect(dialog).to_have_count(0)


def test_f1_one_by_one_they_are_chosen_too(server, newcomer, visitor):
    visitor.page.goto(f"{server.address}/#/", wait_until="domcontentloaded")
    dialog = first(visitor)
    visitor.tap(way(dialog, "Let me choose"))
    rows = dialog.locator(".first-row")
    expect(rows.filter(has_text="Catalog").get_by_role("checkbox")).to_be_checked()
    # What is off here is not chosen by itself.
    commons = rows.filter(has_text="Wikimedia Commons")
    expect(commons.get_by_role("checkbox")).not_to_be_checked()
    expect(commons).to_contain_text("Off on this server")
    expect(dialog).to_contain_text("What never leaves this server")
    go = dialog.get_by_role("button", name="Continue")
    for name in ("Catalog", "Own pictures"):
        visitor.tap(rows.filter(has_text=name).get_by_role("checkbox"))
    expect(go).to_be_disabled()
    visitor.tap(rows.filter(has_text="Catalog").get_by_role("checkbox"))
    visitor.tap(go)
    expect(dialog).to_have_count(0)
    assert settings(server, newcomer)["networks"] == ["catalog"]


def fulfill(answer, route):
    route.fulfill(json=answer)


@pytest.fixture
def administrator(server, visitor):
    """Of whom nothing is known but that the server is theirs: what an open profile is."""
    infos = {"places": "PlacesService/ListNetworks", "photos": "PhotoNetworkService/ListPhotoNetworks"}
    for gives, method in infos.items():
        own = {"name": "catalog" if gives == "places" else "folder", "on": True, "available": True, "gives": [gives]}
        free = {"name": f"free-{gives}", "available": True, "live": True, "gives": [gives], "needsContact": True,
                "sends": "It learns which squares of the map are looked at."}
        streets = {"name": "free-streets", "available": True, "live": True, "gives": ["maps"]}
        keyed = {"name": f"keyed-{gives}", "live": True, "gives": [gives]}
        answer = {"networks": [own, free, keyed] + ([streets] if gives == "places" else []), "canSwitch": True}
        visitor.page.route(f"**/*{method}*", partial(fulfill, answer))


def test_f1_what_is_free_is_switched_on_by_its_rows_alone(server, newcomer, visitor, administrator):
    """Whatever networks there are: no name of one is known to the page."""
    asked = []

    def take(route):
        asked.append((route.request.url.split("/")[-1], route.request.post_data_json))
        route.fulfill(json={"settings": {}} if route.request.url.endswith("UpdateSettings") else {})

    for method in ("SwitchNetwork", "SwitchPhotoNetwork", "UpdateSettings"):
        visitor.page.route(f"**/*Service/{method}", take)
    visitor.page.goto(f"{server.address}/#/", wait_until="domcontentloaded")
    dialog = first(visitor)
    visitor.tap(way(dialog, "Add free"))
    expect(dialog).to_contain_text("Add free places, photos, and streets from the internet")
    expect(dialog).to_contain_text("They learn which squares of the map are looked at.")
    assert fits(dialog)
    dialog.get_by_label("Contact").fill("me@example.org")
    visitor.tap(dialog.get_by_role("button", name="Continue"))
    expect(dialog).to_have_count(0)
    switched = {request["network"]: request for method, request in asked if method != "UpdateSettings"}
    assert sorted(switched) == ["free-photos", "free-places", "free-streets"]
    assert switched["free-places"]["contact"] == "me@example.org" and switched["free-places"]["on"]
    enabled = next(request["enableNetworks"] for method, request in asked if method == "UpdateSettings")
    assert sorted(enabled) == ["catalog", "folder", "free-photos", "free-places", "free-streets"]


def test_f1_who_may_switches_on_what_is_chosen_one_by_one(server, newcomer, visitor, administrator):
    asked = []

    def take(route):
        asked.append((route.request.url.split("/")[-1], route.request.post_data_json))
        route.fulfill(json={"settings": {}} if route.request.url.endswith("UpdateSettings") else {})

    for method in ("SwitchNetwork", "SwitchPhotoNetwork", "UpdateSettings"):
        visitor.page.route(f"**/*Service/{method}", take)
    visitor.page.goto(f"{server.address}/#/", wait_until="domcontentloaded")
    dialog = first(visitor)
    visitor.tap(way(dialog, "Let me choose"))
    expect(dialog.get_by_label("Contact")).to_have_count(0)
    assert "administrator" not in dialog.inner_text()
    visitor.tap(dialog.locator("[data-network='free-photos']").get_by_role("checkbox"))
    dialog.get_by_label("Contact").fill("me@example.org")
    visitor.tap(dialog.get_by_role("button", name="Continue"))
    expect(dialog).to_have_count(0)
    assert [(method, request.get("network"), request.get("contact")) for method, request in asked[:-1]] == [
        ("SwitchPhotoNetwork", "free-photos", "me@example.org")]
    assert sorted(asked[-1][1]["enableNetworks"]) == ["catalog", "folder", "free-photos"]


def test_f1_while_a_service_is_away_it_says_so_and_loses_nothing(server, newcomer, visitor, watchman):
    visitor.page.goto(f"{server.address}/#/", wait_until="domcontentloaded")
    dialog = first(visitor)
    go = dialog.get_by_role("button", name="Continue")
    expect(go).to_be_enabled()
    visitor.page.route("**/waymark.accounts.v1.SettingsService/UpdateSettings", lambda route: route.fulfill(
        status=400, json={"code": "failed_precondition", "message": "not now"}))
    watchman.tolerate("status of 400")
    visitor.tap(go)
    expect(dialog.get_by_role("alert")).to_contain_text("ot now")
    visitor.page.unroute("**/waymark.accounts.v1.SettingsService/UpdateSettings")
    visitor.tap(go)
    expect(dialog).to_have_count(0)
    assert settings(server, newcomer)["networks"] == ["catalog", "folder"]


def test_f27_units_and_the_start_of_the_map_are_chosen(server, resident, visitor):
    server.call(f"{SETTINGS}/UpdateSettings", {"units": "UNITS_METRIC", "startView": "START_VIEW_LAST"})
    pin = server.filled(*HELSINKI)
    visitor.open("#/")
    visitor.tap(visitor.page.get_by_role("button", name="Settings"))
    visitor.raise_panel()
    expect(visitor.page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(visitor.page.get_by_role("heading", name="Networks")).to_be_visible()
    expect(visitor.page.locator(".network").first).to_be_visible()
    picture(visitor.page, "f27-settings")
    expect(visitor.page.locator(".leaflet-control-scale-line")).to_contain_text("m")
    visitor.page.get_by_label("Distances").select_option("Feet and miles")
    expect(visitor.page.locator(".leaflet-control-scale-line")).to_contain_text("ft")
    with visitor.page.expect_response("**/UpdateSettings"):
        visitor.page.get_by_label("The map begins").select_option("With all my pins")
    visitor.page.reload()
    expect(visitor.page.get_by_label("Distances")).to_have_value("UNITS_IMPERIAL")
    expect(visitor.page.get_by_label("The map begins")).to_have_value("START_VIEW_PINS")
    visitor.open(f"#/pin/{pin}/places")
    visitor.raise_panel()
    expect(visitor.page.locator(".place .row-more").first).to_contain_text(" ft")
    # Far from all pins, the map begins with them all the same.
    far = {"centre": {"latitude": -40, "longitude": 170}, "span": {"latitudeDelta": 0.1, "longitudeDelta": 0.1}}
    server.call(f"{PINS}/SetMapRegion", {"region": far})
    visitor.open("#/")
    expect(visitor.pins().first).to_be_visible()


def test_f27_the_last_network_stays_on_and_the_page_says_why(server, newcomer, visitor, watchman):
    watchman.tolerate("status of 400")
    web = server.system.web()
    web.call(f"{SETTINGS}/UpdateSettings", {"enableNetworks": ["catalog"]},
             Authorization=f"Bearer {newcomer['token']}")
    visitor.page.goto(f"{server.address}/#/settings", wait_until="domcontentloaded")
    visitor.raise_panel()
    catalog = visitor.page.locator(".network[data-network='catalog']").get_by_role("switch")
    expect(catalog).to_have_attribute("aria-checked", "true")
    visitor.tap(catalog)
    expect(visitor.page.locator("#notices")).to_contain_text("At least one network stays enabled")
    expect(catalog).to_have_attribute("aria-checked", "true")
    visitor.tap(visitor.page.locator(".network[data-network='folder']").get_by_role("switch"))
    expect(visitor.page.locator(".network[data-network='folder']").get_by_role("switch")).to_have_attribute(
        "aria-checked", "true")
    visitor.tap(catalog)
    expect(catalog).to_have_attribute("aria-checked", "false")
    assert settings(server, newcomer)["networks"] == ["folder"]
