import Bytes
import Composition
import Geo
import Wire

/// Places of several networks as one list, still packed: of each thing one place, with its others in `sources`.
///
/// What is needed to compare places is read where it stands in their bytes. A `Place` is a `PlaceSource` too, so a
/// source is copied as it is, behind the fields of the place that stands for it:
///
///     Place as it came | 0x82 0x01 | length (varint) | Place as it came      for each other one
///                        ↑ field 16, with length
enum PackedPlaces {
    private static let sources = BytesField(16)

    /// - Parameter places: packed waymark.places.v1.Place, nearest first. One that can't be read is left as it is.
    static func merged(_ places: [[UInt8]]) -> [[UInt8]] {
        if areOfOneSource(places.lazy.map { $0[...] }) { return places }
        return MergedPlaces.groups(of: places.map { SeenPlace(packed: $0) }).map { group in
            group.dropFirst().reduce(into: places[group[0]]) { bytes, other in
                sources.appendHead(places[other].count, to: &bytes)
                bytes += places[other]
            }
        }
    }
}

extension PackedPlaces {
    /// Merges rows of an answer, which stay as they are where there is nothing to compare.
    static func merged(_ places: AnswerRows) -> AnswerRows {
        areOfOneSource(places.slices) ? places : AnswerRows(merged(places.rows))
    }

    /// Whether one source has them all, which does not have a place twice: this is most often so, and seen by their
    /// first bytes.
    static func areOfOneSource(_ places: some Collection<ArraySlice<UInt8>>) -> Bool {
        guard let first = places.first, let source = source(of: first) else { return places.isEmpty }
        return places.allSatisfy { place in
            guard place.count > source.count + 2, place[place.startIndex] == first[first.startIndex],
                (source.count + 1..<0x80).contains(Int(place[place.startIndex + 1]))
            else { return false }
            let id = place.startIndex + 2
            for index in 0..<source.count where place[id + index] != source[source.startIndex + index] { return false }
            return place[id + source.count] == UInt8(ascii: "/")
        }
    }

    /// The bytes of an id up to its network, or its dataset of the catalog; nil when it does not come first.
    private static func source(of place: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        // A longer id has another form of its length.
        let start = place.startIndex
        guard place.count > 2, UInt64(place[start]) == PackedFields.bytesTag(1), place[start + 1] < 0x80 else {
            return nil
        }
        let length = Int(place[start + 1])
        let id = place[(start + 2)...].prefix(length)
        guard id.count == length, let network = id.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        guard id[..<network].elementsEqual("catalog".utf8) else { return id[..<network] }
        return id[..<(id[(network + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? id.endIndex)]
    }
}

extension SeenPlace {
    /// Nil for bytes that are no place with a position.
    init?(packed: [UInt8]) {
        var (id, name, categories): (String?, String?, [String]) = (nil, "", [])
        var (latitude, longitude, hasPosition) = (0.0, 0.0, false)
        let isMessage = PackedFields.forEach(in: packed[...]) { tag, value in
            switch tag {
            case Self.idTag: id = String(validating: value, as: UTF8.self)?.streamSafe
            case Self.nameTag: name = String(validating: value, as: UTF8.self)?.streamSafe
            case Self.categoriesTag:
                if let path = String(validating: value, as: UTF8.self)?.streamSafe { categories.append(path) }
            case Self.positionTag:
                hasPosition = PackedFields.forEach(in: value) { tag, value in
                    if tag == Self.latitudeTag { latitude = PackedFields.double(value) ?? .nan }
                    if tag == Self.longitudeTag { longitude = PackedFields.double(value) ?? .nan }
                }
            default: break
            }
        }
        guard isMessage, hasPosition, let id, let name,
            let position = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.init(id: id, name: name, categories: categories, position: position)
    }

    private static let idTag = PackedFields.bytesTag(1)
    private static let nameTag = PackedFields.bytesTag(2)
    private static let categoriesTag = PackedFields.bytesTag(3)
    private static let positionTag = PackedFields.bytesTag(4)
    private static let latitudeTag = PackedFields.doubleTag(1)
    private static let longitudeTag = PackedFields.doubleTag(2)
}
