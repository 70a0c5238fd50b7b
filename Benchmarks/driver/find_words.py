"""How much of what a region has on its map the search box finds at the first place: streets, rivers and numbers of
roads, places, kinds of places; as they are written, shortened, mistyped, and as people ask for them."""
import argparse
import collections
import http.client
import json
import math
import random
import re
import sys
import tempfile
import time
import unicodedata
from pathlib import Path

from children import Children
from failure import Failure
from find_rate import FINDING, Finder, settled
from osm_reading import Extract
from waymark import Waymark

NEAR_M = 400
# Parts of streets, and how people shorten them.
SHORT = {"Street": "St", "Avenue": "Ave", "Boulevard": "Blvd", "Road": "Rd", "Drive": "Dr", "Lane": "Ln", "Court": "Ct",
         "Place": "Pl", "Rue": "R.", "North": "N", "South": "S", "East": "E", "West": "W", "Chemin": "Ch.",
         "Impasse": "Imp.", "Square": "Sq", "Terrace": "Ter", "Circle": "Cir", "Highway": "Hwy", "Saint": "St.",
         "Quai": "Q.", "Parkway": "Pkwy", "Allée": "All."}
FRENCH = SHORT | {"Boulevard": "Bd", "Avenue": "Av."}
# A kind, and what people who look for it type.
KINDS = {
    "amenity=cafe": ["cafe", "coffee", "coffee shop", "Café", "cafés", "kahvila", "kawiarnia", "カフェ", "咖啡", "☕"],
    "amenity=restaurant": ["restaurant", "restaurants", "ristorante", "ravintola", "Gaststätte", "ресторан", "🍽️"],
    "amenity=fast_food": ["fast food", "fastfood", "takeaway", "Imbiss", "pikaruoka"],
    "amenity=bar": ["bar", "bars", "Cocktailbar"],
    "amenity=pub": ["pub", "pubs", "Kneipe", "🍺"],
    "amenity=pharmacy": ["pharmacy", "drugstore", "chemist", "Apotheke", "pharmacie", "farmacia", "apteekki", "apotek",
                         "аптека", "薬局", "💊"],
    "amenity=fuel": ["gas station", "petrol station", "gas", "Tankstelle", "station-service", "gasolinera",
                     "bensinmack", "huoltoasema", "заправка", "⛽"],
    "amenity=bank": ["bank", "banks", "banque", "Sparkasse", "pankki"],
    "amenity=atm": ["atm", "cash machine", "Geldautomat", "bancomat", "cajero", "pankkiautomaatti"],
    "amenity=parking": ["parking", "car park", "Parkplatz", "Parkhaus", "parcheggio", "parkering", "parking garage"],
    "amenity=school": ["school", "schools", "Schule", "école", "escuela", "koulu"],
    "amenity=library": ["library", "Bibliothek", "bibliothèque", "kirjasto"],
    "amenity=post_office": ["post office", "Post", "bureau de poste", "correos"],
    "amenity=police": ["police", "police station", "Polizei", "comisaría"],
    "amenity=hospital": ["hospital", "Krankenhaus", "hôpital", "ospedale", "sairaala", "больница"],
    "amenity=toilets": ["toilets", "restroom", "wc", "Toilette", "toilettes", "vessa", "🚻"],
    "amenity=place_of_worship": ["church", "churches", "Kirche", "église", "chiesa", "kirkko", "⛪"],
    "amenity=theatre": ["theatre", "theater", "théâtre", "teatro"],
    "amenity=cinema": ["cinema", "movie theater", "Kino", "cinéma", "elokuvateatteri"],
    "shop=supermarket": ["supermarket", "grocery store", "Supermarkt", "supermarché", "supermercato", "ruokakauppa",
                         "超市"],
    "shop=bakery": ["bakery", "Bäckerei", "boulangerie", "boulangeries", "panadería", "leipomo", "パン屋", "🥐"],
    "shop=hairdresser": ["hairdresser", "Friseur", "coiffeur", "parturi", "barber"],
    "shop=florist": ["florist", "Blumenladen", "fleuriste", "flower shop"],
    "shop=clothes": ["clothes shop", "clothing store", "vêtements", "Kleidung"],
    "shop=books": ["bookshop", "bookstore", "Buchhandlung", "librairie", "kirjakauppa"],
    "tourism=hotel": ["hotel", "hotels", "hôtel", "Unterkunft", "albergo", "hotelli", "🏨"],
    "tourism=museum": ["museum", "museums", "musée", "museo", "Museen", "музей"],
    "leisure=park": ["park", "parks", "parc", "jardin public", "puisto", "公园"],
    "leisure=playground": ["playground", "Spielplatz", "aire de jeux", "leikkipuisto"],
    "railway=station": ["train station", "station", "Bahnhof", "gare", "stazione", "rautatieasema"],
    "highway=bus_stop": ["bus stop", "Bushaltestelle", "arrêt de bus", "bussipysäkki"],
    "amenity=drinking_water": ["drinking water", "Trinkwasser", "eau potable"],
}
# What else is right for a kind.
ALSO = {"amenity=bar": {"amenity/pub"}, "amenity=pub": {"amenity/bar", "amenity/biergarten"},
        "amenity=cafe": {"shop/coffee"}, "amenity=atm": {"amenity/bank"}, "amenity=pharmacy": {"shop/chemist"},
        "tourism=hotel": {"tourism/guest_house", "tourism/motel"}, "leisure=park": {"leisure/garden"},
        "shop=clothes": {"shop/boutique"}, "railway=station": {"public_transport/station", "railway/halt"},
        "highway=bus_stop": {"public_transport/platform"}, "shop=hairdresser": {"shop/barber"}}
