"""A pin with as many places as a pin may have, for the tests of the map and of the list."""

import re

from playwright.sync_api import expect

from server import PINS
from visitor import HELSINKI

FOLD = re.compile(r"^[\d,]+ entrances, offices and the like$")


def open_all(server, visitor, unfold=True):
    """All its places; returns the server's answer."""
    pin_id = server.filled(*HELSINKI, radius=1200)
    visitor.open(f"#/pin/{pin_id}/places")
    visitor.page.get_by_role("button", name=re.compile("^All")).press("Enter")
    places = server.call(f"{PINS}/ListPinPlaces", {"id": pin_id, "pageSize": 1000})["places"]
    expect(visitor.panel().locator(".filters .tabs")).to_contain_text(f"All{len(places):,}")
    if unfold:
        visitor.panel().get_by_role("button", name=FOLD).press("Enter")
        expect(rows(visitor)).to_have_count(len(places))
    return places


def rows(visitor):
    return visitor.panel().locator(".place")
