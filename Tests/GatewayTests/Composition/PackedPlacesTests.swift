import Contracts
import TestTools
import Testing
import Wire

@testable import Gateway

@Suite("P16 Places merged in packed answers", .timeLimit(.minutes(3)))
struct PackedPlacesTests {
    private static let position = Coordinate(latitude: 60.17, longitude: 24.94)
    private static let places = [
        Place(
            id: "foursquare/a", name: "Café Ilta", categories: ["food/cafe"], position: position,
            attributes: [Attribute(key: "tel", value: "+358 1")], distanceM: 3),
        Place(id: "openstreetmap/node/1", name: "Lidlo", position: position, distanceM: 4),
        Place(
            id: "catalog/helsinki/node/2", name: "Cafe Ilta", categories: ["amenity/cafe"], position: position,
            attributes: [Attribute(key: "website", value: "https://ilta.example")], distanceM: 5),
    ]

    private func unpacked(_ places: [[UInt8]]) throws -> [Place] { try places.map { try Place(packed: $0) } }

    @Test("the bytes of each place are copied whole, the others' into the sources of the one that stands for them")
    func copied() throws {
        let packed = Self.places.map { $0.packedBytes() }
        let merged = PackedPlaces.merged(packed)
        #expect(merged[0] == packed[1])
        #expect(merged[1].starts(with: packed[2]))
        let places = try unpacked(merged)
        var first = Self.places[2]
        let other = Self.places[0]
        first.sources = [
            PlaceSource(
                id: other.id, name: other.name, categories: other.categories, position: other.position,
                attributes: other.attributes, distanceM: other.distanceM)
        ]
        #expect(places == [Self.places[1], first])
        // The bytes are those that protobuf-c packs.
        #expect(merged[1] == first.packedBytes())
    }

    @Test("of a place that can't be read nothing is changed")
    func unreadable() throws {
        let bad: [[UInt8]] = [
            [], [0xff], [0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f], Place(id: "a/1", name: "Cafe Ilta").packedBytes(),
            Place(id: "b/1", name: "Cafe Ilta", position: Coordinate(latitude: .nan, longitude: 0)).packedBytes(),
            Place(id: "b/1", name: "Cafe Ilta", position: Coordinate(latitude: 91, longitude: 0)).packedBytes(),
            [0x0a, 1, 0xff] + Self.places[0].packedBytes().dropFirst(14),
        ]
        #expect(PackedPlaces.merged(bad) == bad)
    }

    @Test("whatever bytes come, each place is there once")
    func randomBytes() {
        var random = SeededGenerator(seed: 58)
        let packed = Self.places.map { $0.packedBytes() }
        for _ in 0..<3_000 {
            let changed = packed.map { bytes in
                var bytes = bytes
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let index = bytes.indices.randomElement(using: &random) ?? 0
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[index] = .random(in: 0...255, using: &random)
                    case 1: bytes.removeSubrange(index...)
                    default: bytes.insert(.random(in: 0...255, using: &random), at: index)
                    }
                    if bytes.isEmpty { bytes = [0] }
                }
                return bytes
            }
            let merged = PackedPlaces.merged(changed)
            #expect((1...3).contains(merged.count))
            let before = changed.reduce(0) { $0 + $1.count }
            let after = merged.reduce(0) { $0 + $1.count }
            // A source has a tag of two bytes, and a length of one or two.
            #expect((before...before + 8).contains(after))
        }
    }
}
