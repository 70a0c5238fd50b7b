"""P16 Places that two sources have are shown once; the numbers are those of Docs/Flows.md."""

import csv
import re
import subprocess

import pytest
from playwright.sync_api import expect

from conftest import picture
from server import BIN, PINS
from test_access import too_small, violations
from visitor import HELSINKI

NEARBY = "waymark.places.v1.PlacesService/Nearby"


@pytest.fixture
def doubled(server, tmp_path):
    """Cafés and restaurants near the middle that a second dataset has too, some metres away, by name."""
    request = {"centre": dict(zip(("latitude", "longitude"), HELSINKI)), "radiusM": 300, "limit": 200,
               "categories": ["amenity/cafe", "amenity/restaurant"]}
    places = [place for place in server.call(NEARBY, request)["places"] if place["id"].startswith("catalog/helsinki/")]
    names = [place["name"] for place in places]
    chosen = [place for place in places if names.count(place["name"]) == 1 and not place["name"].isupper()]
    table = tmp_path / "second.csv"
    with table.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "name", "latitude", "longitude", "category"])
        for number, place in enumerate(chosen):
            position = place["position"]
            rows.writerow([number, place["name"].upper(), position["latitude"] + 1e-4, position["longitude"],
                           place["categories"][0]])
    target = ["--target", server.system.gateway]
    words = ["import", table, "--dataset", "second", "--categories", "category", "--licence", "CC0-1.0",
             "--attribution", "us", *target]
    subprocess.run([BIN / "waymark", *words], check=True, capture_output=True)
    yield {place["name"]: place for place in chosen}
    subprocess.run([BIN / "waymark", "dataset", "rm", "second", "--yes", *target], check=True, capture_output=True)


@pytest.mark.phone
def test_f87_around_here_what_two_sources_have_is_one_row_with_both(doubled, visitor):
    page = visitor.open("#/").page
    visitor.look_at(*HELSINKI, 16)
    visitor.tap(page.get_by_role("button", name="Around here"))
    line = page.locator(".around-line").filter(has=page.locator(".place-source")).first
    name = line.locator(".row-name").inner_text()
    expect(line.locator(".place-source")).to_have_text("helsinki · second")
    link = line.get_by_role("link", name="helsinki")
    number = doubled[name]["id"].removeprefix("catalog/helsinki/")
    expect(link).to_have_attribute("href", f"https://www.openstreetmap.org/{number}")
    assert "noopener" in link.get_attribute("rel")
    expect(page.get_by_text(name.upper(), exact=True)).to_have_count(0)
    line.scroll_into_view_if_needed()
    assert (too_small(visitor, ".panel-bar"), violations(page)) == ([], [])
    picture(page, "f87-around")


@pytest.mark.phone
def test_f88_a_place_of_a_pin_that_two_sources_have_is_one_entry_with_both(doubled, server, visitor):
    pin_id = server.filled(*HELSINKI)
    listed = server.call(f"{PINS}/ListPinPlaces", {"id": pin_id, "grouped": True, "pageSize": 1000})["places"]
    sources = {found["id"]: [source["id"] for source in found.get("sources", [])] for found in listed}
    name, place = next(iter(doubled.items()))
    assert sources[place["id"]] == ["catalog/second/0"]
    page = visitor.open(f"#/pin/{pin_id}/places").page
    visitor.tap(page.get_by_role("button", name=re.compile("^All")))
    first = page.locator(f".place[data-place='{place['id']}']")
    expect(first).to_have_attribute("data-standing", "first")
    expect(first.get_by_role("link", name="helsinki")).to_be_visible()
    expect(page.locator(".place[data-standing=behind]")).to_have_count(sum(map(len, sources.values())))
    own = page.locator(f".place[data-place='{place['id']}'] + .place")
    expect(own.locator(".place-source")).to_have_text(f"second · {name.upper()}")
    expect(own.locator(".place-head")).to_be_hidden()
    first.scroll_into_view_if_needed()
    assert (too_small(visitor, ".panel-bar"), violations(page)) == ([], [])
    picture(page, "f88-places")
