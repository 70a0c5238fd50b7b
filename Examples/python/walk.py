"""Drops a pin in the middle of Helsinki, watches it turn green, opens its album and fetches a picture.

Usage: walk.py [URL [FILE]]     with the stubs of Docs/Clients.md
"""

import sys
import urllib.request
import uuid

sys.path.insert(0, "gen")
from connectrpc.errors import ConnectError
from waymark.geo.v1.geo_pb import Coordinate
from waymark.photos.v1.album_summary_pb import AlbumState
from waymark.photos.v1.photos_connect import PhotoServiceClientSync
from waymark.photos.v1.photos_pb import OpenAlbumRequest, PhotoState, WatchAlbumRequest
from waymark.pins.v1.pin_state_pb import PinState
from waymark.pins.v1.pins_connect import PinServiceClientSync
from waymark.pins.v1.pins_pb import CreatePinRequest, WatchPinRequest


def drop(pins):
    # The same request_id again would give the same pin: a call that was cut off may be retried.
    request = CreatePinRequest(position=Coordinate(latitude=60.1675, longitude=24.9430), radius_m=300,
                               request_id=str(uuid.uuid4()))
    return pins.create_pin(request).pin.id


def watch(pins, pin):
    """Until every network has answered and the photos of all places are known."""
    for news in pins.watch_pin(WatchPinRequest(id=pin)):
        if news.pin:
            print(f"{news.pin.name}: {news.pin.state.name.lower()}, {news.pin.place_count} places")
        if news.pin and news.pin.state in (PinState.READY, PinState.FAILED):
            return


def first_picture(photos, pin):
    """The first photo of the pin's album whose picture is there."""
    photos.open_album(OpenAlbumRequest(subject=f"pin/{pin}"))
    for news in photos.watch_album(WatchAlbumRequest(subject=f"pin/{pin}")):
        for photo in news.photos:
            if photo.state == PhotoState.READY:
                return photo
        if news.album and news.album.summary.state in (AlbumState.EMPTY, AlbumState.FAILED):
            sys.exit(f"no picture: {news.album.warning or 'there is none here'}")
    sys.exit("the album ended without a picture")


def main(url="http://127.0.0.1:7780", file="picture.jpg"):
    pins, photos = PinServiceClientSync(url), PhotoServiceClientSync(url)
    pin = drop(pins)
    watch(pins, pin)
    photo = first_picture(photos, pin)
    # The address is signed and needs no token; it lasts for some hours.
    urllib.request.urlretrieve(url + photo.large_url, file)
    print(f"{file}: {photo.title}, by {photo.author}, {photo.licence}")


try:
    main(*sys.argv[1:])
except ConnectError as error:
    sys.exit(f"{error.code.name.lower()}: {error.message}")
