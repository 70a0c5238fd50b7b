import PlaceContracts
import TestTools
import Testing

@testable import PlacesService

@Suite("P15 Addresses as people write them")
struct SpelledAddressTests {
    /// A street as an address has it, and as people write it.
    private static let streets: [(language: String, street: String, written: [String])] = [
        ("English", "Canal Street", ["canal st", "Canal St.", "CANAL STR"]),
        ("English", "5th Ave", ["Fifth Avenue", "5th Av.", "fifth ave"]),
        ("English", "North Saint Andrews Road", ["N St Andrews Rd", "N. Saint Andrews Rd."]),
        ("English", "SW Harbor Blvd", ["Southwest Harbor Boulevard"]),
        ("German", "Hauptstraße", ["Hauptstr.", "Hauptstrasse", "hauptstr", "Haupt Straße"]),
        ("German", "Alexanderplatz", ["Alexanderpl."]),
        ("French", "Rue de la Paix", ["R. de la Paix", "rue de la paix"]),
        ("French", "Boulevard Saint-Michel", ["Bd St Michel", "Boul. St-Michel"]),
        ("Spanish", "Calle Mayor", ["C. Mayor", "C/ Mayor", "Cl Mayor"]),
        ("Spanish", "Avenida de América", ["Av. de America", "Avda. de América"]),
        ("Portuguese", "Rua Augusta", ["R. Augusta"]),
        ("Italian", "Viale Europa", ["V.le Europa", "Vle Europa"]),
        ("Dutch", "Kerkstraat", ["Kerkstr."]),
        ("Swedish", "Storgatan", ["Storg."]),
        ("Danish", "Vestergade", ["Vesterg."]),
        ("Norwegian", "Kirkeveien", ["Kirkev.", "Kirkevegen"]),
        ("Finnish", "Aleksanterinkatu", ["Aleksanterink."]),
        ("Polish", "ulica Długa", ["ul. Długa", "Ul Dluga"]),
        ("Czech", "Náměstí Míru", ["nám. Míru"]),
        ("Turkish", "İstiklal Caddesi", ["Istiklal Cad.", "istiklal cd"]),
        ("Romanian", "Strada Florilor", ["Str. Florilor"]),
        ("Catalan", "Carrer de Balmes", ["C. de Balmes"]),
        ("Hungarian", "Váci utca", ["Váci u.", "Vaci u"]),
        ("Russian", "улица Ленина", ["ул. Ленина"]),
        ("Ukrainian", "вулиця Хрещатик", ["вул. Хрещатик"]),
        ("Greek", "Λεωφόρος Αθηνών", ["Λεωφ. Αθηνών"]),
        ("Croatian", "Ulica kralja Zvonimira", ["Ul. kralja Zvonimira"]),
        ("Estonian", "Pikk tänav", ["Pikk tn"]),
    ]

    private static let towns =
        "id\tname\tcategories\tlat\tlon\tcountry\tcountry_name\tregion\n"
        + "658225\tHelsinki\tplace/city\t60.16952\t24.93545\tFI\tFinland\tUusimaa\n"
        + "4164138\tMiami\tplace/city\t25.77427\t-80.19366\tUS\tUnited States\tFlorida\n"

    private static func run(_ rows: String, _ body: (TestService) async throws -> Void) async throws {
        let sources = Geocoder.Sources(
            gazetteer: try BundledGazetteer.open(), addresses: try BundledGazetteer.addresses())
        try await TestService.run(geocoder: Geocoder(sources)) { service in
            try await service.load(towns, into: "towns")
            try await service.load(
                "id\tname\tlat\tlon\taddr:street\taddr:housenumber\taddr:postcode\taddr:city\n" + rows, into: "houses")
            try await body(service)
        }
    }

    private static func names(_ service: TestService, _ text: String) async throws -> [String] {
        let answer = try? await service.client.geocode(GeocodeRequest(text: text), TestService.soon)
        return answer?.matches.map(\.name) ?? []
    }

    @Test("are found whether their words are shortened or not, with the number before or behind, in 20 languages")
    func shortened() async throws {
        let rows = Self.streets.enumerated().map { index, row in
            "\(index)\tHouse\t60.2\t24.\(index + 10)\t\(row.street)\t7\t\t\n"
        }
        #expect(Set(Self.streets.map(\.language)).count >= 20)
        try await Self.run(rows.joined()) { service async throws in
            for (language, street, written) in Self.streets {
                for text in [street] + written {
                    for address in ["\(text) 7", "7 \(text)", "\(text), 7".uppercased()] {
                        let names = try await Self.names(service, address)
                        #expect(names.first == "\(street) 7", "\(language): \(address) finds \(names)")
                    }
                }
            }
        }
    }

