import PlaceContracts
import Geo
import RPC
import Requests
import Testing
import Wire

@testable import PlacesService

@Suite("P15 Geocoding")
struct GeocodeTests {
    private static func run(_ body: (TestService) async throws -> Void) async throws {
        let sources = Geocoder.Sources(
            gazetteer: try BundledGazetteer.open(), addresses: try StreetAddresses(bundledIn: BundledDataTests.folder))
        try await TestService.run(geocoder: Geocoder(sources), body)
    }

    private static func ask(
        _ service: TestService, _ text: String, _ change: (inout GeocodeRequest) -> Void = { _ in }
    ) async throws -> [GeocodeMatch] {
        var request = GeocodeRequest(text: text)
        change(&request)
        return try await service.client.geocode(request, TestService.soon).matches
    }

    /// A text, and the kind, name and country of what it names first.
    static let examples: [(String, GeocodeKind, String, String)] = [
        ("Costa Rica", .country, "Costa Rica", "CR"), ("costa rica, brazil", .town, "Costa Rica", "BR"),
        ("Seattle, WA", .town, "Seattle", "US"), ("WA Seattle", .town, "Seattle", "US"),
        ("Paris", .town, "Paris", "FR"), ("Paris, Texas", .town, "Paris", "US"),
        ("  paris ,  tx  ", .town, "Paris", "US"),
        ("São Paulo", .town, "São Paulo", "BR"), ("Sao Paulo", .town, "São Paulo", "BR"),
        ("Sa\u{303}o Paulo", .town, "São Paulo", "BR"), ("München", .town, "Munich", "DE"),
        ("Munich", .town, "Munich", "DE"), ("NYC", .town, "New York City", "US"),
        ("New York", .town, "New York City", "US"), ("東京", .town, "Tokyo", "JP"), ("日本", .country, "Japan", "JP"),
        ("London, UK", .town, "London", "GB"), ("London, Ontario", .town, "London", "CA"),
        ("london on canada", .town, "London", "CA"), ("USA", .country, "United States", "US"),
        ("U.K.", .country, "United Kingdom", "GB"), ("Bavaria", .region, "Bavaria", "DE"),
        ("Bayern, Deutschland", .region, "Bavaria", "DE"), ("Georgia", .country, "Georgia", "GE"),
        ("Georgia, USA", .region, "Georgia", "US"), ("FI", .country, "Finland", "FI"),
        ("st johns newfoundland and labrador", .town, "St. John's", "CA"), ("الرياض", .town, "Riyadh", "SA"),
        ("Нью-Йорк", .town, "New York City", "US"), ("서울", .town, "Seoul", "KR"), ("टोक्यो", .town, "Tokyo", "JP"),
        ("LA", .town, "Los Angeles", "US"), ("la", .town, "Los Angeles", "US"), ("DE", .country, "Germany", "DE"),
        ("England", .region, "England", "GB"), ("england uk", .region, "England", "GB"),
        ("Scotland", .region, "Scotland", "GB"), ("Great Britain", .country, "United Kingdom", "GB"),
        ("Holland", .country, "The Netherlands", "NL"), ("US", .country, "United States", "US"),
        ("Kreuzberg, Berlin", .town, "Kreuzberg", "DE"), ("\u{0}Oslo\u{7}", .town, "Oslo", "NO"),
    ]

    @Test("names are found whatever their language, order, case and marks, with what they lie in")
    func names() async throws {
        try await Self.run { service async throws in
            for (text, kind, name, country) in Self.examples {
                let first = try #require(try await Self.ask(service, text).first, "\(text)")
                #expect(first.kind == kind && first.name == name && first.countryCode == country, "\(text): \(first)")
                #expect(first.changedLetters == 0, "\(text)")
            }
        }
    }

    @Test("A9 the box of a country holds all of its towns")
    func boxes() throws {
        let gazetteer = try BundledGazetteer.open()
        var outside: [String] = []
        for index in 0..<UInt32(gazetteer.count) {
            guard let town = gazetteer.record(index), town.kind == .town else { continue }
            for whole in [town.country, town.region] where whole != GazetteerRecord.noRegion {
                guard let box = gazetteer.extent(UInt32(whole)), !box.contains(town.position) else { continue }
                outside.append("\(gazetteer.text(town.name)) \(town.position)")
            }
        }
        #expect(outside.isEmpty, "\(outside.count): \(outside.prefix(10))")
    }

