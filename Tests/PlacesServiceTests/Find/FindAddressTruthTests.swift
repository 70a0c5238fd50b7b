import PlaceContracts
import TestTools
import Testing
import Texts

@testable import PlacesService

@Suite("P50 P15 Finding addresses, proved by those drawn by chance", .serialized)
struct FindAddressTruthTests {
    private static let drawn = 500

    private struct House {
        let street: String
        let number: String
        let postcode: String
        let city: String
        let latitude: String
        let longitude: String

        var name: String { "\(street) \(number)" }
    }

    /// The houses of central Helsinki.
    private static func houses() throws -> [House] {
        var rows = try BundledTable(path: "\(BundledDataTests.folder)/helsinki/addresses.tsv.gz")
        let (street, number) = (try rows.column("street"), try rows.column("housenumber"))
        let (postcode, city) = (try rows.column("postcode"), try rows.column("city"))
        let (latitude, longitude) = (try rows.column("lat"), try rows.column("lon"))
        var houses: [House] = []
        while try rows.next() {
            houses.append(
                House(
                    street: try rows.text(street), number: try rows.text(number), postcode: try rows.text(postcode),
                    city: try rows.text(city), latitude: try rows.text(latitude), longitude: try rows.text(longitude)))
        }
        return houses
    }

    /// Endings of streets, and how people shorten them.
    private static let endings = [
        ("katu", "k."), ("tie", "t."), ("gatan", "g."), ("puisto", "puisto"), ("vägen", "v."),
    ]

    private static func shortened(_ street: String) -> String {
        for (ending, short) in endings where street.hasSuffix(ending) { return street.dropLast(ending.count) + short }
        return street
    }

    /// Respells addresses by rules, by chance: the same each time.
    private static func cases(_ houses: [House], seed: UInt64) -> [FindTruthTests.Case] {
        var random = SeededGenerator(seed: seed)
        return houses.shuffled(using: &random).prefix(drawn).map { house in
            let town = [house.postcode, house.city].filter { !$0.isEmpty }.joined(separator: " ")
            let (text, how) =
                switch Int.random(in: 0..<9, using: &random) {
                case 0: ("\(house.name), \(town)", "as it is")
                case 1: ("\(house.number) \(house.street)", "number first")
                case 2: ("\(house.name), \(house.city)".lowercased(), "without a postcode")
                case 3: (house.name.uppercased(), "capitals")
                case 4: ("\(house.city), \(house.name)", "town first")
                case 5: ("\(shortened(house.street)) \(house.number)", "shortened")
                case 6: ("\(FindTruthTests.mistyped(house.street, &random)) \(house.number)", "mistyped")
                case 7: ("\(house.postcode) \(house.name)", "postcode first")
                default: ("\(house.street.dropLast(2)) \(house.number)", "not typed to its end")
                }
            // Where a street was not typed to its end, houses of this number in any street that begins so are meant.
            let street = FoldedText(String(house.street.dropLast(2))).bytes
            let begun = houses.filter { other in
                other.number == house.number && FoldedText(other.street).bytes.starts(with: street)
            }
            let same = Set((how == "not typed to its end" ? begun : [house]).map { FoldedText($0.name).bytes })
            return FindTruthTests.Case(text: text, name: house.name, how: how, same: same)
        }
    }

    @Test("at least 97 of 100 addresses of an imported table, respelled by rules, are found at the first place")
    func addresses() async throws {
        let houses = try Self.houses()
        let sources = Geocoder.Sources(
            gazetteer: try BundledGazetteer.open(), addresses: try BundledGazetteer.addresses())
        let geocoder = Geocoder(sources, names: try BundledGazetteer.names())
        try await TestService.run(geocoder: geocoder) { service in
            let table = houses.map { house in
                [house.street, house.number, house.postcode, house.city, house.latitude, house.longitude]
                    .joined(separator: "\t") + "\n"
            }
            let header = "street\tnumber\tpostcode\tcity\tlat\tlon\n"
            let story = try await service.load(header + table.joined(), into: "houses", name: "houses.tsv")
            #expect(story.summary?.dataset?.addressCount == UInt64(houses.count))
            await geocoder.prepare(service.handler.catalog.view, service.handler.blocking)
            let cases = Self.cases(houses, seed: 32)
            let failures = try await FindTruthTests.failures(
                cases, service, near: FindTests.centre, report: "find-address-failures")
            #expect(cases.count == Self.drawn && failures * 100 <= cases.count * 3)
        }
    }
}
