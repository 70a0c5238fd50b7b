"""Judges JSON answers of `waymark pin`, `album` and `photo`; one sentence on what was seen.

Usage: pins.py filled LAT LON RADIUS < the lines of `pin add --watch`       ends with the pin's id on a line of its own
       pins.py places LAT LON RADIUS COUNT < `pin places --all`            COUNT - leaves the number open
       pins.py album LAT LON RADIUS < `album show`                         RADIUS 0 leaves the distance open
       pins.py picture FILE < `photo get`
       pins.py moved BEFORE AFTER                                          files with `pin places --all`

Ends with 1 and says why when an answer is not true.
"""

import json
import sys
from pathlib import Path

from places import distance

FINAL_ALBUM = {"ALBUM_STATE_COMPLETE": "complete", "ALBUM_STATE_EMPTY": "empty"}
COLOURS = {"PIN_STATE_NEW": "red", "PIN_STATE_PARTIAL": "purple", "PIN_STATE_READY": "green"}


def expect(is_true, sentence):
    if not is_true:
        raise ValueError(sentence)


def point(message):
    position = message.get("position", {})
    return position.get("latitude", 0.0), position.get("longitude", 0.0)


def filled(lat, lon, radius):
    pins = [json.loads(line)["pin"] for line in sys.stdin if line.strip()]
    states = [pin["state"] for pin in pins]
    expect(all(state in COLOURS for state in states), f"it was {states}")
    seen = [COLOURS[state] for state in dict.fromkeys(states)]
    expect(seen == sorted(seen, key=list(COLOURS.values()).index), f"it turned {', '.join(seen)}")
    expect(seen[0] == "red" and seen[-1] == "green", f"it turned {', '.join(seen)}")
    last = pins[-1]
    expect(point(last) == (float(lat), float(lon)), f"it is at {point(last)}")
    expect(last.get("radiusM") == float(radius), f"its radius is {last.get('radiusM')} m")
    album = last["album"]
    expect(album["state"] in FINAL_ALBUM, f"its album is {album['state']}")
    counts = last.get("placeCount", 0), last.get("photoPlaceCount", 0), album.get("readyCount", 0)
    expect(all(counts), "it has %d places, %d with photos, and %d pictures" % counts)
    print(f"{' → '.join(seen)}, named {last['name']}; %d places, %d of them with photos, an album of %d" % counts)
    print(last["id"])


def places(lat, lon, radius, count):
    answer = json.load(sys.stdin)
    listed = answer.get("places", [])
    expect(count in ("-", str(len(listed))), f"{len(listed)} places are listed, the pin says {count}")
    expect(answer.get("count", 0) == len(listed), f"{len(listed)} places are listed, {answer.get('count')} counted")
    order = [(place.get("distanceM", 0.0), place["id"].encode()) for place in listed]
    expect(order == sorted(order), "they are not nearest first")
    expect(len({place["id"] for place in listed}) == len(listed), "one is listed twice")
    for place in listed:
        true = distance((float(lat), float(lon)), point(place))
        told = place.get("distanceM", 0.0)
        expect(abs(true - told) < 0.05 + 0.0001 * true, f"{place['name']} is {true} m away, not {told}")
        expect(told <= float(radius), f"{place['name']} is {told} m away")
    print(f"all {len(listed)} are within {radius} m, each once, nearest first: {listed[0]['name']}")


def album(lat, lon, radius):
    answer = json.load(sys.stdin)
    summary, photos = answer["album"]["summary"], answer.get("photos", [])
    expect(summary["state"] == "ALBUM_STATE_COMPLETE", f"it is {summary['state']}")
    expect(summary.get("photoCount") == summary.get("readyCount") == len(photos), f"{len(photos)} photos, {summary}")
    expect(len({photo["id"] for photo in photos}) == len(photos), "a photo is in it twice")
    for photo in photos:
        away = distance((float(lat), float(lon)), point(photo))
        expect(float(radius) == 0 or away <= float(radius) + 0.1, f"{photo['title']} is {away:.0f} m away")
        expect(photo.get("author") and photo.get("licence"), f"{photo['title']} has no author or no licence")
        expect("sample" in photo["title"], f"{photo['title']} does not say that it is a sample")
        expect(photo.get("placeholder"), f"{photo['title']} has no placeholder")
    print(f"{len(photos)} pictures, the nearest: {photos[0]['title']}, {photos[0]['licence']}")


def picture(path):
    data = Path(path).read_bytes()
    expect(data[:3] == b"\xff\xd8\xff" and data[-2:] == b"\xff\xd9", "it is no whole JPEG")
    expect(b"Exif" not in data and b"PRIVATE" not in data, "it still holds what the camera wrote")
    print(f"a JPEG of {len(data) / 1000:.0f} kB, without what the camera wrote into it")


def moved(before, after):
    old, new = ({place["id"] for place in json.loads(Path(path).read_text())["places"]} for path in (before, after))
    expect(old <= new, f"{len(old - new)} places were lost")
    print(f"{len(new - old)} places were added to {len(old)}, none was lost: {len(new)}")


def main():
    try:
        globals()[sys.argv[1]](*sys.argv[2:])
    except (ValueError, KeyError, IndexError) as error:
        print(error)
        sys.exit(1)


main()
