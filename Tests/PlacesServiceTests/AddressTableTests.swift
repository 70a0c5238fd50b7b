import PlaceContracts
import TestTools
import Testing
import Wire

@testable import PlacesService

@Suite("P13 P15 Tables of addresses")
struct AddressTableTests {
    private static let helsinki = Coordinate(latitude: 60.17, longitude: 24.94)

    private static func run(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.run(
            geocoder: Geocoder(
                Geocoder.Sources(gazetteer: try BundledGazetteer.open(), addresses: try BundledGazetteer.addresses())),
            body)
    }

    private static func first(_ service: TestService, _ text: String) async throws -> String? {
        let answer = try? await service.client.geocode(GeocodeRequest(text: text), TestService.soon)
        return answer?.matches.first.map { "\($0.name), \($0.postcode) \($0.town)" }
    }

    /// Tables in which people keep addresses.
    private static let tables: [(name: String, text: String)] = [
        (
            "openaddresses.csv",
            "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n"
                + "24.94,60.17,22,Bulevardi,,Helsinki,,,00120,,ab\n24.94,60.171,24,Bulevardi,A 5,Helsinki,,,00120,,cd\n"
        ),
        (
            "semicolons.csv",
            "Hausnummer;Strasse;Ort;PLZ;Latitude;Longitude\n22;Bulevardi;Helsinki;00120;60,17;24,94\n"
                + "24;Bulevardi;Helsinki;00120;60,171;24,94\n"
        ),
        (
            "one-column.csv",
            " address , city , zip , lat , lon \nBulevardi 22,Helsinki,00120,60.17,24.94\n"
                + "24 Bulevardi,Helsinki,00120,60.171,24.94\n"
        ),
        (
            "tabs.tsv",
            "street\thousenumber\tpostcode\tcity\ty\tx\nBulevardi\t22\t00120\tHelsinki\t60.17\t24.94\n"
                + "Bulevardi\t24\t00120\tHelsinki\t60.171\t24.94\n"
        ),
        (
            "lines.geojson",
            #"{"type":"Feature","properties":{"number":"22","street":"Bulevardi","city":"Helsinki","postcode":"00120"},"geometry":{"type":"Point","coordinates":[24.94,60.17]}}"#
                + "\n"
                + #"{"type":"Feature","properties":{"number":"24","street":"Bulevardi","city":"Helsinki","postcode":"00120"},"geometry":{"type":"Point","coordinates":[24.94,60.171]}}"#
                + "\n"
        ),
    ]

    @Test("A5 are imported as they are: without names and ids, with number and street apart or together")
    func forms() async throws {
        try await Self.run { service async throws in
            for (name, text) in Self.tables {
                let story = try await service.load(text, into: "houses", name: name)
                #expect(story.badRows.isEmpty, "\(name): \(story.badRows)")
                #expect(story.summary?.dataset?.placeCount == 2 && story.summary?.dataset?.addressCount == 2, "\(name)")
                for text in ["Bulevardi 22", "22 bulevardi, Helsinki", "00120 Bulevardi 22"] {
                    #expect(try await Self.first(service, text) == "Bulevardi 22, 00120 Helsinki", "\(name): \(text)")
                }
                #expect(try await Self.first(service, "Bulevardi 24")?.hasPrefix("Bulevardi 24,") == true, "\(name)")
            }
        }
    }

    @Test("A5 rows that differ in anything are never taken for one, with ids or without")
    func kept() async throws {
        try await Self.run { service async throws in
            let table =
                "number,street,unit,lat,lon,id\n1,Canal St,A,30,-90,\n1,Canal St,B,30,-90,\n2,Canal St,,30,-90,7\n"
                + ",Canal St,,30,-90,\n3,,,30,-90,\n"
            let story = try await service.load(table, into: "houses", name: "houses.csv")
            #expect(story.summary?.duplicateCount == 0 && story.summary?.dataset?.placeCount == 4)
            #expect(story.badRows.map(\.reason) == ["it has no street"])
            let again = try await service.load(table, into: "houses", name: "houses.csv")
            #expect(again.summary?.dataset?.placeCount == 4)
        }
    }

    @Test("A5 whose columns are called otherwise are read as they are said to be, also with a column of names")
    func columns() async throws {
        try await Self.run { service async throws in
            let table = "name,way,no,lat,lon\nBob,Bulevardi,22,60.17,24.94\n"
            try await service.load(
                table, into: "houses", name: "houses.csv", columns: ColumnMap(street: "way", housenumber: "no"),
                format: .addresses)
            #expect(try await Self.first(service, "Bulevardi 22")?.hasPrefix("Bulevardi 22") == true)
            let named = "street,housenumber,lat,lon\nBulevardi,22,60.17,24.94\n"
            try await service.load(named, into: "houses", name: "houses.csv", columns: ColumnMap(name: "street"))
            #expect(try await Self.first(service, "Bulevardi 22")?.hasPrefix("Bulevardi 22") == true)
        }
    }

    @Test("are given by searches only when they ask for the category address")
    func hidden() async throws {
        try await Self.run { service async throws in
            let houses = "street,number,lat,lon\nBulevardi,22,60.17,24.94\nBulevardi,24,60.1701,24.94\n"
            try await service.load(houses, into: "houses", name: "houses.csv")
            try await service.load("id\tname\tlat\tlon\n1\tCafe\t60.171\t24.94\n", into: "places")
            func names(_ categories: [String]) async throws -> [String] {
                let near = NearbyRequest(
                    centre: Self.helsinki, radiusM: 1_000, categories: categories, includeCount: true)
                let answer = try await service.nearby(near)
                #expect(answer.count == UInt64(answer.places.count))
                return answer.places.map(\.name)
            }
            #expect(try await names([]) == ["Cafe"])
            #expect(try await names(["address"]) == ["Bulevardi 22", "Bulevardi 24"])
            let box = Box(
                southWest: Coordinate(latitude: 60, longitude: 24), northEast: Coordinate(latitude: 61, longitude: 25))
            let within = try await service.client.within(WithinRequest(box: box), TestService.soon)
            #expect(within.places.map(\.name) == ["Cafe"])
        }
    }

    @Test("number and street are told apart in one text, whichever is first")
    func lines() {
        for (text, street, number, city) in [
            ("1 Canal St", "Canal St", "1", ""), ("Hauptstr. 5 a", "Hauptstr.", "5 a", ""),
            ("Mannerheimintie 14-20", "Mannerheimintie", "14-20", ""), ("350 5th Ave", "5th Ave", "350", ""),
            ("5th Ave 350", "5th Ave", "350", ""), ("12B Baker Street, London", "Baker Street", "12B", "London"),
            ("Bulevardi", "Bulevardi", "", ""), ("", "", "", ""), ("17", "17", "", ""),
            ("1 Canal St, New Orleans, LA 70112", "Canal St", "1", ""),
        ] {
            let fields = AddressFields(line: text)
            #expect(fields.street == street && fields.number == number && fields.city == city, "\(text): \(fields)")
        }
    }
}
