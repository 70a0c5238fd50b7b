"""Texts that people look for, drawn from an extract and respelled."""
import collections
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "driver"))
from find_words import letters, letters_and_blanks, metres, mistyped, named  # noqa: E402

PLACES = ["amenity", "shop", "tourism", "leisure", "historic", "office"]
SPELLINGS = ["as it is", "small letters", "without marks", "mistyped", "turned around"]
NEAR_M, NEAR_HOUSE_M = 400, 60
# `parts` are the name or the house, and the town if there is one.
Text = collections.namedtuple("Text", "sort spelling text name number points")


def is_place(tags):
    return "name" in tags and "highway" not in tags and any(key in tags for key in PLACES)


def things(region):
    """Each sort of things: parts of the text, name, number, points."""
    extract = region.extract
    places = named(extract.things, lambda kind, tags: [tags["name"]] if is_place(tags) else [])
    yield "place", [((name,), name, "", points) for name, points in places.items()]
    streets = []
    for name, points in named(extract.things, lambda kind, tags: [tags["name"]] if kind == "way" and "highway" in tags
                              and "name" in tags else []).items():
        holding = region.municipalities(points[len(points) // 2])
        if holding:
            town = min(holding, key=lambda area: area.tags.get("admin_level", "9") != "8")
            streets.append(((name, town.name), name, "", points))
    yield "street, town", streets
    houses = []
    for _, tags, points in extract.things:
        if {"addr:housenumber", "addr:street"} <= tags.keys():
            street, number = tags["addr:street"], tags["addr:housenumber"]
            town = (tags["addr:city"],) if "addr:city" in tags else ()
            houses.append(((f"{number} {street}", *town), street, number, points))
    yield "address", houses


def respelled(parts, spelling, chance):
    """Nil where a text is the same when it is spelled so."""
    text = ", ".join(parts)
    if spelling == "as it is":
        return text
    if spelling == "small letters":
        return text.lower() if text.lower() != text else None
    if spelling == "without marks":
        plain = "".join(letter if letter.isalnum() or letter == " " else " " if letter == "-" else ""
                        for letter in letters_and_blanks(text))
        return plain if plain != text.lower() else None
    if spelling == "mistyped":
        wrong = mistyped(parts[0], chance)
        return ", ".join([wrong, *parts[1:]]) if wrong else None
    if len(parts) > 1:
        return " ".join(reversed(parts))
    words = text.split(" ")
    return " ".join([*words[1:], words[0]]) if len(words) > 1 else None


def drawn(region, count, chance):
    """As many of each sort and spelling, as far as there are."""
    found, share = [], count // 3 // len(SPELLINGS)
    for sort, all_of_them in things(region):
        for spelling in SPELLINGS:
            taken = 0
            for parts, name, number, points in chance.sample(all_of_them, len(all_of_them)):
                text = respelled(parts, spelling, chance)
                if text and taken < share:
                    found.append(Text(sort, spelling, text, name, number, points))
                    taken += 1
    return found


def is_right(text, found):
    """`found` is the name, the house number and the position of an answer, or nothing. The name says what it is, and
    the position which of them."""
    if found is None:
        return False
    name, number, position = found
    if text.number:
        return letters(text.number) == letters(number) and min(
            metres(position, point) for point in text.points) <= NEAR_HOUSE_M
    return letters(text.name) == letters(name) and (
        min(metres(position, point) for point in text.points) <= NEAR_M or all(
            min(point[axis] for point in text.points) <= position[axis] <= max(point[axis] for point in text.points)
            for axis in (0, 1)))
