import PlaceContracts
import Testing

@testable import PlacesService

@Suite("W3 W4 W6 W7 P50 Names in other spellings")
struct RespelledNamesTests {
    private static let near = Coordinate(latitude: 60.1699, longitude: 24.9384)

    private static func run(
        _ rows: [(name: String, categories: String)], _ body: (TestService) async throws -> Void
    ) async throws {
        let sources = Geocoder.Sources(
            gazetteer: try BundledGazetteer.open(), addresses: try BundledGazetteer.addresses(),
            kinds: try KindTable(bundledIn: BundledDataTests.folder))
        let geocoder = Geocoder(sources, names: try BundledGazetteer.names())
        try await TestService.run(geocoder: geocoder) { service async throws in
            let table = rows.enumerated().map { index, row in
                "\(index)\t\(row.name)\t\(row.categories)\t\(60.17 + Double(index) / 1000)\t24.94\n"
            }
            await BundledDataTests.install(in: service)
            try await service.load("id\tname\tcategories\tlat\tlon\n" + table.joined(), into: "names")
            await geocoder.prepare(service.handler.catalog.view, service.handler.blocking)
            try await body(service)
        }
    }

    @Test("marks within words, blanks and hyphens are left out or put in, either way")
    func marks() async throws {
        let names = [
            "McDonald's", "Toys\"R\"Us", "Wal-Mart", "Quellerking", "L'Orange Verte", "Jenkins", "O’Quellys",
            "Saint-Cyr-Bar", "Q.P.X. Motors", "ZKF Diner", "Har-man's Coinz",
        ]
        try await Self.run(names.map { ($0, "amenity/restaurant") }) { service async throws in
            for (text, name) in [
                ("mcdonalds", names[0]), ("McDonald s", names[0]), ("mcdonald’s", names[0]), ("walmart", names[2]),
                ("wal mart", names[2]), ("queller king", names[3]), ("queller-king", names[3]),
                ("lorange verte", names[4]), ("l orange verte", names[4]), ("Jenkin's", names[5]),
                ("oquellys", names[6]), ("saintcyr bar", names[7]), ("qpx motors", names[8]),
                ("z.k.f. diner", names[9]), ("Har-man's Coinz", names[10]),
                ("Harmans Coinz", names[10]),
            ] {
                let found = try await FindTests.find(service, text, near: Self.near)
                #expect(found.first?.name == name, "\(text): \(found.map(\.name))")
            }
        }
    }

    @Test("words of streets are shortened or not, either way, in the languages of the addresses")
    func streets() async throws {
        let names = [
            "Boulevard des Moulins", "Avenue Princesse Grace", "Derry Street", "N. Front St", "Hauptstraße",
            "Quai Antoine", "Mt. Vernon Circle", "St. James Lane",
        ]
        try await Self.run(names.map { ($0, "place/locality") }) { service async throws in
            for (text, name) in [
                ("bd des moulins", names[0]), ("blvd des Moulins", names[0]), ("av princesse grace", names[1]),
                ("derry st", names[2]), ("Derry St.", names[2]), ("north front street", names[3]),
                ("Hauptstr.", names[4]), ("haupt str", names[4]), ("q. antoine", names[5]),
                ("mount vernon cir", names[6]), ("saint james ln", names[7]),
            ] {
                let found = try await FindTests.find(service, text, near: Self.near)
                #expect(found.first?.name == name, "\(text): \(found.map(\.name))")
            }
        }
    }

    @Test("airports are found by their letters with the word for one")
    func airports() async throws {
        try await Self.run([("Airport Bar", "amenity/bar")]) { service async throws in
            for (text, name) in [
                ("jfk airport", "John F Kennedy International Airport"), ("LHR Flughafen", "London Heathrow Airport"),
                ("airport hel", "Helsinki Vantaa Airport"), ("heathrow airport", "London Heathrow Airport"),
            ] {
                let found = try await FindTests.find(service, text, near: Self.near)
                #expect(found.first?.name == name, "\(text): \(found.map(\.name))")
            }
        }
    }

    @Test("postcodes are found without their blank, and with the letter of their country")
    func postcodes() async throws {
        try await Self.run([("Bar", "amenity/bar")]) { service async throws in
            let rows = [("NW1 6XE", "London"), ("K2K 2X3", "Ottawa"), ("10117", "Berlin"), ("69002", "Lyon")]
            let table = rows.enumerated().map { index, row in
                "Way\t\(index + 1)\t\(row.0)\t\(row.1)\t\(50 + index)\t\(index)\n"
            }
            try await service.load(
                "street\tnumber\tpostcode\tcity\tlat\tlon\n" + table.joined(), into: "houses", name: "houses.tsv")
            await service.handler.geocoder.prepare(service.handler.catalog.view, service.handler.blocking)
            for (text, name) in [
                ("nw16xe", "NW1 6XE"), ("NW1 6XE", "NW1 6XE"), ("k2k2x3", "K2K 2X3"), ("D-10117 Berlin", "10117"),
                ("F-69002", "69002"), ("fr 69002 lyon", "69002"),
            ] {
                let found = try await FindTests.find(service, text, near: Self.near)
                #expect(found.first?.kind == .postcode && found.first?.name == name, "\(text): \(found.map(\.name))")
            }
        }
    }

    @Test("short names are found before those that only begin so")
    func short() async throws {
        try await Self.run([("Bar", "amenity/bar")]) { service async throws in
            for (text, name) in [("LA", "Los Angeles"), ("Åbo", "Turku"), ("NYC", "New York City"), ("Ely", "Ely")] {
                let found = try await FindTests.find(service, text, near: Self.near)
                #expect(found.first?.name == name, "\(text): \(found.map(\.name))")
            }
        }
    }
}