    @Test("A6 a range of numbers is found by the range, by both ends, and as one end where only that is known")
    func ranges() async throws {
        let rows =
            "1\tA\t60.16\t24.93\tMannerheimintie\t14-20\t\tHelsinki\n2\tB\t60.17\t24.93\tBulevardi\t22\t\tHelsinki\n"
        try await Self.run(rows) { service async throws in
            for text in ["Mannerheimintie 14-20, Helsinki", "Mannerheimintie 14–20", "14-20 Mannerheimintie"] {
                #expect(try await Self.names(service, text).first == "Mannerheimintie 14-20", "\(text)")
            }
            #expect(try await Self.names(service, "Mannerheimintie 20").first == "Mannerheimintie 14-20")
            #expect(try await Self.names(service, "Bulevardi 22-24, Helsinki").first == "Bulevardi 22")
            #expect(try await Self.names(service, "Bulevardi 26-28").isEmpty)
        }
    }

    @Test("A16 are shown in the order of their country")
    func order() async throws {
        let rows =
            "1\tA\t25.775\t-80.19\tCanal St\t1\t33132\tMiami\n2\tB\t60.17\t24.93\tBulevardi\t22\t00120\tHelsinki\n"
        try await Self.run(rows) { service async throws in
            #expect(try await Self.names(service, "1 Canal Street") == ["1 Canal St"])
            #expect(try await Self.names(service, "22 Bulevardi") == ["Bulevardi 22"])
            let found = try await FindTests.find(service, "canal street 1")
            #expect(found.first?.name == "1 Canal St" && found.first?.kind == .address, "\(found)")
            #expect(found.first?.context == "33132 Miami, United States", "\(found)")
        }
    }

    @Test("are found without the part of the house that is named behind them, in several ways")
    func units() async throws {
        let rows =
            "1\tA\t60.17\t24.93\tMannerheimintie\t5\t00100\tHelsinki\n"
            + "2\tB\t60.171\t24.93\tMannerheimintie\t5 A\t00100\tHelsinki\n"
            + "3\tC\t25.77\t-80.19\t5th Ave\t350\t33132\tMiami\n"
        try await Self.run(rows) { service async throws in
            for (text, name) in [
                ("Mannerheimintie 5 A 12", "Mannerheimintie 5 A"), ("Mannerheimintie 5 B 12", "Mannerheimintie 5"),
                ("Mannerheimintie 5 as 12, Helsinki", "Mannerheimintie 5"), ("350 5th Ave Apt 4, Miami", "350 5th Ave"),
                ("350 5th Ave #12", "350 5th Ave"), ("350 Fifth Avenue, Suite 3300, Miami", "350 5th Ave"),
                ("#12, 350 5th Ave", "350 5th Ave"), ("350 5th Ave, 2nd floor", "350 5th Ave"),
                ("Mannerheimintie 5", "Mannerheimintie 5"), ("Mannerheimintie 5a", "Mannerheimintie 5 A"),
            ] {
                #expect(try await Self.names(service, text).first == name, "\(text)")
                #expect(try await FindTests.find(service, text).first?.name == name, "\(text)")
            }
            #expect(try await Self.names(service, "Mannerheimintie 5 spaceship 12").isEmpty)
        }
    }

    @Test("P50 A6 the houses within a range of numbers are found as it, and no district that is called as a number")
    func insideRanges() async throws {
        let rows = "1\tA\t60.16\t24.93\tMannerheimintie\t14-20\t\tHelsinki\n"
        try await Self.run(rows) { service async throws in
            for text in ["Mannerheimintie 16", "18 Mannerheimintie, Helsinki"] {
                #expect(try await Self.names(service, text).first == "Mannerheimintie 14-20", "\(text)")
            }
            #expect(try await Self.names(service, "Mannerheimintie 17").isEmpty)
            for text in ["Mannerheimintie 14-20, Helsinki", "Mannerheimintie 14-20"] {
                let first = try await FindTests.find(service, text).first
                #expect(first?.kind == .address && first?.name == "Mannerheimintie 14-20", "\(text): \(first as Any)")
            }
        }
    }

