"""The map of an imported town, as other people's readers of PMTiles and of vector tiles see it."""

import gzip
import subprocess
import sys
import unittest
from pathlib import Path

import mapbox_vector_tile
from pmtiles.reader import MmapSource, Reader, all_tiles

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "ClientTests"), str(TESTS / "BrowserTests")]
from smallcity import LATITUDE, LONGITUDE, small_town  # noqa: E402
from waymark_system import BIN, System, lacks_programs  # noqa: E402

# The tile at the last zoom level that has most of the town: longitude 15.01, latitude 48.01.
TILE = (14, 8875, 5694)


class Tiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if problem := lacks_programs():
            raise unittest.SkipTest(problem)
        cls.system = System()
        cls.addClassCleanup(cls.system.stop)
        path = Path(cls.system.folder.name, "town.osm.pbf")
        path.write_bytes(small_town())
        words = ["import", path, "--dataset", "town", "--target", cls.system.gateway]
        subprocess.run([BIN / "waymark", *words], check=True, capture_output=True)
        cls.archive = next(Path(cls.system.folder.name).glob("data/**/datasets/town/*.pmtiles"))

    def read(self, body):
        with open(self.archive, "rb") as file:
            source = MmapSource(file)
            return body(Reader(source), source)

    def test_archive(self):
        header, metadata = self.read(lambda reader, _: (reader.header(), reader.metadata()))
        self.assertEqual((header["version"], header["min_zoom"], header["max_zoom"]), (3, 5, 14))
        self.assertTrue(header["clustered"])
        self.assertLess(header["min_lat_e7"], LATITUDE * 1e7)
        self.assertGreater(header["max_lon_e7"], LONGITUDE * 1e7)
        self.assertEqual(metadata["attribution"], "\u00a9 OpenStreetMap contributors")
        self.assertIn("streets", [layer["id"] for layer in metadata["vector_layers"]])
        tiles = self.read(lambda _, source: list(all_tiles(source)))
        self.assertEqual(len(tiles), header["addressed_tiles_count"])
        for _, packed in tiles:
            mapbox_vector_tile.decode(gzip.decompress(packed))

    def test_tile(self):
        packed = self.read(lambda reader, _: reader.get(*TILE))
        layers = mapbox_vector_tile.decode(gzip.decompress(packed), default_options={"y_coord_down": True})
        kinds = {name: {feature["geometry"]["type"] for feature in layer["features"]} for name, layer in layers.items()}
        self.assertEqual(kinds["streets"] | kinds["rails"], {"LineString"})
        self.assertEqual(kinds["buildings"], {"MultiPolygon"})
        self.assertEqual(kinds["parks"], {"Polygon"})
        self.assertEqual(kinds["places"], {"Point"})
        place = layers["places"]["features"][0]["properties"]
        self.assertEqual((place["name"], place["name:fi"], place["population"]),
                         ("Kleinstadt", "Pikkukaupunki", 9000))

    def test_served(self):
        packed = self.read(lambda reader, _: reader.get(*TILE))
        zoom, x, y = TILE
        web = self.system.web()
        self.addCleanup(web.connection.close)
        status, headers, body = web.ask("GET", f"/tiles/town/{zoom}/{x}/{y}", accept_encoding="gzip")
        self.assertEqual((status, body), (200, packed))
        self.assertEqual(headers["content-type"], "application/vnd.mapbox-vector-tile")
        self.assertEqual(headers["cache-control"], "private, no-cache")
        status, _, body = web.ask("GET", f"/tiles/town/{zoom}/{x}/{y}", if_none_match=headers["etag"],
                                  accept_encoding="gzip")
        self.assertEqual((status, body), (304, b""))
        # The same over HTTP/2.
        url = f"{self.system.http}/tiles/town/{zoom}/{x}/{y}"
        out = subprocess.run(["curl", "--silent", "--http2-prior-knowledge", "--write-out", "%{http_version}",
                              "--header", "Accept-Encoding: gzip", url], stdout=subprocess.PIPE, check=True)
        self.assertEqual(out.stdout, packed + b"2")
        listed = web.call("waymark.places.v1.PlacesService/ListDatasets", {})[1]["datasets"]
        version = next(one["tiles"]["version"] for one in listed if one["name"] == "town")
        status, headers, body = web.ask("GET", f"/tiles/town/{zoom}/{x}/{y}?v={version}")
        self.assertEqual((status, body), (200, gzip.decompress(packed)))
        self.assertIn("immutable", headers["cache-control"])
        for path, expected in ((f"town/{zoom}/0/0", 204), ("town/3/9/0", 404), ("other/3/0/0", 404), ("town/3", 404),
                               ("town/a/0/0", 400)):
            status, headers, _ = web.ask("GET", f"/tiles/{path}")
            self.assertEqual(status, expected, path)
            if expected == 204:
                self.assertEqual(headers["cache-control"], "private, no-cache")


if __name__ == "__main__":
    program = unittest.main(exit=False)
    result = program.result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed, {len(result.skipped)} skipped")
    sys.exit(1 if failed else 0)
