import Composition
import Geo
import TestTools
import Testing

@Suite("P16 Places that several networks have are merged", .timeLimit(.minutes(3)))
struct MergedPlacesTests {
    private static let origin = (latitude: 60.0, longitude: 24.0)

    /// A place so many metres north of the origin.
    private func place(
        _ id: String, _ name: String, north metres: Double = 0, kind: String = "", longitude: Double = origin.longitude
    ) throws -> SeenPlace {
        let degrees = metres / (Distance.halfGirthMetres / 180)
        return SeenPlace(
            id: id, name: name, categories: kind.isEmpty ? [] : [kind],
            position: try Coordinate(latitude: Self.origin.latitude + degrees, longitude: longitude))
    }

    private func areMerged(_ pair: NamePair) throws -> Bool {
        let one = try place("openstreetmap/node/1", pair.one, kind: pair.kinds.0)
        let other = try place("foursquare/a", pair.other, north: pair.metres, kind: pair.kinds.1)
        let there = MergedPlaces.groups(of: [one, other]).count
        #expect(there == MergedPlaces.groups(of: [other, one]).count)
        return there == 1
    }

    @Test("when they are near by and alike in name", arguments: NamePair.same)
    func same(_ pair: NamePair) throws { #expect(try areMerged(pair)) }

    @Test("and no others", arguments: NamePair.different)
    func different(_ pair: NamePair) throws { #expect(try !areMerged(pair)) }

    @Test("one place of each source in a group, each near to each other one: a street of shops is no chain")
    func chains() throws {
        let shops = try (0..<10).map { try place("n\($0 % 3)/\($0)", "Lidlo", north: Double($0) * 40) }
        let groups = MergedPlaces.groups(of: shops)
        #expect(groups.flatMap(\.self).sorted() == Array(0..<10))
        for group in groups {
            #expect(Set(group.map { $0 % 3 }).count == group.count)
            let ends = try (#require(group.min()), #require(group.max()))
            #expect(Double(ends.1 - ends.0) * 40 <= MergedPlaces.maximumMetres)
        }
        // Two of one chain, 40 m apart, as two networks have them: each is merged with itself.
        let two = try ["openstreetmap", "foursquare"].flatMap { network in
            let moved = network == "foursquare" ? 9.0 : 0
            return try (0..<2).map { try place("\(network)/\($0)", "Lidlo", north: Double($0) * 40 + moved) }
        }
        #expect(MergedPlaces.groups(of: two) == [[0, 2], [1, 3]])
    }

    @Test("the operator's data stand for a thing, then OpenStreetMap; each dataset is a source")
    func rank() throws {
        let places = try [
            "foursquare/x", "openstreetmap/node/1", "catalog/b/1", "catalog/a/1", "catalog/a/2", "instagram/1",
        ].map { try place($0, "Cafe Ilta", north: $0 == "catalog/a/2" ? 5 : 0) }
        #expect(MergedPlaces.groups(of: places + [nil]) == [[3, 2, 1, 0, 5], [4], [6]])
    }

    @Test("the order of the places does not matter, nor where on Earth they are")
    func order() throws {
        var random = SeededGenerator(seed: 16)
        for west in [24.0, 179.9999] {
            let names = ["Cafe Ilta", "Ilta Cafe", "Cafe Aamu", "Lidlo", "Lidlo 2"]
            var places = try (0..<200).map { index in
                let longitude = west + .random(in: 0...0.0002, using: &random)
                return try place(
                    "n\(index % 4)/\(index)", names[index % names.count], north: .random(in: 0...900, using: &random),
                    longitude: longitude > 180 ? longitude - 360 : longitude)
            }
            let ids = { (places: [SeenPlace]) in Set(MergedPlaces.groups(of: places).map { $0.map { places[$0].id } }) }
            let before = ids(places)
            #expect(before.count < 200)
            places.shuffle(using: &random)
            #expect(ids(places) == before)
        }
        let pole = try ["a/1", "b/1"].enumerated().map { index, id in
            SeenPlace(
                id: id, name: "Pole Station", categories: [],
                position: try Coordinate(latitude: 89.9999, longitude: Double(index) * 180 - 90))
        }
        #expect(MergedPlaces.groups(of: pole).count == 1)
    }

    @Test("many of one name in one spot, and names of any length, end soon")
    func attacks() throws {
        let crowd = try (0..<200).map { try place("n\($0 % 2)/\($0)", "Cafe Ilta") }
        #expect(MergedPlaces.groups(of: crowd).count == 100)
        let long = String(repeating: "e\u{301}", count: 4 << 20)
        let names = [long, long] + ["a ", "#1", "("].map { String(repeating: $0, count: 1 << 20) } + ["\u{202e}\u{0}"]
        let places = try names.enumerated().map { try place("n\($0)/1", $1) }
        #expect(MergedPlaces.groups(of: places).count >= names.count - 1)
        let ids = ["", "/", "//", "catalog", "catalog/", "catalog//", "a/b/c/d"]
        #expect(MergedPlaces.groups(of: try ids.map { try place($0, "Cafe Ilta") }).flatMap(\.self).count == ids.count)
    }
}
