import PlaceContracts
import Networks
import RPC
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P50 One box that finds anything")
struct FindTests {
    /// The centre of Helsinki.
    static let centre = Coordinate(latitude: 60.1699, longitude: 24.9384)

    /// A service with the bundled data.
    static func run(_ body: (TestService) async throws -> Void) async throws {
        let sources = Geocoder.Sources(
            gazetteer: try BundledGazetteer.open(), addresses: try StreetAddresses(bundledIn: BundledDataTests.folder),
            kinds: try KindTable(bundledIn: BundledDataTests.folder))
        let geocoder = Geocoder(sources, names: try BundledGazetteer.names())
        try await TestService.run(geocoder: geocoder) { service in
            await BundledDataTests.install(in: service)
            await geocoder.prepare(service.handler.catalog.view, service.handler.blocking)
            try await body(service)
        }
    }

    static func find(
        _ service: TestService, _ text: String, near: Coordinate? = nil, limit: UInt32? = nil
    ) async throws -> [FindResult] {
        try await service.client.find(FindRequest(text: text, near: near, limit: limit), TestService.soon).results
    }

    @Test("places, addresses, streets, towns, regions, countries and airports are found, each with what it is")
    func kinds() async throws {
        try await Self.run { service async throws in
            for (text, kind, name, context) in [
                ("Amos Rex", FindKind.place, "Amos Rex", "Helsinki"), ("amos re", .place, "Amos Rex", "Helsinki"),
                ("Kauppatori", .place, "Kauppatori", "Finland"), ("salutorget", .place, "Kauppatori", "Finland"),
                ("Oodi", .place, "Helsingin keskustakirjasto Oodi", "Helsinki"),
                ("Mannerheimintie", .street, "Mannerheimintie", "Helsinki"),
                ("mannerheimintie 20", .address, "Mannerheimintie 20", "Helsinki"),
                ("JFK", .place, "John F Kennedy International Airport", "United States"),
                ("EFHK", .place, "Helsinki Vantaa Airport", "Finland"),
                ("London Heathro", .place, "London Heathrow Airport", "United Kingdom"),
                ("Helsin", .town, "Helsinki", "Finland"), ("Suom", .country, "Finland", ""),
                ("Paris, Texas", .town, "Paris", "Texas, United States"), ("とうきょう", .region, "Tokyo", "Japan"),
                ("ワシントン", .town, "Washington", "United States"), ("Uusima", .region, "Uusimaa", "Finland"),
                ("Costa Ri", .country, "Costa Rica", ""), ("New Yor", .town, "New York City", "United States"),
            ] {
                let results = try await Self.find(service, text, near: Self.centre)
                let first = try #require(results.first, "\(text)")
                #expect(
                    first.kind == kind && first.name == name && first.context.contains(context),
                    "\(text): \(first.kind) \(first.name), \(first.context)")
                #expect(first.position != nil && first.box != nil && !first.attribution.isEmpty)
                #expect(first.distanceM != nil)
            }
        }
    }

    @Test("airports are found by what people call them, and places by their names in other languages")
    func calledSo() async throws {
        try await Self.run { service async throws in
            try await service.load(
                "id\tname\tcategories\tlat\tlon\tname:en\tname:ja\twikidata\n"
                    + "1\tTour Eiffel\ttourism/attraction\t48.85826\t2.2945\tEiffel Tower\tエッフェル塔\tQ243\n"
                    + "2\tWashington Monument\thistoric/monument\t38.88947\t-77.03524\t\tワシントン記念塔\tQ178114\n",
                into: "sights")
            for (text, near, name) in [
                ("Heathrow", Self.centre, "London Heathrow Airport"), ("Heathrow", nil, "London Heathrow Airport"),
                ("heathro", Coordinate(latitude: 51.5, longitude: -0.1), "London Heathrow Airport"),
                ("Gatwick", Self.centre, "London Gatwick Airport"), ("LHR", Self.centre, "London Heathrow Airport"),
                ("Eiffel Tower", Self.centre, "Tour Eiffel"), ("eiffel tow", nil, "Tour Eiffel"),
                ("エッフェル塔", nil, "Tour Eiffel"), ("記念塔", nil, "Washington Monument"),
                ("ワシントン記念", Self.centre, "Washington Monument"), ("とうきょう", nil, "Tokyo"),
            ] as [(String, Coordinate?, String)] {
                let results = try await Self.find(service, text, near: near)
                #expect(results.first?.name == name, "\(text): \(results.map { "\($0.name), \($0.context)" })")
            }
            let inside = try await Self.find(service, "ワシントン", limit: 50)
            #expect(inside.contains { $0.name == "Washington Monument" }, "\(inside.map(\.name))")
        }
    }

    @Test("coordinates, plus codes and links are points, with the town around them")
    func points() async throws {
        try await Self.run { service async throws in
            for text in [
                "60.1699, 24.9384", "geo:60.1699,24.9384", "60°10'11.64\"N 24°56'18.24\"E",
                "https://www.openstreetmap.org/#map=17/60.1699/24.9384",
                "https://www.google.com/maps/@60.1699,24.9384,15z", "60.1699 24.9384", "60,1699; 24,9384",
                "https://www.openstreetmap.org/?mlat=60.1699&mlon=24.9384", "N60.1699 E24.9384",
                "geo:60.1699,24.9384?z=17", "https://maps.apple.com/?ll=60.1699,24.9384",
            ] {
                let results = try await Self.find(service, text)
                #expect(results.count == 1 && results.first?.kind == .coordinates, "\(text)")
                #expect(results.first?.position == Self.centre && results.first?.name == "60.1699, 24.9384")
                #expect(results.first?.context.contains("Finland") == true, "\(results)")
                #expect(results.first?.distanceM == nil)
            }
            let marks = "https://www.bing.com/maps?cp=1~2&sp=point.60.1699_24.9384_Cafe~point.60.2_24.8_Bar"
            let both = try await Self.find(service, marks)
            #expect(both.map(\.name) == ["60.1699, 24.9384", "60.2, 24.8"])
            #expect(both.allSatisfy { $0.kind == .coordinates })
            let code = try await Self.find(service, "5W9Q+X9 Helsinki")
            #expect(code.first?.kind == .coordinates && code.first?.context.contains("Finland") == true, "\(code)")
        }
    }

    @Test("places are found by their category, the nearest first, also near something else")
    func categories() async throws {
        try await Self.run { service async throws in
            let cafes = try await Self.find(service, "cafe", near: Self.centre)
            #expect(cafes.count == 10)
            #expect(cafes.allSatisfy { $0.distanceM ?? .infinity < 3_000 }, "\(cafes)")
            for text in ["cafe near Kamppi", "cafes near the Kamppi", "museum in Helsinki", "fast food Helsinki"] {
                let results = try await Self.find(service, text)
                let word = text.hasPrefix("cafe") ? "cafe" : text.hasPrefix("museum") ? "museum" : "fast_food"
                #expect(results.count >= 5, "\(text)")
                #expect(
                    results.allSatisfy { result in
                        result.categories.contains { $0.hasSuffix(word) } || result.name.lowercased().contains(word)
                    }, "\(text): \(results.map(\.name))")
            }
            let named = try await Self.find(service, "Amos Rex, Helsinki")
            #expect(named.first?.name == "Amos Rex")
            #expect(try await Self.find(service, "Amos Rex, Tampere").allSatisfy { $0.name != "Amos Rex" })
        }
    }

    @Test("what is near the map's centre goes first, and then what is better known")
    func nearness() async throws {
        try await Self.run { service async throws in
            let paris = Coordinate(latitude: 33.66, longitude: -95.55)
            #expect(try await Self.find(service, "Paris").first?.context.contains("France") == true)
            #expect(try await Self.find(service, "Paris", near: paris).first?.context.contains("Texas") == true)
            let squares = try await Self.find(service, "Kauppatori", near: Self.centre)
            #expect(squares.first?.categories.contains("tourism/attraction") == true, "no stop of the tram: \(squares)")
        }
    }

    @Test("typing mistakes are mended where hardly anything has the word, and texts that name nothing find nothing")
    func mistakes() async throws {
        try await Self.run { service async throws in
            for (text, name) in [("Amos Rexx", "Amos Rex"), ("Kauppattori", "Kauppatori"), ("Pariss", "Paris")] {
                let results = try await Self.find(service, text, near: Self.centre)
                #expect(results.first?.name == name, "\(text): \(results.map(\.name))")
            }
            for text in ["qwertzuiop", "xkcd zzyzx qqq", "!!!", "zzzzzzzzzzzz 99", "🙂", "'; DROP TABLE pins; --"] {
                #expect(try await Self.find(service, text, near: Self.centre).isEmpty, "\(text)")
            }
        }
    }

    @Test("what live networks have found is found by its name, and is gone when they take it back")
    func discovered() async throws {
        try await Self.run { service async throws in
            let place = try #require(
                FoundPlace(id: "9", name: "Zirkusplatz Quellental", latitude: 60.2, longitude: 25))
            try await service.index.upsert([place], network: .foursquare, seen: 1)
            let results = try await Self.find(service, "quellental")
            #expect(results.map(\.placeId) == ["foursquare/9"])
            try await service.load("id\tname\tlat\tlon\n1\tZirkusplatz Kronental\t60.3\t25\n", into: "mine")
            #expect(try await Self.find(service, "zirkusplatz").count == 2)
            _ = try await service.client.deleteDataset(DeleteDatasetRequest(name: "mine"), TestService.soon)
            #expect(try await Self.find(service, "zirkusplatz").map(\.placeId) == ["foursquare/9"])
        }
    }

    /// Texts that mean nothing good, and are none of those that are refused.
    private static let strange: [String] = [
        String(repeating: "a ", count: 1_000), String(repeating: "é", count: 2_000),
        String(repeating: "東", count: 2_000),
        "\u{0}\u{1}\u{7f}", "\u{202E}oediv", "e" + String(repeating: "\u{0301}", count: 1_999),
        String(repeating: "1", count: 2_000), String(repeating: "(", count: 2_000),
        String(repeating: "near ", count: 15),
        String(repeating: "%", count: 2_000), String(repeating: "1 ", count: 16),
        String(repeating: "1a and ", count: 5),
        String(repeating: "& ", count: 900), String(repeating: "#", count: 2_000), String(repeating: "👩‍👩‍👧‍👦", count: 250),
        "'; DROP TABLE places; --", "\" OR 1=1", "مرحبا \u{200F}\u{2067}123", "\u{FEFF}\u{FFFE}\u{FFFF}", "\u{10FFFF}",
        String(repeating: "qzx", count: 600), "geo:" + String(repeating: "9", count: 1_900), "0x7fffffffffffffff 1e999",
        "-91, 181", "nan, inf", "https://" + String(repeating: "@", count: 1_900), "1-999999999999999999999 Street",
    ]

    @Test("strange texts give an answer or one clear error, none keeps a loop or the others waiting")
    func strangeTexts() async throws {
        try await Self.run { service async throws in
            for text in Self.strange {
                for near in [nil, Self.centre] {
                    do {
                        _ = try await Self.find(service, text, near: near)
                    } catch let error as RPCError {
                        #expect(error.code == .invalidArgument && error.message.hasPrefix("text"), "\(text.prefix(40))")
                    }
                }
            }
        }
    }

    @Test("bytes that are no text, as half a surrogate, are one clear error")
    func noText() async throws {
        try await TestService.run { service async throws in
            for bytes in [[0xed, 0xa0, 0x80], [0xff], [0xc0, 0xaf], [0x61, 0xe2, 0x82]] as [[UInt8]] {
                let request = [0x0a, UInt8(bytes.count)] + bytes
                let error = await #expect(throws: RPCError.self) {
                    _ = try await service.rpc.unaryBytes(PlacesServiceMethods.find, request, TestService.soon)
                }
                #expect(error?.code == .invalidArgument, "\(error as Any)")
            }
        }
    }

    @Test("bad input is refused with the field, or finds nothing, in time")
    func refused() async throws {
        try await TestService.run { service async throws in
            for (request, field) in [
                (FindRequest(text: ""), "text"), (FindRequest(text: " \n\t"), "text"),
                (FindRequest(text: String(repeating: "a", count: 2_001)), "text"),
                (FindRequest(text: String(repeating: "word ", count: 10_000)), "text"),
                (FindRequest(text: String(repeating: "\u{0301}", count: 1 << 20)), "text"),
                (FindRequest(text: "a", near: Coordinate(latitude: 91, longitude: 0)), "near.latitude"),
                (FindRequest(text: "a", limit: 0), "limit"), (FindRequest(text: "a", limit: 51), "limit"),
            ] {
                let error = try await service.refusal { try await $0.find(request, TestService.soon) }
                #expect(
                    error.code == .invalidArgument && error.message.hasPrefix(field), "\(error.message.prefix(200))")
            }
            for text in [
                String(repeating: "a ", count: 1_000), String(repeating: "é", count: 2_000),
                String(repeating: "東", count: 2_000), "\u{0}\u{1}\u{7f}", "\u{202E}oediv", "e\u{0301}\u{0301}\u{0301}",
                String(repeating: "1", count: 2_000), String(repeating: "(", count: 2_000),
                String(repeating: "near ", count: 15), String(repeating: "%", count: 2_000),
            ] {
                #expect(try await Self.find(service, text).isEmpty, "\(text.prefix(40))")
            }
        }
    }
}
