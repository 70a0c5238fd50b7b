"""Where two sides say that points are: the same or not, and who is right by the areas of the extract, and of countries
by zones of time, which no extract cuts."""
import collections

from extracts import names
from texts import letters

LEVELS = {"municipality": None, "region": "4", "country": "2"}
Verdict = collections.namedtuple("Verdict", "what kind right ours theirs point")


def verdicts(region, point, ours, theirs, zone):
    """One for each of municipality, region and country; `kind` is empty where both say the same. `zone` is the country
    of the point's zone of time, or empty."""
    for what, level in LEVELS.items():
        one, other = getattr(ours, what), getattr(theirs, what)
        kind = right = ""
        if not is_same(region, what, one, other):
            kind = "other names" if one and other else "only ours names one" if one else "only theirs names one"
            right = judged(region, point, what, level, one, other, zone)
        elif not one:
            kind, right = "none", ""
        yield Verdict(what, kind, right, one, other, point)


def is_same(region, what, one, other):
    if letters(one) == letters(other):
        return True
    # One area has names in several languages.
    return what != "country" and bool(one and other) and any(
        {letters(one), letters(other)} <= set(map(letters, names(tags))) for _, tags in region.extract.relations)


def judged(region, point, what, level, one, other, zone):
    """Who is right: whose area holds the point. An area that the extract has only a part of holds nothing; who alone
    names one of these may be right. Of the country the zone of time knows."""
    if what == "country" and zone:
        return "ours" if one == zone else "theirs" if other == zone else f"neither: it is in {zone}"
    if what == "country":
        return "neither: it is at sea" if one and other else "who names none: it is at sea"
    if what == "municipality":
        holding = region.municipalities(point)
    else:
        holding = [area for area in region.areas if area.tags.get("admin_level") == level]
    said = {letters(name) for area in holding for name in names(area.tags)}
    right = [side for side, name in (("ours", one), ("theirs", other)) if name and letters(name) in said]
    if right:
        return " and ".join(right)
    if holding:
        return "neither: it is in " + ", ".join(sorted(area.name for area in holding))
    cut = {letters(name) for name in region.cut("8" if level is None else level)}
    likely = [side for side, name in (("ours", one), ("theirs", other)) if letters(name) in cut]
    if likely:
        return f"{' and '.join(likely)} may be: the extract has a part of the border"
    return "unknown: the extract has no area that holds it"

