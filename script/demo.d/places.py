"""Judges a JSON answer of `waymark nearby` or `waymark explore` on standard input; one sentence on what was seen.

Usage: places.py LAT LON RADIUS [--at-least N] [--pins N] [--photos N] [--first NAME] [--branches NAME=CODE,...]

Ends with 1 and says why when the answer is empty, a place has no name or lies outside the radius, a distance is not
the distance on the sphere, or the order is not nearest first.
"""

import argparse
import json
import math
import sys

EARTH_RADIUS_M = 6_371_008.8


def distance(a, b):
    """Great-circle distance in metres between two (latitude, longitude) in degrees, by the haversine formula."""
    (lat_a, lon_a), (lat_b, lon_b) = (tuple(map(math.radians, point)) for point in (a, b))
    h = math.sin((lat_b - lat_a) / 2) ** 2
    h += math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_b - lon_a) / 2) ** 2
    return 2 * EARTH_RADIUS_M * math.asin(min(1, math.sqrt(h)))


def judge(answer, options):
    places = answer.get("places", [])
    if len(places) < options.at_least:
        raise ValueError(f"{len(places)} places, at least {options.at_least} were expected")
    before = (-1.0, "")
    for place in places:
        told = place.get("distanceM", 0.0)
        position = place.get("position", {})
        point = (position.get("latitude", 0.0), position.get("longitude", 0.0))
        true = distance((options.lat, options.lon), point)
        if not place.get("name"):
            raise ValueError(f"{place.get('id')} has no name")
        # A degree and a metre are rounded on their way; the radius of the sphere is a convention.
        if abs(told - true) > 0.05 + 0.0001 * true:
            raise ValueError(f"{place['name']} is said to be {told} m away and is {true:.2f} m")
        if told > options.radius:
            raise ValueError(f"{place['name']} is {told} m away, outside the radius")
        if (told, place["id"]) < before:
            raise ValueError(f"{place['name']} stands behind a place that is farther away")
        before = (told, place["id"])
    if options.first and places[0]["name"] != options.first:
        raise ValueError(f"the first is {places[0]['name']}, not {options.first}")


def judge_kept(answer, kind, wanted):
    seen = len(answer.get(kind, []))
    if seen < wanted:
        raise ValueError(f"{seen} {kind}, at least {wanted} were expected")


def judge_branches(answer, wanted):
    codes = {branch["name"]: branch.get("code", 0) for branch in answer.get("branches", [])}
    for name, code in (pair.split("=") for pair in wanted.split(",")):
        seen = codes.get(name)
        if seen is None or (code == "!" and seen == 0) or (code != "!" and seen != int(code)):
            raise ValueError(f"the branch {name} has the status {seen}, not {code}")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("lat", type=float)
    parser.add_argument("lon", type=float)
    parser.add_argument("radius", type=float)
    parser.add_argument("--at-least", type=int, default=1)
    parser.add_argument("--first")
    parser.add_argument("--branches", help="names with their status, ! for any but 0")
    parser.add_argument("--pins", type=int, default=0)
    parser.add_argument("--photos", type=int, default=0)
    options = parser.parse_args()
    try:
        answer = json.load(sys.stdin)
        judge(answer, options)
        judge_kept(answer, "pins", options.pins)
        judge_kept(answer, "photos", options.photos)
        if options.branches:
            judge_branches(answer, options.branches)
    except ValueError as error:
        print(error)
        sys.exit(1)
    places = answer["places"]
    near, far = (places[i].get("distanceM", 0.0) for i in (0, -1))
    print(f"{len(places)} places from {near:.0f} m to {far:.0f} m, nearest: {places[0]['name']}")


if __name__ == "__main__":
    main()
