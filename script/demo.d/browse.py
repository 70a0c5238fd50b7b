"""Sees over HTTP what a browser would: the page of the map, a call, an event, a picture. Prints a sentence, or what is
not as it should be with exit code 1."""

import json
import re
import sys
import urllib.parse
import urllib.request

TIMEOUT = 20


def get(address):
    with urllib.request.urlopen(address, timeout=TIMEOUT) as answer:
        return answer.headers.get("Content-Type", ""), answer.read()


def call(base, method, request):
    post = urllib.request.Request(
        f"{base}/{method}", json.dumps(request).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(post, timeout=TIMEOUT) as answer:
        return json.load(answer)


def first_event(base, watch):
    address = f"{base}/events?watch={urllib.parse.quote(watch)}"
    with urllib.request.urlopen(address, timeout=TIMEOUT) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                return json.loads(line[6:])
    return {}


def main(base, pin):
    kind, page = get(base + "/")
    if not kind.startswith("text/html"):
        return 1, f"the page is {kind}"
    parts = re.findall(rb'(?:src|href)="(/?[^"#:]+)"', page)
    for part in parts:
        get(urllib.parse.urljoin(base + "/", part.decode()))
    pins = call(base, "waymark.pins.v1.PinService/ListPins", {}).get("pins", [])
    if [p["id"] for p in pins] != [pin]:
        return 1, f"{len(pins)} pins are listed, the one that was dropped is expected"
    event = first_event(base, "waymark.pins.v1.PinService/WatchPins")
    if [p["id"] for p in event.get("message", {}).get("pins", [])] != [pin]:
        return 1, f"the first event is {event}"
    album = call(base, "waymark.photos.v1.PhotoService/GetAlbum", {"subject": f"pin/{pin}"})
    kind, picture = get(base + album["photos"][0]["thumbnailUrl"])
    if kind != "image/jpeg" or picture[:2] != b"\xff\xd8":
        return 1, f"the picture is {kind}"
    return 0, f"the page with its {len(parts)} parts, a call in JSON, an event, a picture of {len(picture):,} bytes"


if __name__ == "__main__":
    status, sentence = main(*sys.argv[1:])
    print(sentence)
    sys.exit(status)