    @Test("a match has position, box, people, place and who must be named")
    func facts() async throws {
        try await Self.run { service async throws in
            let matches = try await Self.ask(service, "Helsinki") { $0.limit = 1 }
            let town = try #require(matches.first)
            #expect(matches.count == 1 && town.placeId == "catalog/towns/658225" && town.population > 500_000)
            #expect(town.region == "Uusimaa" && town.country == "Finland")
            #expect(town.attribution == "GeoNames, CC BY 4.0" && town.licence == "CC-BY-4.0")
            let position = try Geo.Coordinate(town.position, field: "position")
            let box = try #require(town.box)
            #expect(try #require(box.southWest).latitude < position.latitude)
            #expect(try #require(box.northEast).longitude > position.longitude)
            let fiji = try #require(try await Self.ask(service, "Fidži").first)
            let corners = (try #require(fiji.box?.southWest), try #require(fiji.box?.northEast))
            #expect(corners.0.longitude > 170 && corners.1.longitude < -170 && fiji.region.isEmpty)
            #expect(fiji.attribution.contains("Unicode CLDR"))
        }
    }

    @Test(
        "small mistakes are mended when nothing has the very name",
        arguments: [
            ("Helsnki", "Helsinki", 1), ("San Francicso", "San Francisco", 1), ("Seattle, Washingtn", "Seattle", 1),
            ("Massachussets", "Massachusetts", 2), ("Phillipines", "Philippines", 2), ("Germny", "Germany", 1),
        ])
    func mistakes(text: String, name: String, changes: UInt32) async throws {
        try await Self.run { service async throws in
            let first = try #require(try await Self.ask(service, text).first)
            #expect(first.name == name && first.changedLetters <= changes && first.changedLetters > 0)
        }
    }

    @Test("nothing found, no text and too much of it are told apart")
    func refusals() async throws {
        try await Self.run { service async throws in
            func code(_ text: String, _ change: (inout GeocodeRequest) -> Void = { _ in }) async throws -> RPCCode {
                var request = GeocodeRequest(text: text)
                change(&request)
                return try await service.refusal { try await $0.geocode(request, TestService.soon) }.code
            }
            for text in [
                "Nowhereville Xyz", "'; DROP TABLE city;--", "%", "🗼", "37.77,-122.42", "it",
                "Paris, Costa Rica", "x 0", "0 0 0 0", String(repeating: "Paris ", count: 100),
            ] {
                #expect(try await code(text) == .notFound, "\(text)")
            }
            for text in ["", "  \n\t ", "\u{3000}", String(repeating: ",", count: 10_000)] {
                #expect(try await code(text) == .invalidArgument, "\(text.prefix(20))")
            }
            #expect(try await code("Oslo") { $0.limit = 51 } == .invalidArgument)
            #expect(try await code("Oslo") { $0.countryCodes = ["NOR"] } == .invalidArgument)
            #expect(
                try await code("Oslo") { $0.bias = BaseContracts.Coordinate(latitude: 91, longitude: 0) }
                    == .invalidArgument)
            #expect(try await code("Oslo") { $0.countryCodes = ["SE"] } == .notFound)
        }
        try await TestService.run { service async throws in
            let error = try await service.refusal {
                try await $0.geocode(GeocodeRequest(text: "Oslo"), TestService.soon)
            }
            #expect(error.code == .failedPrecondition)
        }
    }

    @Test("a point that is near, and a choice of countries, decide between equal names")
    func wishes() async throws {
        try await Self.run { service async throws in
            let near = try await Self.ask(service, "Springfield") {
                $0.bias = BaseContracts.Coordinate(latitude: 39.8, longitude: -89.6)
            }
            #expect(near.first?.region == "Illinois")
            let british = try await Self.ask(service, "Boston") { $0.countryCodes = ["gb"] }
            #expect(british.first?.region == "England" && british.allSatisfy { $0.countryCode == "GB" })
        }
    }
}
