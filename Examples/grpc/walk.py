"""Drops a pin in the middle of Helsinki, watches it turn green, opens its album and fetches a picture: by gRPC.

Usage: walk.py [HOST:PORT [FILE]]     with the stubs of Docs/Clients.md
"""

import sys
import urllib.request
import uuid

sys.path.insert(0, "gen")
import grpc
from waymark.geo.v1.geo_pb2 import Coordinate
from waymark.photos.v1 import album_summary_pb2, photos_pb2, photos_pb2_grpc
from waymark.pins.v1 import pin_state_pb2, pins_pb2, pins_pb2_grpc


def drop(pins):
    # The same request_id again would give the same pin: a call that was cut off may be retried.
    request = pins_pb2.CreatePinRequest(position=Coordinate(latitude=60.1675, longitude=24.9430), radius_m=300,
                                        request_id=str(uuid.uuid4()))
    return pins.CreatePin(request, timeout=10, wait_for_ready=True).pin.id


def watch(pins, pin):
    """Until every network has answered and the photos of all places are known."""
    for news in pins.WatchPin(pins_pb2.WatchPinRequest(id=pin)):
        if news.HasField("pin"):
            print(f"{news.pin.name}: {pin_state_pb2.PinState.Name(news.pin.state)}, {news.pin.place_count} places")
            if news.pin.state in (pin_state_pb2.PIN_STATE_READY, pin_state_pb2.PIN_STATE_FAILED):
                return


def first_picture(photos, pin):
    """The first photo of the pin's album whose picture is there."""
    photos.OpenAlbum(photos_pb2.OpenAlbumRequest(subject=f"pin/{pin}"), timeout=10)
    for news in photos.WatchAlbum(photos_pb2.WatchAlbumRequest(subject=f"pin/{pin}")):
        for photo in news.photos:
            if photo.state == photos_pb2.PHOTO_STATE_READY:
                return photo
        if news.album.summary.state in (album_summary_pb2.ALBUM_STATE_EMPTY, album_summary_pb2.ALBUM_STATE_FAILED):
            sys.exit(f"no picture: {news.album.warning or 'there is none here'}")
    sys.exit("the album ended without a picture")


def main(server="127.0.0.1:7780", file="picture.jpg"):
    # With a token: metadata=(("authorization", f"Bearer {token}"),) in each call, over a secure_channel.
    with grpc.insecure_channel(server) as channel:
        pins, photos = pins_pb2_grpc.PinServiceStub(channel), photos_pb2_grpc.PhotoServiceStub(channel)
        pin = drop(pins)
        watch(pins, pin)
        photo = first_picture(photos, pin)
    # Pictures are HTTP, on the same port. The address is signed and needs no token; it lasts for some hours.
    urllib.request.urlretrieve(f"http://{server}{photo.large_url}", file)
    print(f"{file}: {photo.title}, by {photo.author}, {photo.licence}")


try:
    main(*sys.argv[1:])
except grpc.RpcError as error:
    sys.exit(f"{error.code().name}: {error.details()}")
