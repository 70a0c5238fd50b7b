import PlaceContracts
import RPC
import Testing
import Wire

@testable import PlacesService

@Suite("P13 Import of GeoNames' tables")
struct GeoNamesTests {
    /// Rows as GeoNames has them, of Finland and elsewhere.
    private static let table = [
        "658225\tHelsinki\tHelsinki\tGorad Khel'sinki,HEL,Helsingfors,Хельсинки,赫尔辛基\t60.16952\t24.93545\tP"
            + "\tPPLC\tFI\t\t01\t011\t091\t\t658864\t\t26\tEurope/Helsinki\t2023-05-16",
        "660561\tBorgå\tBorga\tPorvoo\t60.39233\t25.66507\tP\tPPLA3\tFI\t\t01\t011\t638\t\t12242\t\t13\tEurope/Helsinki"
            + "\t2020-10-11",
        "3\tTiny\tTiny\t\t60.2\t25\tP\tPPL\tFI\t\t01\t\t\t\t0\t\t5\tEurope/Helsinki\t2020-01-01",
        "4\tHigh\tHigh\t\t60.3\t25\tT\tMT\tFI\t\t\t\t\t\t0\t1324\t1320\t\t2020-01-01",
        "5\tOdd\tOdd\t\t60.4\t25\tU\tSMU\t\t\t\t\t\t\t0\t\t-9999\t\t2020-01-01",
    ]

    private func load(_ lines: [String], name: String) async throws -> (ImportStory, [Place]) {
        try await TestService.run { service in
            let story = try await service.load(lines.map { $0 + "\n" }.joined(), name: name)
            let centre = Coordinate(latitude: 60.17, longitude: 24.94)
            let places = try await service.nearby(NearbyRequest(centre: centre, radiusM: 100_000)).places
            return (story, places)
        }
    }

    @Test(
        "tells it by the file's name", arguments: ["allCountries.txt", "cities500.txt", "FI.txt", "cities15000.txt.gz"])
    func names(name: String) async throws {
        let (story, places) = try await load(Self.table, name: name)
        #expect(story.badRows.isEmpty && story.summary?.rowCount == 5)
        #expect(places.map(\.id) == [658225, 3, 4, 5, 660561].map { "catalog/test/\($0)" })
        let categories = places.map { $0.categories.joined(separator: ";") }
        #expect(categories == ["place/city", "place/village", "natural/peak", "geonames/u/smu", "place/town"])
    }

    @Test("keeps names, country, regions and people, and finds a place by each of its names")
    func attributes() async throws {
        try await TestService.run { service in
            try await service.load(Self.table.joined(separator: "\n"), name: "FI.txt")
            for text in ["helsinki", "helsingfors", "хельсинки", "赫尔辛基", "hel"] {
                let centre = Coordinate(latitude: 60.17, longitude: 24.94)
                let found = try await service.nearby(NearbyRequest(centre: centre, radiusM: 1000, nameText: text))
                    .places
                #expect(found.map(\.name) == ["Helsinki"], "\(text)")
            }
            let near = NearbyRequest(centre: Coordinate(latitude: 60.39, longitude: 25.66), radiusM: 1000)
            let town = try #require(try await service.nearby(near).places.first)
            #expect(
                town.attributes.map { "\($0.key)=\($0.value)" } == [
                    "asciiname=Borga", "alt_names=Porvoo", "country=FI", "admin1=01", "admin2=011", "admin3=638",
                    "timezone=Europe/Helsinki", "population=12242",
                ])
        }
    }

    @Test("finds a place by the last of as many other names as a table has: ten thousand characters")
    func manyNames() async throws {
        let names = String(repeating: "赫尔辛基,", count: 1_999) + "末尾"
        try await TestService.run { service in
            try await service.load(Self.table[0].replacing("赫尔辛基", with: names), name: "FI.txt")
            let centre = Coordinate(latitude: 60.17, longitude: 24.94)
            let found = try await service.nearby(NearbyRequest(centre: centre, radiusM: 1000, nameText: "末尾"))
            #expect(found.places.map(\.name) == ["Helsinki"])
        }
    }

    @Test("tells each bad row with its line and goes on")
    func badRows() async throws {
        var lines = Self.table
        lines.insert("1\ttoo few", at: 1)
        lines.insert(Self.table[2].replacing("60.2", with: "north"), at: 2)
        lines.insert(Self.table[2].replacing("60.2", with: "1e9"), at: 3)
        lines.append("")
        let (story, places) = try await load(lines, name: "cities500.txt")
        #expect(places.count == 5 && story.badRows.map(\.line) == [2, 3, 4])
        #expect(story.badRows.first?.reason == "the row has 2 fields, a table of GeoNames has 19")
        #expect(story.badRows[1].reason == "latitude is \"north\", a number of degrees is needed")
    }

    @Test("refuses another table by its first line, a zip archive by its first bytes, and names of columns")
    func others() async throws {
        try await TestService.run { service in
            let table = try await service.refusal { _ in
                try await service.load("id\tname\tlat\tlon\n1\ta\t1\t2\n", name: "FI.txt")
            }
            #expect(table.message.hasSuffix("a table of GeoNames has 19; a table with a header is format tsv"))
            let zip = try await service.refusal { _ in
                try await service.load([0x50, 0x4b, 3, 4, 0, 0], name: "allCountries.txt")
            }
            #expect(zip.message.contains("it is a zip archive; unpack it"))
            let column = try await service.refusal { _ in
                try await service.load("x", name: "FI.txt", columns: ColumnMap(name: "title"))
            }
            #expect(column.code == .invalidArgument && column.message.hasPrefix("columns.name: "))
        }
    }
}
