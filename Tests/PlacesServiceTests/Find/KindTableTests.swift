import PlaceContracts
import Testing
import Texts

@testable import PlacesService

@Suite("W2 P50 Words for kinds of places")
struct KindTableTests {
    private static let near = Coordinate(latitude: 60.1699, longitude: 24.9384)

    /// Places around the centre of Helsinki, and one far away whose name begins as a kind is called.
    private static let places =
        "id\tname\tcategories\tlat\tlon\tcuisine\n" + "1\tAlfa\tamenity/cafe\t60.171\t24.9384\t\n"
        + "2\tBeta\tamenity/fuel\t60.172\t24.9384\t\n" + "3\tGamma\tamenity/pharmacy\t60.173\t24.9384\t\n"
        + "4\tDelta\tamenity/pub\t60.174\t24.9384\t\n" + "5\tEpsilon\tshop/bakery\t60.175\t24.9384\t\n"
        + "6\tZeta\tamenity/restaurant\t60.1701\t24.9384\titalian;pizza\n"
        + "7\tEta\tamenity/restaurant\t60.17\t24.9384\tfish\n" + "8\tZirkusplatz\tplace/quarter\t60.19\t24.93\t\n"
        + "9\tTheta\tamenity/cafe\t60.1902\t24.93\t\n" + "10\tIota\tamenity/toilets\t60.176\t24.9384\t\n"
        + "11\tCoffeeville\tplace/town\t33.9765\t-89.6754\t\n"
        + "12\tRobert's Coffee\tshop/tea\t60.1702\t24.9384\t\n"
        + "13\tRoberts Coffee\tshop/tea\t60.1714\t24.9384\t\n"
        + "14\tRoberts International Airport\taeroway/aerodrome\t6.2338\t-10.3623\t\n"

    private static func run(
        _ places: String = places, _ body: (TestService) async throws -> Void
    ) async throws {
        let sources = Geocoder.Sources(
            gazetteer: try BundledGazetteer.open(), addresses: try BundledGazetteer.addresses(),
            kinds: try KindTable(bundledIn: BundledDataTests.folder))
        let geocoder = Geocoder(sources, names: try BundledGazetteer.names())
        try await TestService.run(geocoder: geocoder) { service async throws in
            try await service.load(places)
            await geocoder.prepare(service.handler.catalog.view, service.handler.blocking)
            try await body(service)
        }
    }

    private static func first(_ service: TestService, _ text: String) async throws -> String? {
        try await FindTests.find(service, text, near: near).first?.name
    }

    @Test("give the nearest place of the kind, in many languages and as signs, before names far away that begin so")
    func words() async throws {
        try await Self.run { service async throws in
            for (name, texts) in [
                (
                    "Alfa",
                    [
                        "coffee", "Coffee shops", "cafés", "Kaffee", "kahvila", "kawiarnie", "кафе", "カフェ", "咖啡", "☕",
                        "☕️",
                    ]
                ),
                (
                    "Beta",
                    ["gas station", "Tankstelle", "gasolineras", "huoltoasema", "заправка", "⛽", "benzinaio", "tankst"]
                ),
                ("Gamma", ["drugstore", "Apotheke", "la farmacia", "lékárna", "apteekki", "薬局", "药店", "pharmac"]),
                ("Delta", ["pubs", "Kneipe", "🍺", "пивная"]),
                ("Epsilon", ["boulangerie", "bakery", "die Bäckerei", "パン屋", "panaderías"]),
                ("Zeta", ["pizza", "pizzeria", "🍕"]), ("Iota", ["wc", "toilettes", "vessa", "🚻"]),
            ] {
                for text in texts { #expect(try await Self.first(service, text) == name, "\(text)") }
            }
        }
    }

    @Test("are found beside what people write around them")
    func around() async throws {
        try await Self.run { service async throws in
            for (name, texts) in [
                (
                    "Gamma",
                    [
                        "nearest pharmacy", "pharmacy near me", "Apotheke in der Nähe", "die nächste Apotheke",
                        "pharmacie à proximité", "farmacia más cercana", "farmacia vicino a me", "lähin apteekki",
                        "närmaste apotek", "najbliższa apteka", "ближайшая аптека", "近くの薬局", "附近的药店", "open pharmacy",
                        "pharmacy open now", "where is the nearest pharmacy",
                    ]
                ),
                ("Delta", ["pubs near me", "closest pub", "Kneipe in der Nähe"]), ("Alfa", ["☕ nearby"]),
            ] {
                for text in texts { #expect(try await Self.first(service, text) == name, "\(text)") }
            }
        }
    }

    @Test("of which there is none name nothing far away that only has the word among others, or nearly")
    func none() async throws {
        let without = Self.places.replacing("\tamenity/toilets\t", with: "\tamenity/bench\t")
        try await Self.run(without) { service async throws in
            for text in ["wc", "toilet", "WC near me"] {
                let found = try await FindTests.find(service, text, near: Self.near)
                #expect(found.isEmpty, "\(text): \(found.map(\.name))")
            }
            let begun = try await FindTests.find(service, "bar", near: Self.near, limit: 50)
            #expect(begun.contains { $0.name == "Barcelona" })
        }
    }

    @Test("are no part of a name by which something nearby is known")
    func besides() async throws {
        try await Self.run { service async throws in
            let named = try await FindTests.find(service, "Roberts", near: Self.near).prefix(2).map(\.name)
            #expect(Set(named) == ["Robert's Coffee", "Roberts Coffee"])
            #expect(try await Self.first(service, "Helsinki") == "Helsinki")
        }
    }

    @Test("give places of the kind where the text says, also while that is typed")
    func areas() async throws {
        try await Self.run { service async throws in
            for text in [
                "cafe near Zirkusplatz", "coffee near Zirkusplatz", "cafe near zirk", "Café bei Zirkusplatz",
                "kahvila lähellä Zirkusplatz",
                "café près de Zirkusplatz", "coffe near zirkusp",
            ] {
                #expect(try await Self.first(service, text) == "Theta", "\(text)")
            }
            let helsinki = try await FindTests.find(service, "coffee in Helsinki")
            #expect(Set(helsinki.prefix(2).map(\.name)) == ["Alfa", "Theta"])
        }
    }

    @Test("leave names that are only written beside them, and texts that are nothing but such words")
    func names() throws {
        let kinds = try KindTable(bundledIn: BundledDataTests.folder)
        func rest(_ text: String) -> String {
            String(decoding: kinds.withoutNear(FoldedText(text).bytes), as: UTF8.self)
        }
        #expect(rest("Nearest") == "nearest" && rest("near me") == "near me" && rest("Openhagen") == "openhagen")
        #expect(rest("the nearest pharmacy open now") == "pharmacy" && rest("nearest pharmacy") == "pharmacy")
        #expect(kinds.kinds(of: FoldedText("the pub").bytes).isWhole)
        #expect(!kinds.kinds(of: FoldedText("apothek").bytes).isWhole)
        #expect(kinds.kinds(of: FoldedText("qwertz").bytes).kinds.isEmpty)
        #expect(kinds.spelled("a 🙂 b") == "a 🙂 b")
    }
}
