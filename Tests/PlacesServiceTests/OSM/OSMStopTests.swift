import PlaceContracts
import TestTools
import Testing

@testable import PlacesService

@Suite("W1 P50 Stops and stations are found by their lines")
struct OSMStopTests {
    private static let near = Coordinate(latitude: 10.005, longitude: 20.005)

    /// A town with two stations, of which one has its stop beside it, a tram stop and a bus stop that says its lines.
    private static var town: MapFile {
        var file = MapFile()
        let market = file.node(10.004, 20.004, [("railway", "station"), ("name", "Markt")])
        let platform = file.node(10.0041, 20.0041, [("public_transport", "stop_position"), ("name", "Markt")])
        let gate = file.node(10.02, 20.02, [("railway", "station"), ("name", "Tor")])
        let tram = file.node(10.006, 20.006, [("railway", "tram_stop"), ("name", "Park")])
        file.node(10.007, 20.007, [("highway", "bus_stop"), ("name", "Schule"), ("route_ref", "100; X 9")])
        // What has the words too, and is no stop.
        file.node(10.005, 20.005, [("amenity", "bar"), ("name", "U2 Station Bar")])
        file.node(10.005, 20.0051, [("amenity", "cafe"), ("name", "9")])
        file.relation(
            nodes: [platform, gate], [("type", "route"), ("route", "subway"), ("ref", "U2"), ("name", "U2: A - B")])
        file.relation(nodes: [gate], [("type", "route"), ("route", "train"), ("ref", "S1")])
        file.relation(nodes: [tram], [("type", "route"), ("route", "tram"), ("ref", "9")])
        file.relation(nodes: [tram], [("type", "route"), ("route", "hiking"), ("ref", "E1")])
        file.relation(
            nodes: [market, platform],
            [("type", "public_transport"), ("public_transport", "stop_area"), ("name", "Markt")])
        return file
    }

    @Test("as people write them: with a word for the line or the stop, in several languages, with and without a blank")
    func found() async throws {
        let sources = Geocoder.Sources(
            gazetteer: try BundledGazetteer.open(), addresses: try BundledGazetteer.addresses(),
            kinds: try KindTable(bundledIn: BundledDataTests.folder))
        let geocoder = Geocoder(sources, names: try BundledGazetteer.names())
        try await TestService.run(geocoder: geocoder) { service async throws in
            let story = try await service.load(Self.town.bytes, name: "town.osm.pbf")
            #expect(story.badRows.isEmpty, "\(story.badRows)")
            await geocoder.prepare(service.handler.catalog.view, service.handler.blocking)
            for (text, names) in [
                ("U2 station", ["Markt", "Tor"]), ("u 2 station", ["Markt", "Tor"]), ("U2 Bahnhof", ["Markt", "Tor"]),
                ("Bahnhof S1", ["Tor"]), ("gare S1", ["Tor"]), ("line 9 stop", ["Park"]), ("Linie 9", ["Park"]),
                ("bus 100", ["Schule"]), ("x9 bus stop", ["Schule"]), ("tram 9", ["Park"]),
            ] {
                let found = try await FindTests.find(service, text, near: Self.near, limit: 10).map(\.name)
                #expect(Array(found.prefix(names.count)) == names, "\(text): \(found)")
            }
            for text in ["line E1", "U3 station", "9"] {
                let found = try await FindTests.find(service, text, near: Self.near, limit: 10).map(\.name)
                #expect(!found.contains("Park") && !found.contains("Markt"), "\(text): \(found)")
            }
        }
    }
}
