import FeatureFiles
import Geo
import TestTools
import Testing

@Suite("P50 links and coordinates as people paste them")
struct MapLinkTests {
    @Test("each form of link is understood as its examples say", arguments: MapLink.forms.map(\.name))
    func forms(name: String) throws {
        let form = try #require(MapLink.forms.first { $0.name == name })
        #expect(!form.examples.isEmpty)
        for example in form.examples {
            let point = MapLink.point(example.link)
            let distance = point.map { max(abs($0.latitude - example.latitude), abs($0.longitude - example.longitude)) }
            // A code of few letters has a cell and no point.
            #expect(
                try #require(distance, "\(example.link)") < (name.contains("short") ? 0.002 : 1e-6), "\(example.link)")
        }
    }

    @Test(
        "a link that says no point, or two that differ, or one of others, says none",
        arguments: [
            "https://www.google.com/maps/place/Helsinki", "https://maps.app.goo.gl/abcDEF",
            "https://example.org/?q=60.1,24.9",
            "https://example.org/#60.1/24.9", "https://example.org/#15/95/24.9", "https://waze.com/ul?q=Helsinki",
            "https://osm.org/#map=1/60.1/24.9 and https://osm.org/#map=1/60.2/24.9", "https://osm.org/go/%%%",
            "https://www.bing.com/maps?cp=60.1", "https://yandex.ru/maps/?ll=24.9", "om://map?v=1", "ge0://", "://",
            "om://x",
            "https://evil-yandex.ru.example/maps/?ll=24.9,60.1", "https://mapy.cz/?x=24.9",
            "https://google.evil.example/maps?q=1.5,2.5", "https://share.here.com/l/Helsinki",
        ])
    func none(text: String) { #expect(MapLink.point(text) == nil) }

    @Test(
        "a link with several marks has all of them, a text all of its links, each once",
        arguments: [
            ("https://www.bing.com/maps?cp=1~2&sp=point.60.1_24.9_Cafe~point.60.2_24.8_Bar%20X", 2),
            ("https://yandex.com/maps/?ll=1,2&pt=24.9,60.1,pm2rdm~24.8,60.2&z=12", 2),
            ("https://osm.org/#map=9/60.1/24.9 then geo: https://osmand.net/map?pin=60.2,24.8#9/1/2", 2),
            ("https://osm.org/#map=9/60.1/24.9 https://osm.org/#map=7/60.1/24.9", 1), ("no link", 0),
        ])
    func several(text: String, count: Int) throws {
        let all = [
            try Coordinate(latitude: 60.1, longitude: 24.9), try Coordinate(latitude: 60.2, longitude: 24.8),
        ]
        #expect(MapLink.points(text) == Array(all.prefix(count)))
    }

    @Test(
        "a short link that only its service can resolve is said to be that",
        arguments: MapLink.shorteners.map(\.service))
    func short(service: String) throws {
        for example in try #require(MapLink.shorteners.first { $0.service == service }).examples {
            #expect(MapLink.point(example) == nil, "\(example)")
            #expect(MapLink.shortener(of: "Look: \(example).") == service, "\(example)")
        }
    }

    @Test(
        "a link that says a point, or a text that is none, is not said to be short",
        arguments: [
            "https://www.google.com/maps?cid=12&ll=60.1,24.9",
            "https://maps.app.goo.gl/x https://osm.org/#map=9/60.1/24.9",
            "goo.gl", "Maps", "https://goo.gl/xyz", "https://mapy.cz/zakladni?x=24.9384&y=60.1699",
        ])
    func long(text: String) { #expect(MapLink.shortener(of: text) == nil) }

    @Test(
        "coordinates with words, labels and signs around them",
        arguments: [
            "lat: 60.1699, lon: 24.9384", "Latitude 60.1699 Longitude 24.9384", "lon=24.9384; lat=60.1699",
            "{\"lat\": 60.1699, \"lng\": 24.9384}", "60,1699, 24,9384", "60.1699,24.9384,17z", "60.1699，24.9384",
            "60.1699° Nord 24.9384° Ost", "60.1699 North 24.9384 East", "60.1699,24.9384.",
            "Position: 60.1699, 24.9384",
            "60.16990, 24.93840 (WGS84)", "POINT(24.9384 60.1699)", "6010.194N 02456.304E",
            "60.1699 pohjoista, 24.9384 itää",
        ])
    func written(text: String) throws {
        let point = try #require(WrittenPoint.point(text), "\(text)")
        #expect(abs(point.latitude - 60.1699) < 1e-6 && abs(point.longitude - 24.9384) < 1e-6, "\(text): \(point)")
    }

    @Test(
        "pilots' and receivers' digits",
        arguments: [("601011N 0245618E", 60.169_722_2, 24.938_333_3), ("3351.408S 15112.918E", -33.8568, 151.215_3)])
    func packed(text: String, latitude: Double, longitude: Double) throws {
        let point = try #require(WrittenPoint.point(text))
        #expect(abs(point.latitude - latitude) < 1e-6 && abs(point.longitude - longitude) < 1e-6, "\(point)")
    }

    @Test(
        "texts that may mean another place, or none, mean none",
        arguments: [
            "lat 60.1", "lat 60.1 lat 24.9", "lat: x, lon: 24.9", "60.1699 Nord 24.9384 Nord", "60.1 O 24.9 N",
            "6070.1N 02456.3E",
            "Room 12: 3", "POINT(24.9)", "POINT(24.9 95)", "601N 024E", "Cafe 60.1, 24.9", "N: 5", "17z",
            "60.1,24.9,x", "60.1699,24.9384,17z,3z",
        ])
    func doubts(text: String) { #expect(WrittenPoint.point(text) == nil) }

    @Test("a sign that is joined with another makes no other point of a text", arguments: Joiner.all)
    func joined(joiner: Joiner) throws {
        for text in [
            "https://osm.org/#map=17/60.1699\(joiner.around("/"))24.9384",
            "lat: 60.1699\(joiner.around(",")) lon: 24.9384",
        ] {
            guard let point = MapLink.point(text) ?? WrittenPoint.point(text) else { continue }
            #expect(point == (try Coordinate(latitude: 60.1699, longitude: 24.9384)), "\(text)")
        }
    }
}
