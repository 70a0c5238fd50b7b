"""P52 Pins in and out as files; the numbers are those of Docs/Flows.md."""

import json

import pytest
from playwright.sync_api import expect

from conftest import picture
from test_access import too_small, violations

FILES = "waymark.pins.v1.PinFileService"
GPX = """<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="60.1699" lon="24.9384"><name>Railway square</name><desc>By &lt;img src=x onerror=alert(1)&gt; train</desc></wpt>
<wpt lat="60.1667" lon="24.9522"><name>&lt;script&gt;alert(1)&lt;/script&gt; market</name></wpt>
<wpt lat="95" lon="24.9"><name>Too far north</name></wpt>
<trk><name>A walk</name><trkseg><trkpt lat="60.165" lon="24.93"/><trkpt lat="60.17" lon="24.95"/></trkseg></trk>
<trk><name>No walk</name></trk></gpx>"""
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  for (const kind of ["dragover", "drop"]) {
    document.getElementById("map").dispatchEvent(
      new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""


@pytest.fixture(autouse=True)
def clear(server):
    server.clear()
    yield
    server.clear()


def names(server):
    return sorted(pin["name"] for pin in server.pins())


def bring(visitor, size, name, text):
    """At a desk one drops the file, on a phone one chooses it."""
    if size == "desktop":
        visitor.open("#/")
        visitor.page.evaluate(DROP, [name, text])
    else:
        visitor.open("#/settings")
        visitor.raise_panel()
        field = visitor.page.locator(".pin-files input[type=file]")
        field.set_input_files({"name": name, "mimeType": "application/gpx+xml", "buffer": text.encode()})
    return visitor.page.get_by_role("dialog")


@pytest.mark.both
def test_f79_a_file_is_seen_imported_and_taken_back(server, visitor, size):
    dialog = bring(visitor, size, "Summer.gpx", GPX)
    expect(dialog.get_by_text("2 pins. 1 track or area. 1 can't be read. 1 shape is passed over.")).to_be_visible()
    expect(dialog.locator("li")).to_contain_text(['the track "No walk"', "Number 3: "])
    assert names(server) == []
    assert (too_small(visitor, ".import"), violations(visitor.page)) == ([], [])
    picture(visitor.page, "f79-preview")
    visitor.tap(dialog.get_by_role("button", name="Import"))
    notices = visitor.page.locator("#notices")
    expect(notices).to_contain_text("2 pins are imported. 1 track or area is on the map.")
    expect(dialog).to_have_count(0)
    market = "<script>alert(1)</script> market"
    assert names(server) == [market, "Railway square"]
    visitor.tap(notices.get_by_role("button", name="Undo"))
    expect(notices).to_contain_text("2 pins taken back. 1 track or area taken back.")
    assert names(server) == []


@pytest.mark.both
def test_f79_a_track_is_drawn_pressed_listed_and_deleted(server, visitor, size):
    ways = "".join(f"<trk><name>{name}</name><trkseg>" + "".join(
        f'<trkpt lat="{60.16 + 0.002 * step + south}" lon="{24.9 + 0.02 * step}"><ele>{step * 10}</ele>'
        f"<time>2026-05-04T1{step}:10:00Z</time></trkpt>" for step in range(5)) + "</trkseg></trk>"
        for name, south in (("Shore walk", 0), ("Back", 0.003)))
    dialog = bring(visitor, size, "Walks.gpx", f"<gpx>{ways}</gpx>")
    visitor.tap(dialog.get_by_role("button", name="Import"))
    expect(visitor.page.locator("#notices")).to_contain_text("2 tracks and areas are on the map.")
    visitor.open("#/lists")
    visitor.raise_panel()
    rows = visitor.page.locator(".track-rows li")
    expect(rows).to_have_count(2)
    assert (too_small(visitor, ".track-rows"), violations(visitor.page)) == ([], [])
    picture(visitor.page, "f79-tracks")
    visitor.tap(rows.filter(has_text="Shore walk").locator(".list-open"))
    card = visitor.page.get_by_role("dialog", name="Shore walk")
    expect(card).to_contain_text("4.5 km · 40 m climb · 4 hr")
    expect(visitor.page.locator("path.track-line")).to_have_count(2)
    assert violations(visitor.page) == []
    picture(visitor.page, "f79-track")
    delete = card.get_by_role("button", name="Delete the track")
    visitor.tap(delete)
    visitor.tap(card.get_by_role("button", name="Press again to delete."))
    expect(visitor.page.locator("path.track-line")).to_have_count(1)
    expect(card).to_have_count(0)
    kept = server.call("waymark.pins.v1.TrackService/ListTracks", {})["tracks"]
    assert [track["name"] for track in kept] == ["Back"]
    server.call("waymark.pins.v1.TrackService/DeleteTrack", {"id": kept[0]["id"]})


@pytest.mark.both
def test_f79_an_area_is_drawn_with_its_holes_and_a_repeat_is_counted(server, visitor, size):
    def ring(south, west, size):
        north, east = south + size, west + 2 * size
        corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
        return [[longitude, latitude] for longitude, latitude in corners]

    area = {"type": "Feature", "properties": {"name": "Park", "fill": "#43a047"}, "geometry": {
        "type": "Polygon", "coordinates": [ring(60.16, 24.9, 0.02), ring(60.165, 24.91, 0.008)]}}
    for notice in ("1 track or area is on the map.", "0 pins are imported. 1 was there before."):
        dialog = bring(visitor, size, "Park.geojson", json.dumps(area))
        expect(dialog.get_by_text("0 pins. 1 track or area.")).to_be_visible()
        visitor.tap(dialog.get_by_role("button", name="Import"))
        expect(visitor.page.locator("#notices")).to_contain_text(notice)
    visitor.open("#/lists")
    visitor.raise_panel()
    rows = visitor.page.locator(".track-rows li")
    expect(rows).to_have_count(1)
    visitor.tap(rows.locator(".list-open"))
    card = visitor.page.get_by_role("dialog", name="Park")
    drawn = visitor.page.locator("path.track-area")
    expect(drawn).to_have_count(1)
    # An outline and a hole.
    assert drawn.get_attribute("d").count("M") == 2
    assert violations(visitor.page) == []
    picture(visitor.page, "f79-area")
    visitor.tap(card.get_by_role("button", name="Delete the area"))
    visitor.tap(card.get_by_role("button", name="Press again to delete."))
    expect(drawn).to_have_count(0)


def test_f79_folders_of_a_file_become_lists(server, visitor, size):
    mark = "<Placemark><name>{0}</name><Point><coordinates>24.9{0},60.16</coordinates></Point></Placemark>"
    folders = "".join(f"<Folder><name>{name}</name>{mark.format(number)}</Folder>"
                      for number, name in enumerate(["Food", "&lt;b&gt;Parks"], start=1))
    dialog = bring(visitor, size, "Trip.kml", f"<kml><Document><name>Trip</name>{folders}</Document></kml>")
    expect(dialog.get_by_text("2 pins in 2 lists.")).to_be_visible()
    visitor.tap(dialog.get_by_role("button", name="Import"))
    notices = visitor.page.locator("#notices")
    expect(notices).to_contain_text("2 pins are imported.")
    visitor.open("#/lists")
    for name in ["Food", "<b>Parks"]:
        expect(visitor.page.locator(".list-row", has_text=name)).to_contain_text("1 pin")
    picture(visitor.page, "f79-lists")


def test_f79_an_imported_pin_is_searched_for_when_it_is_opened(server, visitor, size):
    dialog = bring(visitor, size, "Summer.gpx", GPX)
    visitor.tap(dialog.get_by_role("button", name="Import"))
    expect(visitor.page.locator("#notices")).to_contain_text("2 pins are imported.")
    pin = next(pin for pin in server.pins() if pin["name"] == "Railway square")
    assert pin.get("generation", "0") == "0" and "searches" not in pin
    visitor.open("#/")
    row = visitor.page.locator(".pin-row", has_text="Railway square")
    expect(row).to_contain_text("Open it to look for places")
    visitor.open(f"#/pin/{pin['id']}")
    expect(visitor.page.locator(".callout")).to_contain_text("Railway square")
    server.await_pin(pin["id"], lambda pin: pin["state"] == "PIN_STATE_READY")
    picture(visitor.page, "f79-opened")
    visitor.open(f"#/pin/{pin['id']}/places")
    # What looks like a picture in a note is text.
    expect(visitor.page.locator(".pin-chips")).to_contain_text("By <img src=x onerror=alert(1)> train")


def test_f79_what_can_not_be_imported_is_said_and_leaves_nothing(server, visitor, size):
    for name, text, reason in (
        ("cut.gpx", GPX[:200], "the file ends too early"),
        ("bomb.kml", '<!DOCTYPE kml [<!ENTITY a "b">]><kml>&a;</kml>', "document type"),
        ("none.json", '{"type":"FeatureCollection","features":[]}', "It has no pins"),
    ):
        dialog = bring(visitor, size, name, text)
        expect(dialog.get_by_role("alert")).to_contain_text(reason)
        if name == "cut.gpx":
            picture(visitor.page, "f79-refused")
        visitor.tap(dialog.get_by_role("button", name="Close"))
        expect(dialog).to_have_count(0)
    assert names(server) == []
    visitor.page.wait_for_function(
        """async (path) => !((await (await fetch(path, { method: "POST", headers:
            { "content-type": "application/json", "connect-protocol-version": "1" }, body: "{}" })).json()).imports ?? [])
            .some(({ state }) => state === "PIN_IMPORT_STATE_SENT")""",
        arg=f"/{FILES}/ListPinImports",
    )


def test_f79_a_file_that_is_given_up_while_it_is_sent_leaves_no_import(server, visitor, size):
    held = []
    visitor.page.route("**/StartPinImport", lambda route: held.append(route))
    with visitor.page.expect_request("**/StartPinImport"):
        dialog = bring(visitor, size, "Summer.gpx", GPX)
    visitor.tap(dialog.get_by_role("button", name="Cancel"))
    expect(dialog).to_have_count(0)
    with visitor.page.expect_response("**/UndoPinImport") as undone:
        held[0].continue_()
    assert undone.value.ok and names(server) == []


@pytest.mark.phone
@pytest.mark.parametrize("label, ending", (("GeoJSON", "geojson"), ("KMZ", "kmz")))
def test_f80_all_pins_are_exported_as_a_file_that_can_come_in_again(server, visitor, tmp_path, label, ending):
    server.drop(name="Esplanadi")
    server.drop(60.1717, 24.9414, name="Ateneum")
    visitor.open("#/settings")
    visitor.raise_panel()
    part = visitor.page.locator(".pin-files")
    part.get_by_label("Format").select_option(label=label)
    assert (too_small(visitor, ".pin-files-row"), violations(visitor.page)) == ([], [])
    picture(visitor.page, "f80-export")
    with visitor.page.expect_download() as begun:
        visitor.tap(part.get_by_role("button", name="Export all pins"))
    assert begun.value.suggested_filename == f"pins.{ending}"
    expect(part.get_by_text("2 pins are exported.")).to_be_visible()
    file = tmp_path / f"pins.{ending}"
    begun.value.save_as(file)
    if ending == "geojson":
        features = json.loads(file.read_text())["features"]
        assert sorted(feature["properties"]["name"] for feature in features) == ["Ateneum", "Esplanadi"]
    server.clear()
    part.locator("input[type=file]").set_input_files(file)
    visitor.tap(visitor.page.get_by_role("dialog").get_by_role("button", name="Import"))
    expect(visitor.page.locator("#notices")).to_contain_text("2 pins are imported.")
    assert names(server) == ["Ateneum", "Esplanadi"]


SAVED = """Title,Note,URL,Comment
Dropped pin,,"https://www.google.com/maps/search/60.1755,24.9465",
Pitkäsilta,long,https://www.google.com/maps/place/x/data=!4m2!3m1!1s0x1:0x2,
Qwyjibo's den,,https://maps.google.com/?cid=2,
"""


@pytest.mark.both
def test_f79_what_a_file_names_without_a_position_is_looked_up_and_placed_by_hand(server, visitor, size):
    dialog = bring(visitor, size, "Want to go.csv", SAVED)
    expect(dialog).to_contain_text("1 pin in 1 list. 2 entries without a position will be looked up.")
    visitor.tap(dialog.get_by_role("button", name="Import"))
    dialog = visitor.page.get_by_role("dialog", name="Without a position")
    expect(dialog.get_by_role("status")).to_contain_text("2 entries without a position.")
    bridge, den = dialog.get_by_role("listitem").all()
    expect(bridge.get_by_role("checkbox")).to_be_checked()
    expect(den).to_contain_text("Nothing of that name is known here.")
    expect(den.get_by_role("checkbox")).to_be_disabled()
    assert (too_small(visitor, ".import"), violations(visitor.page)) == ([], [])
    picture(visitor.page, "f79-unplaced")
    visitor.tap(dialog.get_by_role("button", name="Put 1 pin on the map"))
    expect(dialog.get_by_role("listitem")).to_have_count(1)
    assert names(server) == ["Dropped pin", "Pitkäsilta"]
    den = dialog.get_by_role("listitem")
    den.get_by_role("searchbox").fill("60.1760, 24.9400")
    den.get_by_role("searchbox").press("Tab")
    expect(den.get_by_role("checkbox")).to_be_checked()
    visitor.tap(dialog.get_by_role("button", name="Put 1 pin on the map"))
    expect(dialog).to_have_count(0)
    assert names(server) == ["Dropped pin", "Pitkäsilta", "Qwyjibo's den"]