    @Test("P50 the crossing of two streets is found between their nearest houses")
    func crossings() async throws {
        let rows =
            "1\tA\t60.1680\t24.9410\tMannerheimintie\t1\t00100\tHelsinki\n"
            + "2\tB\t60.1690\t24.9390\tMannerheimintie\t9\t00100\tHelsinki\n"
            + "3\tC\t60.1684\t24.9414\tAleksanterinkatu\t52\t00100\tHelsinki\n"
            + "4\tD\t25.7740\t-80.1900\t5th Ave\t350\t33132\tMiami\n"
            + "5\tE\t25.7744\t-80.1904\tE 42nd St\t11\t33132\tMiami\n"
            + "6\tF\t60.2680\t24.9410\tKaukatie\t1\t00100\tHelsinki\n"
        try await Self.run(rows) { service async throws in
            for (text, name) in [
                ("Mannerheimintie & Aleksanterinkatu", "Mannerheimintie & Aleksanterinkatu"),
                ("aleksanterinkatu ja mannerheimintie, Helsinki", "Aleksanterinkatu & Mannerheimintie"),
                ("5th Ave and E 42nd St", "5th Ave & E 42nd St"),
                ("Fifth Avenue / East 42nd Street", "5th Ave & E 42nd St"),
                ("corner of 5th Ave and E 42nd St, Miami", "5th Ave & E 42nd St"),
                ("E 42nd St @ 5th Ave", "E 42nd St & 5th Ave"),
            ] {
                let first = try await FindTests.find(service, text).first
                #expect(first?.kind == .intersection && first?.name == name, "\(text): \(first as Any)")
            }
            let first = try #require(try await FindTests.find(service, "Mannerheimintie & Aleksanterinkatu").first)
            #expect(first.position == Coordinate(latitude: 60.1682, longitude: 24.9412))
            #expect(first.context == "Helsinki, Finland")
            for text in ["Mannerheimintie & Kaukatie", "Mannerheimintie & Nowhere", "salt & pepper", "& & &"] {
                #expect(try await FindTests.find(service, text).allSatisfy { $0.kind != .intersection }, "\(text)")
            }
        }
    }

    @Test("P50 streets are found with typing mistakes and before they are typed to their end, with the number")
    func mistyped() async throws {
        let rows =
            "1\tA\t60.16\t24.93\tMannerheimintie\t20\t\tHelsinki\n2\tB\t60.17\t24.93\tBulevardi\t22\t\tHelsinki\n"
        try await Self.run(rows) { service async throws in
            for text in ["Manerheimintie 20", "Mannerhiemintie 20, Helsinki", "20 Mannerheimintiie", "Mannerhei 20"] {
                #expect(try await FindTests.find(service, text).first?.name == "Mannerheimintie 20", "\(text)")
            }
            for text in ["Manerheimintie 21", "Bulevardi 23", "Bulxxbardi 22"] {
                #expect(try await FindTests.find(service, text).allSatisfy { $0.kind != .address }, "\(text)")
            }
        }
    }

    @Test("P50 postcodes are found with their town before or behind them, and alone")
    func postcodes() async throws {
        let rows =
            "1\tA\t48.860\t2.336\tRue de Rivoli\t1\t75001\tParis\n2\tB\t45.75\t4.85\tRue Garibaldi\t2\t69003\tLyon\n"
            + "3\tC\t52.53\t13.38\tInvalidenstraße\t3\t10115\tBerlin\n"
            + "4\tD\t51.501\t-0.14\tBuckingham Gate\t4\tSW1A 1AA\tLondon\n"
        try await Self.run(rows) { service async throws in
            for (text, name) in [
                ("75001 Paris", "75001"), ("Lyon 69003", "69003"), ("10115 Berlin", "10115"), ("10115", "10115"),
                ("69003 lyon", "69003"), ("SW1A 1AA", "SW1A 1AA"), ("sw1a 1aa london", "SW1A 1AA"),
            ] {
                let first = try await FindTests.find(service, text).first
                #expect(first?.kind == .postcode && first?.name == name, "\(text): \(first as Any)")
            }
        }
    }

    @Test("P50 their streets and postcodes are found by themselves")
    func parts() async throws {
        let rows =
            "1\tA\t25.775\t-80.19\tCanal St\t1\t33132\tMiami\n2\tB\t25.776\t-80.19\tCanal St\t2\t33132\tMiami\n"
        try await Self.run(rows) { service async throws in
            let streets = try await FindTests.find(service, "canal s").filter { $0.kind == .street }
            #expect(streets.map(\.name) == ["Canal St"], "\(streets)")
            for text in ["33132", "33132 Miami", "Miami 33132"] {
                let postcode = try await FindTests.find(service, text)
                #expect(postcode.first?.name == "33132" && postcode.first?.kind == .postcode, "\(text): \(postcode)")
                #expect(postcode.first?.context == "Miami, United States", "\(postcode)")
            }
        }
    }

    @Test("A11 a town whose last letter is typed twice is found, and a longer word is not")
    func doubled() throws {
        let gazetteer = try BundledGazetteer.open()
        func first(_ text: String) -> String? {
            let question = GeocodeQuestion(words: QueryWords(text), limit: 1)
            return GazetteerSearch(gazetteer: gazetteer, question: question).matches().first.map {
                gazetteer.text($0.record.name)
            }
        }
        #expect(first("Pariss") == "Paris" && first("Helsinkii") == "Helsinki" && first("Londonn") == "London")
        #expect(first("Parisian") != "Paris")
    }
}