AROUND = ["{} near me", "nearest {}", "closest {}", "{} nearby", "open {}", "{} in der Nähe", "{} à proximité",
          "{} cerca de mí", "the nearest {}", "{} open now", "{} vicino a me", "lähin {}"]
PLACES = ["amenity", "shop", "tourism", "leisure", "historic", "railway"]
Case = collections.namedtuple("Case", "how text name points categories")


def letters(text):
    """The letters and digits of a text, without case and accents: names are the same that differ in nothing else."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(letter for letter in plain if unicodedata.category(letter)[0] in "LN")


def metres(a, b):
    return math.hypot(a[0] - b[0], (a[1] - b[1]) * math.cos(math.radians(a[0]))) * 111_195


def mistyped(name, chance):
    """One letter of the longest word is left out, doubled or swapped; nothing for a name of short words."""
    words = name.split(" ")
    at = max(range(len(words)), key=lambda index: len(words[index]))
    word = words[at]
    if len(word) < 6 or not word.isalpha():
        return None
    place = chance.randrange(1, len(word) - 1)
    words[at] = chance.choice([word[:place] + word[place + 1:], word[:place] + word[place] + word[place:],
                               word[:place] + word[place + 1] + word[place] + word[place + 2:]])
    return " ".join(words)


def named(things, wanted):
    """The points of all things of one name for which something holds."""
    found = collections.defaultdict(list)
    for kind, tags, points in things:
        for name in wanted(kind, tags):
            found[name] += points
    return dict(sorted(found.items()))


def lines(kind, tags, key):
    return [tags["name"]] if kind == "way" and key in tags and "name" in tags else []


def numbers(kind, tags):
    roads = ["motorway", "trunk", "primary", "secondary", "tertiary"]
    return tags["ref"].split(";") if kind == "way" and tags.get("highway") in roads and "ref" in tags else []


def cases(extract, share, chance):
    """Each as many as there are, at most `share` of a sort."""
    found = []

    def some(how, names, spell=lambda name: name):
        drawn = []
        for name in chance.sample(sorted(names), len(names)):
            text = spell(name)
            if text and len(drawn) < share:
                drawn.append(Case(how, text, name, names[name], None))
        found.extend(drawn)

    streets = named(extract.things, lambda kind, tags: lines(kind, tags, "highway"))
    french = sum(name.startswith(("Rue", "Avenue", "Boulevard")) for name in streets) > len(streets) / 4
    short = FRENCH if french else SHORT

    def shortened(name):
        text = " ".join(short.get(word, word) for word in name.split(" "))
        return text.lower() if text != name else None

    some("street", streets)
    some("street, small letters", streets, lambda name: letters_and_blanks(name))
    some("street, shortened", streets, shortened)
    some("street, mistyped", streets, lambda name: mistyped(name, chance))
    some("waterway", named(extract.things, lambda kind, tags: lines(kind, tags, "waterway")))
    roads = named(extract.things, numbers)
    for how, spell in (("road", str), ("road, with a hyphen", lambda name: name.replace(" ", "-")),
                       ("road, joined", lambda name: name.replace(" ", ""))):
        some(how, roads, spell)
    places = named(extract.things, lambda kind, tags: [tags["name"]] if "name" in tags and "highway" not in tags and any(
        key in tags for key in PLACES) and tags.get("railway", "station") == "station" else [])
    some("place", places)
    some("place, small letters", places, lambda name: letters_and_blanks(name))
    some("place, mistyped", places, lambda name: mistyped(name, chance))
    some("place, marks left out", places, lambda name: re.sub(r"['’.&-]", "", name) if re.search(r"\w['’.-]\w", name) else None)
    kinds = [(kind, word) for kind, words in KINDS.items() for word in words if of_kind(extract, kind)]
    centre = middle(extract)
    for kind, word in chance.sample(kinds, min(len(kinds), share)):
        found.append(Case("kind", word, "", [], accepted(kind)))
    for kind, word in chance.sample(kinds, min(len(kinds), share)):
        if word[0].isascii() and word[0].isalpha():
            found.append(Case("kind, around me", chance.choice(AROUND).format(word), "", [], accepted(kind)))
    big = {name: points for name, points in places.items() if len(name) > 4 and sum(
        letters(name) in letters(other) for other in [*places, *streets]) == 1 and len(points) < 200}
    for kind, word in chance.sample(kinds, min(len(kinds), share)):
        near = chance.choice(sorted(big))
        if any(metres(point, big[near][0]) < 2_000 for point in of_kind(extract, kind)) and metres(
                centre, big[near][0]) < 30_000:
            between = chance.choice(["near", "close to", "bei", "près de", "cerca de", "vicino a"])
            found.append(Case("kind near a place", f"{word} {between} {near}", "", big[near], accepted(kind)))
    return found


def letters_and_blanks(name):
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def accepted(kind):
    return {kind.replace("=", "/")} | ALSO.get(kind, set())


def of_kind(extract, kind):
    key, value = kind.split("=")
    return [points[0] for _, tags, points in extract.things if tags.get(key) == value and "name" in tags]


def middle(extract):
    points = sorted(points[0] for _, tags, points in extract.things if "name" in tags)
    east = sorted(point[1] for point in points)
    return points[len(points) // 2][0], east[len(east) // 2]


class Searches:
    def __init__(self, address, centre):
        self.connection, self.centre = http.client.HTTPConnection(address, timeout=60), centre

    def first(self, text):
        body = json.dumps({"text": text, "near": dict(zip(("latitude", "longitude"), self.centre))})
        self.connection.request("POST", FINDING, body.encode(), {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        results = json.loads(answer.read()).get("results", [])
        return results[0] if results else None


def is_right(case, result):
    if result is None:
        return False
    position = result["position"].get("latitude", 0), result["position"].get("longitude", 0)
    if case.categories is not None:
        if case.points and min(metres(position, point) for point in case.points) > 3_000:
            return False
        return bool(case.categories & set(result.get("categories", [])))
    return letters(result["name"]) == letters(case.name) and (
        is_within(position, case.points) or min(metres(position, point) for point in case.points) <= NEAR_M)


def is_within(position, points):
    """Whether it is in the box around some points: the middle of an area is far from its edges."""
    return all(min(point[axis] for point in points) <= position[axis] <= max(point[axis] for point in points)
               for axis in (0, 1))


def measure(options, folder):
    tallies, wrong = collections.defaultdict(lambda: [0, 0, 0]), []
    with Children() as children:
        waymark = Waymark(options, children, folder)
        waymark.serve("places-service", "--bundled", options.bundled)
        waymark.serve("gateway", "--places", waymark.addresses["places-service"], "--open")
        for path in options.regions:
            began = time.perf_counter()
            waymark.run("waymark", "import", path, "--dataset", path.name.split(".")[0], "--target",
                        waymark.addresses["gateway"])
            print(f"{path.name}: imported in {time.perf_counter() - began:.2f} s", file=sys.stderr)
        settled(waymark, Finder(waymark.http["gateway"], waymark.services["places-service"].pid))
        for path in options.regions:
            extract = Extract(path)
            searches = Searches(waymark.http["gateway"], middle(extract))
            drawn = cases(extract, options.share, random.Random(f"{path.name} {options.seed}"))
            # The other half is kept for the end.
            for case in drawn[1 if options.held_out else 0::2]:
                result = searches.first(case.text)
                tally = tallies[case.how]
                tally[0] += 1
                tally[1] += is_right(case, result)
                tally[2] += result is None
                if not is_right(case, result):
                    got = f"{result['name']}, {result.get('context', '')}" if result else "nothing"
                    wrong.append((path.name, case.how, case.text, case.name or sorted(case.categories), got))
    return tallies, wrong


def main():
    parser = argparse.ArgumentParser(prog="script/bench words", description=__doc__)
    parser.add_argument("regions", type=Path, nargs="+", help="extracts, as .osm.pbf")
    parser.add_argument("--share", type=int, default=100, help="texts of one sort and region (100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="the other half of the texts")
    parser.add_argument("--wrong", action="store_true", help="print what was not right")
    parser.add_argument("--bin", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--bundled", type=Path, default=Path("Data").absolute(), help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tallies, wrong = measure(options, Path(folder))
    for line in wrong if options.wrong else []:
        print(*line, sep="\t")
    total = [sum(tally[index] for tally in tallies.values()) for index in range(3)]
    for how, (count, right, empty) in [*tallies.items(), ("all", total)]:
        print(f"{how:22} {count:5} texts: {100 * right / count:5.1f} % first, {100 * empty / count:4.1f} % empty")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"script/bench: {failure}")
